import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AccountMailService } from '../account-mail.service.js';
import { type Account, normalizeUsernameOrEmail } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { FailedSignInsService } from './failed-sign-ins.service.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import {
  DUMMY_PASSWORD_HASH,
  HASHING_RETRY_AFTER_SECONDS,
  HashingQueueFullError,
  runInHashingQueue,
  type verifyPassword,
} from '../password-hashing.js';
import { AMR_PASSWORD, type Session } from '../sessions/session.entity.js';
import { type NewSession, SessionsService } from '../sessions/sessions.service.js';
import { SignInThrottleService } from './sign-in-throttle.service.js';

/** Username or e-mail address, and password, as the person entered them. */
export interface Credentials {
  usernameOrEmail: string;
  password: string;
}

/** Result of a sign-in attempt. */
export type SignInResult =
  | { outcome: 'signedIn'; cookies: SetCookie[] }
  | { outcome: 'invalidCredentials' }
  | { outcome: 'throttled'; retryAfterSeconds: number }
  /** Too many other attempts wait. This one was not counted. */
  | { outcome: 'tooBusy'; retryAfterSeconds: number };

/** An account after the right password, or the reason why there is none. */
type VerificationResult = Account | Extract<SignInResult, { outcome: 'invalidCredentials' | 'throttled' | 'tooBusy' }>;

/** Credentials, and the account that they name if there is one. */
interface PasswordAttempt {
  credentials: Credentials;
  account: Account | null;
  address: string;
  knownBrowser: string | undefined;
}

/** Longest accepted password plus one character. A longer input never matches, so it is cut. */
const MAX_VERIFIED_PASSWORD_LENGTH = 1001;

/**
 * Signs people in by password. A wrong password and an unknown name have the same response and the
 * same cost.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionsService,
    private readonly throttle: SignInThrottleService,
    private readonly failedSignIns: FailedSignInsService,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly transactions: TransactionService,
    private readonly mail: AccountMailService,
  ) {}

  /**
   * Verifies the credentials and creates a session.
   * @param address IP address of the client
   * @param previous the session that the new one replaces
   * @throws ConnectionClosedError if the client did not wait; such an attempt does not count
   */
  async signIn(credentials: Credentials, address: string, previous: Session | null): Promise<SignInResult> {
    const account = await this.accounts.findByUsernameOrEmail(credentials.usernameOrEmail);
    const knownBrowser = await this.knownBrowsers.recognize(account?.id ?? null);
    const attempt = { credentials, account, address, knownBrowser };
    const result = await runInHashingQueue(
      (verifyNow) => this.verify(attempt, verifyNow),
      knownBrowser !== undefined,
    ).catch(toTooBusyResult);
    if ('outcome' in result) return result;
    const cookies = await this.createSession({ account: result, amr: AMR_PASSWORD, previous });
    return cookies ? { outcome: 'signedIn', cookies } : { outcome: 'invalidCredentials' };
  }

  /**
   * Creates a session in the browser of the current request, which is recognized from then on. The
   * person gets an e-mail if the account signed in with other browsers before.
   * @returns the cookie of the session, and the cookie by which the browser is recognized; null if
   * the account changed since the person authenticated
   */
  async createSession(newSession: NewSession): Promise<SetCookie[] | null> {
    const { account } = newSession;
    return this.transactions.run(async (tx) => {
      const session = await this.sessions.create(tx, newSession);
      if (!session) return null;
      const { cookie, isNewBrowser } = await this.knownBrowsers.remember(tx, account.id);
      if (isNewBrowser) await this.mail.enqueue(tx, account, 'newSignIn');
      return [session, cookie];
    });
  }

  /** Counts the attempt, unless it must wait, and verifies the password. */
  private async verify(
    { credentials: { usernameOrEmail, password }, account, address, knownBrowser }: PasswordAttempt,
    verifyNow: typeof verifyPassword,
  ): Promise<VerificationResult> {
    const attempt = { name: normalizeUsernameOrEmail(usernameOrEmail), address, knownBrowser };
    const { waitSeconds, counted } = await this.throttle.recordAttempt(attempt);
    if (counted === null) return { outcome: 'throttled', retryAfterSeconds: waitSeconds };
    const passwordHash = account?.passwordHash ?? DUMMY_PASSWORD_HASH;
    const isValid = await verifyNow(passwordHash, password.slice(0, MAX_VERIFIED_PASSWORD_LENGTH));
    if (!account || !isValid) {
      await this.failedSignIns.recordFailure(usernameOrEmail, account);
      return { outcome: 'invalidCredentials' };
    }
    await this.throttle.recordSuccess(counted, knownBrowser === undefined ? account.id : null);
    await this.failedSignIns.recordSuccess(account);
    return account;
  }
}

/** Returns the result for a full queue. @throws the error itself if it is another one */
function toTooBusyResult(error: unknown): Extract<SignInResult, { outcome: 'tooBusy' }> {
  if (!(error instanceof HashingQueueFullError)) throw error;
  return { outcome: 'tooBusy', retryAfterSeconds: HASHING_RETRY_AFTER_SECONDS };
}
