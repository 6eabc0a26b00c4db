import { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import type { AuditQueryService } from '../../../platform/audit/audit-query.service.js';
import { Account } from '../account.entity.js';
import type { AccountsStore } from '../accounts.store.js';
import { formatBrowserName } from '../sessions/browser-name.js';
import { Session } from '../sessions/session.entity.js';
import type { SessionsService } from '../sessions/sessions.service.js';
import type { AccountData } from '../account-data.registry.js';
import type { DeletedAccountsLoader } from '../deletion/deleted-accounts-loader.service.js';
import { ReservedLogin } from '../deletion/reserved-login.entity.js';

/** Describes the account. `AccountDeletionService` replaces its row after other data is deleted. */
export function describeAccountData(accounts: AccountsStore, deletedAccounts: DeletedAccountsLoader): AccountData {
  return {
    name: 'account',
    entities: [Account, ReservedLogin],
    export: async (accountId) => toAccountExport(await accounts.get(accountId)),
    delete: () => Promise.resolve(),
    afterDelete: () => deletedAccounts.reload(),
  };
}

/** Describes the sessions of an account. A deletion ends them. */
export function describeSessionData(sessions: SessionsService): AccountData {
  return {
    name: 'sessions',
    entities: [Session],
    export: async (accountId) => (await sessions.list(accountId)).map(toSessionExport),
    delete: async (tx, { id }) => void (await sessions.endAll(tx, id)),
  };
}

/**
 * Describes the audit events of an account. `AccountDeletionService` pseudonymizes them at the end,
 * because the deletion of other data records events.
 */
export function describeAuditData(auditEvents: AuditQueryService): AccountData {
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
    role: account.role,
    regions: account.regions,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
    blocked_at: account.blockedAt?.toISOString() ?? null,
    blocked_reason: account.blockedReason,
  };
}

function toSessionExport({
  id,
  userAgent,
  ipAddress,
  amr,
  authTime,
  createdAt,
  lastSeenAt,
  expiresAt,
}: Session): object {
  return {
    id,
    browser: formatBrowserName(userAgent),
    user_agent: userAgent,
    network: ipAddress,
    authentication_methods: amr,
    authenticated_at: authTime.toISOString(),
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

function toAuditExport({
  occurredAt,
  type,
  appId,
  authorizationId,
  detail,
  ipAddress,
  byOperator,
}: AuditEvent): object {
  return {
    at: occurredAt.toISOString(),
    type,
    app: appId,
    authorization: authorizationId,
    detail,
    from: ipAddress,
    by_operator: byOperator,
  };
}
