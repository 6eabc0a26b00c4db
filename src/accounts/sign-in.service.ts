import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import type { Request } from 'express';
import { randomBytes } from 'node:crypto';
import { Settings } from '../config/settings.js';
import { SealedBox } from '../crypto/sealed-box.js';
import type { Account } from './account.entity.js';
import { accountKey, AccountsService } from './accounts.service.js';
import { OwnCookies } from './own-cookies.js';
import { networkOf } from '../http/network.js';
import { isPassword, NOBODY } from './passwords.js';
import { SessionsService } from './sessions.service.js';
import type { Session } from './session.entity.js';
import { SignInAttemptsService } from './sign-in-attempts.service.js';

/** What came of an attempt to sign in. */
export type SignInResult =
  | { outcome: 'signed in'; cookies: SetCookie[] }
  | { outcome: 'wrong' }
  | { outcome: 'wait'; seconds: number }
  | { outcome: 'blocked'; reason: string };

const BROWSER_COOKIE = 'browser';

/** Seconds that a browser is known for: a year. */
const BROWSER_LIFETIME = 365 * 24 * 3600;

/** Signing in by password. A wrong password and a name that nobody has get the same answer after the same work. */
@Injectable()
export class SignInService {
  private readonly browsers: SealedBox;

  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly attempts: SignInAttemptsService,
    private readonly cookies: OwnCookies,
    settings: Settings,
  ) {
    this.browsers = new SealedBox(settings.MASTER_SECRET, 'known-browsers');
  }

  async signIn(name: string, password: string, request: Request, previous: Session | null): Promise<SignInResult> {
    const account = await this.accounts.find(name);
    const attempt = { who: this.whoOf(name, account, request), from: networkOf(request.ip ?? '') };
    const seconds = await this.attempts.begin(attempt);
    if (seconds > 0) return { outcome: 'wait', seconds };
    const isTheirs = await isPassword(account?.passwordHash ?? NOBODY, password.slice(0, 1001));
    if (!account || !isTheirs) return { outcome: 'wrong' };
    await this.attempts.forget(attempt);
    if (account.blockedAt) return { outcome: 'blocked', reason: account.blockedReason ?? '' };
    return { outcome: 'signed in', cookies: await this.cookiesFor(account, previous) };
  }

  /** The cookies of a browser in which this person signs in. */
  async cookiesFor(account: Account, previous: Session | null): Promise<SetCookie[]> {
    const browser = this.browsers.seal(`${account.id} ${randomBytes(16).toString('base64url')}`);
    return [
      await this.sessions.begin(account.id, previous),
      this.cookies.set(BROWSER_COOKIE, browser, BROWSER_LIFETIME),
    ];
  }

  /**
   * Under whose attempts this one counts: those under the name that was typed; or in a browser that the person has signed
   * in with, that browser's, so that whoever guesses elsewhere cannot keep them out.
   */
  private whoOf(name: string, account: Account | null, request: Request): string {
    const known = this.browsers.open(this.cookies.read(request, BROWSER_COOKIE) ?? '');
    return account && known?.startsWith(`${account.id} `) ? known : accountKey(name);
  }
}
