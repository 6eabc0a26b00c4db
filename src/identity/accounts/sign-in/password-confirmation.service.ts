import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import { verifyPassword } from '../password-hashing.js';
import type { Account } from '../account.entity.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInThrottleService } from './sign-in-throttle.service.js';

/** Time for which a password that was entered counts as recent. */
const RECENT_MS = 10 * 60_000;

/** Verifies the password of a person who is signed in, before a change of the account. */
@Injectable()
export class PasswordConfirmationService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly throttle: SignInThrottleService,
  ) {}

  /** Whether the person authenticated within the last 10 minutes. */
  isRecent({ authTime }: Session): boolean {
    return Date.now() - authTime.getTime() < RECENT_MS;
  }

  /**
   * Verifies the password, unless the person authenticated within the last 10 minutes.
   * @throws InvalidFieldsError if the password is wrong
   * @throws DomainError `too_many_password_attempts`
   */
  async requireRecent(session: Session, password: string | null): Promise<void> {
    if (this.isRecent(session)) return;
    await this.verify(session, password, 'password');
    await this.sessions.renewAuthTime(session);
  }

  /**
   * Verifies the password.
   * @param field the form field of the password
   * @throws InvalidFieldsError if the password is missing or wrong
   * @throws DomainError `too_many_password_attempts`
   */
  async verify({ account, id }: Session, password: string | null, field: string): Promise<void> {
    if (!password) throw new InvalidFieldsError([{ field, code: 'passwordMissing' }]);
    // Guesses in one session slow down this session only.
    const attempt = { name: account.id, address: '', knownBrowser: id };
    const { waitSeconds, counted } = await this.throttle.recordAttempt(attempt);
    if (counted === null) {
      const message = 'Too many wrong passwords in this session.';
      throw new DomainError('rate_limited', 'too_many_password_attempts', message, { retryAfterSeconds: waitSeconds });
    }
    if (!(await verifyPassword(account.passwordHash, password))) {
      throw new InvalidFieldsError([{ field, code: 'passwordWrong' }]);
    }
    await this.throttle.recordSuccess(counted, null);
  }
}

/**
 * Rejects a change if the password changed after the person entered it.
 * @param current the locked account
 * @param verified the account whose password was verified
 * @param field the form field of the password
 * @throws InvalidFieldsError
 */
export function assertSamePassword(current: Account, verified: Account, field: string): void {
  if (current.passwordHash !== verified.passwordHash) {
    throw new InvalidFieldsError([{ field, code: 'passwordWrong' }]);
  }
}
