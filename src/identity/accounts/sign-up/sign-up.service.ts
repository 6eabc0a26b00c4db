import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import { Settings } from '../../../platform/config/settings.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { getClientNetworkPrefix } from '../../../platform/http/client-address.js';
import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import { getCurrentRequest } from '../../../platform/logging/request-context.js';
import type { RateLimitPolicy } from '../../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../../platform/rate-limiting/rate-limiter.service.js';
import { EmailAddressesService } from '../email/email-addresses.service.js';
import type { Account } from '../account.entity.js';
import { AccountsService } from '../accounts.service.js';
import type { NewAccount } from '../new-account.js';
import {
  type CountedWindows,
  NetworkFailureLimiterService,
  type NetworkFailurePolicy,
} from '../sign-in/network-failure-limiter.service.js';
import { validateNewPassword } from '../password/password-rules.js';
import { AMR_PASSWORD, type Session } from '../sessions/session.entity.js';
import { SignInService } from '../sign-in/sign-in.service.js';

/** Limits new accounts per network. */
const SIGN_UP_POLICY: RateLimitPolicy = { name: 'sign-ups', limit: 30, windowSeconds: 3600, isSecurity: true };

/** Limits rejected forms per network. They tell whether a name or an e-mail address is taken. */
const SIGN_UP_FAILURES: NetworkFailurePolicy = {
  name: 'sign-up',
  windowSeconds: 3600,
  limits: { address: 60, '/56': 180, '/48': 600 },
};

/** Creates an account from the sign-up form and signs the person in. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly signIn: SignInService,
    private readonly rateLimiter: RateLimiterService,
    private readonly networkFailures: NetworkFailureLimiterService,
    private readonly transactions: TransactionService,
    private readonly emailAddresses: EmailAddressesService,
    private readonly settings: Settings,
  ) {}

  /**
   * Creates an account and a session, and sends a link to confirm the e-mail address.
   * @param previous the session that the new one replaces
   * @returns the cookies of the session
   * @throws InvalidFieldsError if a field is invalid
   * @throws DomainError `too_many_sign_ups`, `too_many_failed_sign_ups`
   */
  async signUp(form: URLSearchParams, previous: Session | null): Promise<SetCookie[]> {
    const windows = await this.countFailure();
    const account = await this.createAccount(form).catch(async (error: unknown) => {
      if (!(error instanceof InvalidFieldsError)) await this.refundFailure(windows);
      throw error;
    });
    await this.refundFailure(windows);
    return (await this.signIn.createSession({ account, amr: AMR_PASSWORD, previous })) ?? [];
  }

  private async createAccount(form: URLSearchParams): Promise<Account> {
    const quota = { policy: SIGN_UP_POLICY, key: getClientNetworkPrefix() };
    const { isExceeded, headers } = await this.rateLimiter.consume(quota);
    if (isExceeded) {
      const message = 'Too many accounts were created from this network.';
      throw new DomainError('rate_limited', 'too_many_sign_ups', message, { rateLimitHeaders: headers });
    }
    const { DATA_LICENSE, TERMS_URL } = this.settings;
    const agreesToTerms = DATA_LICENSE !== undefined || TERMS_URL !== undefined;
    const newAccount = { ...parseSignUpForm(form), agreesToTerms };
    const passwordErrors = await validateNewPassword(newAccount.password, newAccount);
    return this.accounts
      .create(newAccount, passwordErrors, (tx, created) => this.emailAddresses.sendLink(tx, created, created.email))
      .catch(async (error: unknown) => {
        await this.rateLimiter.refund(quota); // only created accounts count
        throw error;
      });
  }

  /**
   * Counts the form as rejected. The caller refunds the count if no field is invalid.
   * @throws DomainError `too_many_failed_sign_ups`
   */
  private async countFailure(): Promise<CountedWindows> {
    const address = getCurrentRequest()?.ip ?? '';
    const check = await this.transactions.run((tx) => this.networkFailures.count(tx, SIGN_UP_FAILURES, address));
    if (check.counted !== null) return check.counted;
    const message = 'Too many sign-up forms from this network were rejected.';
    const { waitSeconds: retryAfterSeconds } = check;
    throw new DomainError('rate_limited', 'too_many_failed_sign_ups', message, { retryAfterSeconds });
  }

  private async refundFailure(windows: CountedWindows): Promise<void> {
    await this.transactions.run((tx) => this.networkFailures.refund(tx, windows));
  }
}

function parseSignUpForm(form: URLSearchParams): NewAccount {
  const read = (field: string): string => form.get(field) ?? '';
  return {
    username: read('username').trim(),
    name: read('name'),
    email: read('email').trim(),
    password: read('password'),
  };
}
