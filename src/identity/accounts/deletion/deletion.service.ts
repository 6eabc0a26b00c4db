import { Injectable } from '@nestjs/common';
import { Redirect } from '../../../platform/http/redirect.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { AccountDeletionService } from './account-deletion.service.js';
import { PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AccountAppsRegistry } from '../account-apps.registry.js';

/** An app that is disabled when its owner deletes the account. */
export interface EndingApp {
  name: string;
  /** Number of people who allow the app to act for them. */
  peopleCount: number;
}

/** Deletes the account of a session, after a confirmation by password. */
@Injectable()
export class DeletionService {
  constructor(
    private readonly deletion: AccountDeletionService,
    private readonly passwords: PasswordConfirmationService,
    private readonly sessions: SessionsService,
    private readonly apps: AccountAppsRegistry,
  ) {}

  /** Returns the apps of the person, which the deletion disables. */
  async listOwnApps({ accountId }: Session): Promise<EndingApp[]> {
    return this.apps.listOwned(accountId);
  }

  /**
   * Deletes the account.
   * @returns a redirect to the page that confirms it, without the session
   * @throws InvalidFieldsError if the password is missing or wrong
   * @throws PageError 429 after too many wrong passwords
   */
  async delete(
    session: Session,
    form: URLSearchParams,
    { basePath, language }: Pick<ViewContext, 'basePath' | 'language'>,
  ): Promise<Redirect> {
    await this.passwords.verify(session, form.get('password'), 'password');
    await this.deletion.delete(session.account, language);
    return new Redirect(`${basePath}/account/deleted`, [await this.sessions.end(null)]);
  }
}
