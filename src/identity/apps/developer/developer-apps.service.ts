import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { type FieldError, InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import { PictureEncoderService } from '../../../platform/pictures/picture-encoder.service.js';
import type { PictureForm } from '../../../platform/pictures/picture-form.interceptor.js';
import type { RateLimitPolicy } from '../../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../../platform/rate-limiting/rate-limiter.service.js';
import { AccountAppsRegistry } from '../../accounts/account-apps.registry.js';
import { createEmailUnconfirmedError } from '../../accounts/account-errors.js';
import { AccountMailService } from '../../accounts/account-mail.service.js';
import type { Account } from '../../accounts/account.entity.js';
import { ACCOUNT_BLOCKED, checkNotBlocked } from '../../accounts/account-permissions.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import { PasswordConfirmationService } from '../../accounts/sign-in/password-confirmation.service.js';
import type { App } from '../app.entity.js';
import { type AppSettingsInput, validateAppSettings } from '../app-settings.js';
import { AppDeletionService } from '../app-deletion.service.js';
import { AppsService } from '../apps.service.js';
import { AppsStore, createAppNotFoundError } from '../apps.store.js';
import type { FailedCall } from '../failed-calls/failed-call.entity.js';
import { FailedCallsService } from '../failed-calls/failed-calls.service.js';
import type { AppWithSecret } from '../new-app.js';
import type { AppForm } from './app-form.pipe.js';

const UNIT_MS = { hour: 3600_000, day: 24 * 3600_000 };

/** Times for which the previous client secret can stay valid after it was replaced. */
export const PREVIOUS_SECRET_TTLS = [
  { value: '1h', duration: 1, unit: 'hour' },
  { value: '24h', duration: 24, unit: 'hour' },
  { value: '7d', duration: 7, unit: 'day' },
] as const;

/** Form value if the previous secret becomes invalid at once. */
export const NO_PREVIOUS_SECRET_TTL = 'none';

/** Limits the names that one person reserves: no new app can have the name of a deleted one. */
const REGISTRATION_POLICY: RateLimitPolicy = {
  name: 'app-registrations',
  limit: 50,
  windowSeconds: 24 * 3600,
  isSecurity: true,
};

/** What the page of an app shows. */
export interface OwnApp {
  app: App;
  failedCalls: FailedCall[];
  /** Whether the owner must enter the password to change the app. */
  asksPassword: boolean;
}

/** What the page that deletes an app shows. */
export interface AppToDelete {
  app: App;
  /** The number of people who allow the app to act for them. */
  peopleCount: number;
  /** Whether the owner must enter the password. */
  asksPassword: boolean;
}

/**
 * Manages the apps that a person registered. An app of another owner is not found. A new app,
 * changed settings, a new secret and a deletion need a recent password, so that a stolen session is
 * not enough.
 */
@Injectable()
export class DeveloperAppsService {
  constructor(
    private readonly appsStore: AppsStore,
    private readonly apps: AppsService,
    private readonly deletion: AppDeletionService,
    private readonly accountApps: AccountAppsRegistry,
    private readonly failedCalls: FailedCallsService,
    private readonly encoder: PictureEncoderService,
    private readonly mail: AccountMailService,
    private readonly passwords: PasswordConfirmationService,
    private readonly rateLimiter: RateLimiterService,
  ) {}

  /** Whether a person must enter the password to register or change an app. */
  asksPassword(session: Session): boolean {
    return !this.passwords.isRecent(session);
  }

  /** Whether a person must confirm the e-mail address before registering an app. */
  mustConfirmEmail(owner: Account): boolean {
    return this.mail.checkConfirmed(owner) !== null;
  }

  /** Returns the apps of an owner, the newest first. */
  list(owner: Account): Promise<App[]> {
    return this.appsStore.listByOwner(owner.id);
  }

  /** Returns an app of an owner. @throws DomainError not_found */
  async getOwned(owner: Account, id: string): Promise<App> {
    const app = await this.appsStore.find(id);
    if (app?.ownerId !== owner.id) throw createAppNotFoundError(id);
    return app;
  }

  /** Returns an app with its last failed calls. @throws DomainError not_found */
  async getWithFailedCalls(session: Session, id: string): Promise<OwnApp> {
    const app = await this.getOwned(session.account, id);
    return { app, failedCalls: await this.failedCalls.list(app.id), asksPassword: this.asksPassword(session) };
  }

  /**
   * Registers an app.
   * @param password null if the page did not ask for it
   * @throws DomainError if the owner is blocked, did not confirm the address, has too many apps,
   * registered too many today or guessed the password too often; InvalidFieldsError
   */
  async register(session: Session, form: AppForm, password: string | null): Promise<AppWithSecret> {
    const owner = session.account;
    assertNotBlocked(owner);
    if (this.mustConfirmEmail(owner)) throw createEmailUnconfirmedError();
    await this.checkForm(session, validateAppSettings(form, form.clientType), password);
    const quota = { policy: REGISTRATION_POLICY, key: owner.id };
    const { isExceeded, headers } = await this.rateLimiter.consume(quota);
    if (isExceeded) {
      const message = 'This account registered too many apps today.';
      throw new DomainError('rate_limited', 'too_many_registrations', message, { rateLimitHeaders: headers });
    }
    return this.apps.register({ ...form, ownerId: owner.id }).catch(async (error: unknown) => {
      await this.rateLimiter.refund(quota); // only registered apps count
      throw error;
    });
  }

  /**
   * Replaces the settings of an app.
   * @param password null if the page did not ask for it
   * @throws DomainError forbidden, not_found, too_many_password_attempts; InvalidFieldsError
   */
  async updateSettings(
    session: Session,
    id: string,
    settings: AppSettingsInput,
    password: string | null,
  ): Promise<App> {
    assertNotBlocked(session.account);
    const { clientType } = await this.getOwned(session.account, id);
    await this.checkForm(session, validateAppSettings(settings, clientType), password);
    return this.apps.updateSettings(id, settings, session.accountId);
  }

  /**
   * Replaces the client secret of an app.
   * @param keepOld form value that says how long the previous secret stays valid
   * @param password null if the page did not ask for it
   * @throws DomainError forbidden, not_found, also for a public client, too_many_password_attempts;
   * InvalidFieldsError
   */
  async rotateSecret(session: Session, id: string, keepOld: string, password: string | null): Promise<AppWithSecret> {
    assertNotBlocked(session.account);
    const { previousSecretExpiresAt } = await this.getConfidential(session.account, id);
    await this.passwords.requireRecent(session, password);
    const previousSecretTtlMs = parsePreviousSecretTtlMs(keepOld);
    // A repeated post would end the secret that the first post kept.
    if (previousSecretTtlMs > 0 && previousSecretExpiresAt && previousSecretExpiresAt > new Date())
      throw new InvalidFieldsError([{ field: 'keepOld', code: 'keepOldRunning' }]);
    return this.apps.rotateSecret(id, { previousSecretTtlMs, actorId: session.accountId });
  }

  /** Returns an app that has a secret. @throws DomainError not_found, also for a public client */
  async getConfidential(owner: Account, id: string): Promise<App> {
    const app = await this.getOwned(owner, id);
    if (app.clientType === 'public') throw createAppNotFoundError(id);
    return app;
  }

  /**
   * Replaces the icon of an app.
   * @throws DomainError forbidden, not_found; InvalidFieldsError if the upload is not a picture
   */
  async replaceIcon(owner: Account, id: string, { picture, isPictureTooLarge }: PictureForm): Promise<void> {
    await this.getWritableId(owner, id);
    if (isPictureTooLarge) throw new InvalidFieldsError([{ field: 'picture', code: 'pictureTooLarge' }]);
    if (!picture) throw new InvalidFieldsError([{ field: 'picture', code: 'pictureMissing' }]);
    await this.apps.setIcon(id, await this.encoder.encode(picture, owner.id), owner.id);
  }

  /** Removes the icon of an app. @throws DomainError forbidden, not_found */
  async removeIcon(owner: Account, id: string): Promise<void> {
    await this.apps.setIcon(await this.getWritableId(owner, id), null, owner.id);
  }

  /** Deletes the failed calls of an app. @throws DomainError forbidden, not_found */
  async clearFailedCalls(owner: Account, id: string): Promise<void> {
    await this.failedCalls.clear(await this.getWritableId(owner, id));
  }

  /** Disables an app. @throws DomainError forbidden, not_found */
  async disable(owner: Account, id: string): Promise<App> {
    return this.apps.disable(await this.getWritableId(owner, id), owner.id);
  }

  /** Enables an app, unless the operator disabled it. @throws DomainError forbidden, not_found */
  async enable(owner: Account, id: string): Promise<App> {
    return this.apps.enable(await this.getWritableId(owner, id), owner.id);
  }

  /** Returns an app, and how many people lose it. @throws DomainError not_found */
  async getToDelete(session: Session, id: string): Promise<AppToDelete> {
    const app = await this.getOwned(session.account, id);
    const peopleCount = await this.accountApps.countPeople(id);
    return { app, peopleCount, asksPassword: this.asksPassword(session) };
  }

  /**
   * Deletes an app. A form that was sent twice finds a deleted app, and changes nothing.
   * @param password null if the page did not ask for it
   * @throws DomainError forbidden, not_found, too_many_password_attempts; InvalidFieldsError
   */
  async delete(session: Session, id: string, password: string | null): Promise<void> {
    assertNotBlocked(session.account);
    const app = await this.appsStore.find(id);
    if (app?.deletedAt) return;
    if (app?.ownerId !== session.accountId) throw createAppNotFoundError(id);
    await this.passwords.requireRecent(session, password);
    await this.deletion.delete(id, session.accountId);
  }

  /** @throws InvalidFieldsError with the errors of the settings and of the password together */
  private async checkForm(session: Session, errors: FieldError[], password: string | null): Promise<void> {
    const passwordErrors = await this.passwords.requireRecent(session, password).then(
      () => [],
      (error: unknown) => {
        if (error instanceof InvalidFieldsError) return error.fieldErrors;
        throw error;
      },
    );
    if (errors.length + passwordErrors.length > 0) throw new InvalidFieldsError([...errors, ...passwordErrors]);
  }

  /** @throws DomainError forbidden if the owner is blocked, not_found */
  private async getWritableId(owner: Account, id: string): Promise<string> {
    assertNotBlocked(owner);
    return (await this.getOwned(owner, id)).id;
  }
}

function assertNotBlocked(account: Account): void {
  if (checkNotBlocked(account)) throw new DomainError('forbidden', 'account_blocked', ACCOUNT_BLOCKED.message);
}

/** Returns the TTL that a form value names, in milliseconds. @throws InvalidFieldsError */
function parsePreviousSecretTtlMs(value: string): number {
  if (value === NO_PREVIOUS_SECRET_TTL) return 0;
  const ttl = PREVIOUS_SECRET_TTLS.find((candidate) => candidate.value === value);
  if (!ttl) throw new InvalidFieldsError([{ field: 'keepOld', code: 'keepOldInvalid' }]);
  return ttl.duration * UNIT_MS[ttl.unit];
}
