import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { lock } from '../../../platform/database/advisory-locks.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import type { Language } from '../../../platform/i18n/language.js';
import { AccountMailService } from '../account-mail.service.js';
import type { Account } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { assertSamePassword } from '../sign-in/password-confirmation.service.js';
import { PersonalDataRegistry } from '../personal-data.registry.js';
import { ReservedIdentitiesService } from './reserved-identities.service.js';

/** Deletes accounts with the data about their people. */
@Injectable()
export class DeletionService {
  constructor(
    private readonly registry: PersonalDataRegistry,
    private readonly accounts: AccountsStore,
    private readonly reservedIdentities: ReservedIdentitiesService,
    private readonly mail: AccountMailService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Deletes an account in one transaction. Deleting a deleted account changes nothing. The
   * transaction excludes sign-ups with the same username or e-mail address, changes of the person's
   * apps, and the deletion of expired rows, which can be the same rows.
   * @param account the account as it was when the person confirmed the deletion
   * @param language of the e-mail, if the person chose none
   * @throws InvalidFieldsError if the password changed since then
   */
  async delete(account: Account, language: Language = 'en'): Promise<void> {
    await this.transactions.run(async (tx) => {
      await lock(tx, 'expiredRows');
      await lock(tx, 'appsOfOwner', account.id);
      await this.accounts.lockUsernamesAndEmails(tx, ...listIdentities(account));
      const current = await this.accounts.findForUpdate(tx, account.id);
      if (current.deletedAt) return;
      assertSamePassword(current, account, 'password');
      const { id } = current;
      const recipient = { ...current, language: current.language ?? language };
      await this.mail.enqueue(tx, recipient, 'accountDeleted', { accountId: null });
      await this.reservedIdentities.reserve(tx, listIdentities(current));
      await this.registry.delete(tx, current);
      // After the other rows are locked: PostgreSQL lets no transaction refer to the account from
      // here on, and one that holds another of the rows would wait for this one.
      await this.accounts.markDeleted(tx, id);
      await this.audit.record(tx, { type: 'account.deleted', accountId: id });
      // At the end, because the deletions above record events too.
      await this.audit.pseudonymize(tx, id);
    });
    await this.registry.afterDelete();
  }
}

/** Returns the username of an account, and its e-mail address if it has one. */
function listIdentities({ normalizedUsername, normalizedEmail }: Account): string[] {
  return normalizedEmail === null ? [normalizedUsername] : [normalizedUsername, normalizedEmail];
}
