import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import { AuditQueryService } from '../../../platform/audit/audit.service.js';
import { Account } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { formatBrowserName } from '../sessions/browser-name.js';
import { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { PersonalDataRegistry, type PersonalDataSource } from '../personal-data.registry.js';
import { DatabasePollService } from '../../../platform/scheduling/database-poll.service.js';
import { ReservedIdentity } from '../deletion/reserved-identity.entity.js';
import { OutgoingEmailsStore } from '../../../platform/mail/outgoing-emails.store.js';
import { OutgoingEmail } from '../../../platform/mail/outgoing-email.entity.js';
import { EmailToken } from '../email-token.entity.js';
import { EmailTokensService } from '../email-tokens.service.js';
import { KnownBrowser } from '../sign-in/known-browser.entity.js';
import { KnownBrowsersService } from '../sign-in/known-browsers.service.js';
import { Passkey } from '../passkeys/passkey.entity.js';
import { PasskeysStore } from '../passkeys/passkeys.store.js';
import { ProfilePicture } from '../profile/profile-picture.entity.js';
import { ProfilePicturesService } from '../profile/profile-pictures.service.js';

/** Registers the personal data of accounts, for the export and the deletion. */
@Injectable()
export class AccountsPersonalDataService implements OnModuleInit {
  constructor(
    private readonly registry: PersonalDataRegistry,
    private readonly accounts: AccountsStore,
    private readonly databasePoll: DatabasePollService,
    private readonly sessions: SessionsService,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly tokens: EmailTokensService,
    private readonly emails: OutgoingEmailsStore,
    private readonly auditEvents: AuditQueryService,
    private readonly passkeys: PasskeysStore,
    private readonly pictures: ProfilePicturesService,
  ) {}

  onModuleInit(): void {
    this.registry.register(describeAccount(this.accounts, this.databasePoll));
    this.registry.register(describeSessions(this.sessions));
    this.registry.register(describeKnownBrowsers(this.knownBrowsers));
    this.registry.register(describeEmailTokens(this.tokens));
    this.registry.register(describeMail(this.emails));
    this.registry.register(describeActivity(this.auditEvents));
    this.registry.register(describePasskeys(this.passkeys));
    this.registry.register(describePicture(this.pictures));
  }
}

/** Describes the account. `DeletionService` replaces its row after other data is deleted. */
function describeAccount(accounts: AccountsStore, databasePoll: DatabasePollService): PersonalDataSource {
  return {
    name: 'account',
    entities: [Account, ReservedIdentity],
    export: async (accountId) => toAccountExport(await accounts.get(accountId)),
    delete: () => Promise.resolve(),
    afterDelete: () => databasePoll.pollNow(),
  };
}

/** Describes the sessions of an account. A deletion ends them. */
function describeSessions(sessions: SessionsService): PersonalDataSource {
  return {
    name: 'sessions',
    entities: [Session],
    export: async (accountId) => (await sessions.list(accountId)).map(toSessionExport),
    delete: async (tx, { id }) => void (await sessions.endAll(tx, id)),
  };
}

/**
 * Describes the audit events of an account. `DeletionService` pseudonymizes them at the end,
 * because the deletion of other data records events.
 */
function describeActivity(auditEvents: AuditQueryService): PersonalDataSource {
  return {
    name: 'activity',
    entities: [AuditEvent],
    export: async (accountId) => (await auditEvents.listAll(accountId)).map(toAuditExport),
    delete: () => Promise.resolve(),
  };
}

function toAccountExport(account: Account): object {
  return {
    id: account.id,
    username: account.username,
    name: account.name,
    email: account.email,
    email_verified_at: account.emailVerifiedAt?.toISOString() ?? null,
    picture: account.picture,
    language: account.language,
    decision_mail: account.wantsDecisionMail,
    role: account.role,
    regions: account.regions,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
    termsAgreedAt: account.termsAgreedAt?.toISOString() ?? null,
    blocked_at: account.blockedAt?.toISOString() ?? null,
    blocked_reason: account.blockedReason,
    blocked_until: account.blockedUntil?.toISOString() ?? null,
  };
}

function toSessionExport(session: Session): object {
  return {
    id: session.id,
    browser: formatBrowserName(session.userAgent),
    user_agent: session.userAgent,
    network: session.ipAddress,
    authentication_methods: session.amr,
    authenticated_at: session.authTime.toISOString(),
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  };
}

function toAuditExport(event: AuditEvent): object {
  return {
    at: event.occurredAt.toISOString(),
    type: event.type,
    app: event.appId,
    authorization: event.authorizationId,
    detail: event.detail,
    from: event.ipAddress,
    by_operator: event.byOperator,
  };
}

/** Describes the browsers in which a person signed in. */
function describeKnownBrowsers(knownBrowsers: KnownBrowsersService): PersonalDataSource {
  return {
    name: 'known_browsers',
    entities: [KnownBrowser],
    export: async (accountId) =>
      (await knownBrowsers.list(accountId)).map(({ createdAt, lastUsedAt }) => ({
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt.toISOString(),
      })),
    delete: (tx, { id }) => knownBrowsers.deleteAll(tx, id),
  };
}

/** Describes the links that change an account, without their secrets. */
function describeEmailTokens(links: EmailTokensService): PersonalDataSource {
  return {
    name: 'links',
    entities: [EmailToken],
    export: async (accountId) =>
      (await links.list(accountId)).map(({ purpose, email, createdAt, expiresAt, usedAt }) => ({
        purpose,
        email,
        created_at: createdAt.toISOString(),
        expires_at: expiresAt.toISOString(),
        used_at: usedAt?.toISOString() ?? null,
      })),
    delete: (tx, { id }) => links.deleteAll(tx, id),
  };
}

/** Describes the e-mail of the last day, without its text, which contains secrets. */
function describeMail(emails: OutgoingEmailsStore): PersonalDataSource {
  return {
    name: 'emails',
    entities: [OutgoingEmail],
    export: async (accountId) =>
      (await emails.list(accountId)).map(({ kind, createdAt, sentAt }) => ({
        kind,
        created_at: createdAt.toISOString(),
        sent_at: sentAt?.toISOString() ?? null,
      })),
    delete: (tx, { id }) => emails.deleteAll(tx, id),
  };
}

/** Describes the passkeys of an account. The private keys are on the person's devices. */
function describePasskeys(passkeys: PasskeysStore): PersonalDataSource {
  return {
    name: 'passkeys',
    entities: [Passkey],
    export: async (accountId) =>
      (await passkeys.list(accountId)).map(({ id, name, transports, backedUp, createdAt, lastUsedAt }) => ({
        id,
        name,
        transports,
        backed_up: backedUp,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
      })),
    delete: (tx, { id }) => passkeys.deleteAll(tx, id),
  };
}

/** Describes the uploaded picture of an account. */
function describePicture(pictures: ProfilePicturesService): PersonalDataSource {
  return {
    name: 'picture',
    entities: [ProfilePicture],
    export: async (accountId) =>
      (await pictures.list(accountId)).map(({ contentType, content, createdAt }) => ({
        content_type: contentType,
        content_base64: content.toString('base64'),
        created_at: createdAt.toISOString(),
      })),
    delete: (tx, { id }) => pictures.deleteAll(tx, id),
  };
}
