import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import type { Request } from 'express';
import { randomBytes } from 'node:crypto';
import { Settings } from '../../platform/config/settings.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import type { Account } from './account.entity.js';
import { AccountsStore } from './accounts.store.js';
import { normalizeLogin } from './normalize-login.js';
import { SessionCookies } from './session-cookies.js';
import { toNetworkPrefix } from '../../platform/http/network-prefix.js';
import { verifyPassword, DUMMY_PASSWORD_HASH } from './password-hashing.js';
import { SessionsService } from './sessions.service.js';
import type { Session } from './session.entity.js';
import { SignInThrottleService } from './sign-in-throttle.service.js';

/** What came of an attempt to sign in. */
export type SignInResult =
  | { outcome: 'signed in'; cookies: SetCookie[] }
  | { outcome: 'wrong' }
  | { outcome: 'wait'; retryAfterSeconds: number }
  | { outcome: 'blocked'; reason: string };

const DEVICE_COOKIE_NAME = 'browser';

/** Seconds that a browser is known for: a year. */
const DEVICE_COOKIE_TTL_SECONDS = 365 * 24 * 3600;

/** Signing in by password. A wrong password and a name that nobody has get the same answer after the same work. */
@Injectable()
export class SignInService {
  private readonly deviceCookieCipher: AesGcmCipher;

  constructor(
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionsService,
    private readonly throttle: SignInThrottleService,
    private readonly cookies: SessionCookies,
    settings: Settings,
  ) {
    this.deviceCookieCipher = new AesGcmCipher(settings.MASTER_SECRET, 'known-browsers');
  }

  async signIn(name: string, password: string, request: Request, previous: Session | null): Promise<SignInResult> {
    const account = await this.accounts.findByLogin(name);
    const attempt = {
      throttleKey: this.resolveThrottleKey(name, account, request),
      network: toNetworkPrefix(request.ip ?? ''),
    };
    const seconds = await this.throttle.recordAttempt(attempt);
    if (seconds > 0) return { outcome: 'wait', retryAfterSeconds: seconds };
    const isTheirs = await verifyPassword(account?.passwordHash ?? DUMMY_PASSWORD_HASH, password.slice(0, 1001));
    if (!account || !isTheirs) return { outcome: 'wrong' };
    await this.throttle.recordSuccess(attempt);
    if (account.blockedAt) return { outcome: 'blocked', reason: account.blockedReason ?? '' };
    return { outcome: 'signed in', cookies: await this.createSessionCookies(account, previous) };
  }

  /** The cookies of a browser in which this person signs in. */
  async createSessionCookies(account: Account, previous: Session | null): Promise<SetCookie[]> {
    const browser = this.deviceCookieCipher.encrypt(`${account.id} ${randomBytes(16).toString('base64url')}`);
    return [
      await this.sessions.create(account.id, previous),
      this.cookies.build(DEVICE_COOKIE_NAME, browser, DEVICE_COOKIE_TTL_SECONDS),
    ];
  }

  /**
   * Under whose attempts this one counts: those under the name that was typed; or in a browser that the person has signed
   * in with, that browser's, so that whoever guesses elsewhere cannot keep them out.
   */
  private resolveThrottleKey(name: string, account: Account | null, request: Request): string {
    const known = this.deviceCookieCipher.decrypt(this.cookies.read(request, DEVICE_COOKIE_NAME) ?? '');
    return account && known?.startsWith(`${account.id} `) ? known : normalizeLogin(name);
  }
}
