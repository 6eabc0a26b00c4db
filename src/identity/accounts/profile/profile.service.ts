import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { type FieldError, InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import { isLanguage } from '../../../platform/i18n/language.js';
import { PictureEncoderService } from '../../../platform/pictures/picture-encoder.service.js';
import type { PictureForm } from '../../../platform/pictures/picture-form.interceptor.js';
import { isName } from '../../../platform/validation/text.decorator.js';
import { createAccountBlockedError } from '../account-errors.js';
import { checkNotBlocked } from '../account-permissions.js';
import type { Account } from '../account.entity.js';
import { AccountMailService } from '../account-mail.service.js';
import { AccountsStore } from '../accounts.store.js';
import { ProfilePicturesService } from './profile-pictures.service.js';

/** Changes the name, the language, the picture and the messages of an account. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly pictures: ProfilePicturesService,
    private readonly encoder: PictureEncoderService,
    private readonly transactions: TransactionService,
    private readonly mail: AccountMailService,
  ) {}

  /**
   * Saves the profile. Without an uploaded file, the picture stays.
   * @throws InvalidFieldsError if a field is invalid
   * @throws DomainError `account_blocked`
   */
  async save(account: Account, form: PictureForm): Promise<void> {
    requireNotBlocked(account);
    const profile = parseProfile(form);
    const content = form.picture && (await this.encoder.encode(form.picture, account.id));
    await this.transactions.run(async (tx) => {
      await this.lockAccount(tx, account.id);
      const picture = content && (await this.pictures.replace(tx, account.id, content));
      await this.accounts.updateProfile(tx, account.id, { ...profile, ...(picture && { picture }) });
    });
  }

  /** Removes the picture, also from a blocked account. */
  async removePicture({ id }: Account): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.accounts.findForUpdate(tx, id);
      await this.pictures.deleteAll(tx, id);
      await this.accounts.updateProfile(tx, id, { picture: null });
    });
  }

  /** Returns the account to which the token of a link was sent, or null. */
  async findByUnsubscribeToken(token: string): Promise<Account | null> {
    const id = this.mail.readUnsubscribeToken(token);
    const account = id === undefined ? undefined : (await this.accounts.findByIds([id])).get(id);
    return account && !account.deletedAt ? account : null;
  }

  /** Ends the messages about decisions. */
  async unsubscribe({ id }: Account): Promise<void> {
    await this.transactions.run((tx) => this.accounts.updateProfile(tx, id, { wantsDecisionMail: false }));
  }

  private async lockAccount(tx: EntityManager, id: string): Promise<void> {
    requireNotBlocked(await this.accounts.findForUpdate(tx, id));
  }
}

function requireNotBlocked(account: Account): void {
  if (checkNotBlocked(account) || account.deletedAt) throw createAccountBlockedError();
}

function parseProfile({
  fields,
  isPictureTooLarge,
}: PictureForm): Pick<Account, 'name' | 'language' | 'wantsDecisionMail'> {
  const name = (fields.get('name') ?? '').trim();
  const language = fields.get('language') ?? '';
  const errors: FieldError[] = [];
  if (!isName(name)) errors.push({ field: 'name', code: 'nameInvalid' });
  if (language !== '' && !isLanguage(language)) errors.push({ field: 'language', code: 'languageInvalid' });
  if (isPictureTooLarge) errors.push({ field: 'picture', code: 'pictureTooLarge' });
  if (errors.length > 0) throw new InvalidFieldsError(errors);
  return {
    name,
    language: isLanguage(language) ? language : null,
    wantsDecisionMail: fields.has('decisionMail'),
  };
}
