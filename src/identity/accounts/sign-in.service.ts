import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import type { Request } from 'express';
import { randomBytes } from 'node:crypto';
import { Settings } from '../../platform/config/settings.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { toNetworkPrefix } from '../../platform/http/network-prefix.js';
import type { Account } from './account.entity.js';
import { AccountsStore } from './accounts.store.js';
import { normalizeLogin } from './normalize-login.js';
import { DUMMY_PASSWORD_HASH, verifyPassword } from './password-hashing.js';
import { SessionCookies } from './session-cookies.js';
import { AMR_PASSWORD, type Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { SignInThrottleService } from './sign-in-throttle.service.js';

/** Username or e-mail address, and password, as the person entered them. */
export interface Credentials {
  login: string;
  password: string;
}

/** Result of a sign-in attempt. */
export type SignInResult =
  | { outcome: 'signedIn'; cookies: SetCookie[] }
  | { outcome: 'invalidCredentials' }
  | { outcome: 'throttled'; retryAfterSeconds: number }
  | { outcome: 'blocked'; reason: string };

const DEVICE_COOKIE_NAME = 'browser';

/** Time for which a browser is recognized: a year. */
const DEVICE_COOKIE_TTL_SECONDS = 365 * 24 * 3600;

/** Longest accepted password plus one character. A longer input never matches, so it is cut. */
const MAX_VERIFIED_PASSWORD_LENGTH = 1001;

/**
 * Signs people in by password. A wrong password and an unknown login have the same response and the
 * same cost.
 */
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

  /**
   * Verifies the credentials and creates a session.
   * @param previous the session that the new one replaces
   */
  async signIn({ login, password }: Credentials, request: Request, previous: Session | null): Promise<SignInResult> {
    const account = await this.accounts.findByLogin(login);
    const throttleKey = this.resolveThrottleKey(login, account, request);
    const attempt = { throttleKey, network: toNetworkPrefix(request.ip ?? '') };
    const retryAfterSeconds = await this.throttle.recordAttempt(attempt);
    if (retryAfterSeconds > 0) return { outcome: 'throttled', retryAfterSeconds };
    const passwordHash = account?.passwordHash ?? DUMMY_PASSWORD_HASH;
    const isValid = await verifyPassword(passwordHash, password.slice(0, MAX_VERIFIED_PASSWORD_LENGTH));
    if (!account || !isValid) return { outcome: 'invalidCredentials' };
    await this.throttle.recordSuccess(attempt);
    if (account.blockedAt) return { outcome: 'blocked', reason: account.blockedReason ?? '' };
    const cookies = await this.createSessionCookies(account, previous);
    return cookies ? { outcome: 'signedIn', cookies } : { outcome: 'invalidCredentials' };
  }

  /**
   * Creates a session.
   * @returns its cookie, and the cookie by which the browser is recognized; null if the account
   * changed since the person authenticated
   */
  async createSessionCookies(account: Account, previous: Session | null): Promise<SetCookie[] | null> {
    const session = await this.sessions.create({ account, amr: AMR_PASSWORD, previous });
    if (!session) return null;
    const device = this.deviceCookieCipher.encrypt(`${account.id} ${randomBytes(16).toString('base64url')}`);
    return [session, this.cookies.build(DEVICE_COOKIE_NAME, device, DEVICE_COOKIE_TTL_SECONDS)];
  }

  /**
   * Returns the key under which the attempt is counted: the login, or the browser if this account
   * signed in with it before. So attempts from other browsers cannot lock the owner out.
   */
  private resolveThrottleKey(login: string, account: Account | null, request: Request): string {
    const device = this.deviceCookieCipher.decrypt(this.cookies.read(request, DEVICE_COOKIE_NAME) ?? '');
    return account && device?.startsWith(`${account.id} `) ? device : normalizeLogin(login);
  }
}
