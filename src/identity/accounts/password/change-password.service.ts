import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import { Settings } from '../../../platform/config/settings.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { AccountsStore } from '../accounts.store.js';
import { PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import { hashPassword } from '../password-hashing.js';
import { assertNewPassword } from './password-rules.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AccountAppsRegistry } from '../account-apps.registry.js';
import { assertSamePassword } from '../sign-in/assert-same-password.js';
import { PasswordUpdatesService } from './password-updates.service.js';

/** Changes the password of a person who knows the current one. */
@Injectable()
export class ChangePasswordService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionsService,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly passwordUpdates: PasswordUpdatesService,
    private readonly apps: AccountAppsRegistry,
    private readonly transactions: TransactionService,
    private readonly settings: Settings,
  ) {}

  /**
   * Changes the password and ends the other sessions, and also the access of all apps if the box is
   * checked.
   * @returns the renewed cookie of this session
   * @throws InvalidFieldsError if a password is invalid or wrong
   * @throws PageError 429 after too many wrong passwords
   */
  async change(session: Session, form: URLSearchParams): Promise<SetCookie> {
    const { account } = session;
    const newPassword = form.get('new_password') ?? '';
    await assertNewPassword(newPassword, account, 'new_password');
    await this.passwordConfirmation.verify(session, form.get('current_password'), 'current_password');
    const passwordHash = await hashPassword(newPassword);
    return this.transactions.run(async (tx) => {
      const current = await this.accounts.findForUpdate(tx, account.id);
      assertSamePassword(current, account, 'current_password');
      await this.passwordUpdates.update(tx, current, { passwordHash, event: 'password.changed', except: session });
      if (form.has('disconnect_apps')) {
        await this.apps.removeAllAccess(tx, account.id, 'The person changed the password and disconnected all apps.');
      }
      const cookie = await this.sessions.renew(tx, session);
      // The session ended meanwhile: nothing is changed.
      if (!cookie) throw new Redirect(`${this.settings.basePath}/sign-in`);
      return cookie;
    });
  }
}
