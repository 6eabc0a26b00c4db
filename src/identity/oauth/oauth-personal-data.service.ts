import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import type { PersonalDataSource } from '../accounts/personal-data.registry.js';
import { Authorization } from './authorization.entity.js';
import { AuthorizationCode } from './authorize/authorization-code.entity.js';
import { AppUseWriterService } from './connected-apps/app-use-writer.service.js';
import { AppUse } from './connected-apps/app-use.entity.js';
import { Consent } from './consents/consent.entity.js';
import { RefreshToken } from './refresh-token.entity.js';

/**
 * The apps that can act for a person. A deletion of the account revokes their authorizations and
 * withdraws the consents. The rows of codes and tokens stay until they expire, so that a concurrent
 * refresh or code exchange gets `invalid_grant`.
 */
@Injectable()
export class OAuthPersonalDataService implements PersonalDataSource {
  readonly name = 'connected_apps';
  readonly entities = [Authorization, AuthorizationCode, Consent, RefreshToken, AppUse];

  constructor(
    @InjectRepository(Authorization) private readonly authorizations: Repository<Authorization>,
    @InjectRepository(Consent) private readonly consents: Repository<Consent>,
    private readonly appUses: AppUseWriterService,
  ) {}

  async export(accountId: string): Promise<object> {
    const lastUses = await this.appUses.findByAccount(accountId);
    const list = { where: { accountId }, relations: { app: true }, order: { createdAt: 'ASC', id: 'ASC' } } as const;
    return {
      consents: (await this.consents.find(list)).map((consent) => toConsentExport(consent, lastUses)),
      sign_ins: (await this.authorizations.find(list)).map(toAuthorizationExport),
    };
  }

  /** The audit log has one event for the deletion, and not one for each row. */
  async delete(tx: EntityManager, { id: accountId }: Account): Promise<void> {
    const now = new Date();
    await tx.update(Authorization, { accountId, revokedAt: IsNull() }, { revokedAt: now });
    await tx.update(Consent, { accountId, withdrawnAt: IsNull() }, { withdrawnAt: now });
    await this.appUses.deleteAll(tx, accountId);
  }
}

function toConsentExport(
  { app, scopes, allowedAt, leftOutScopes, seenNames, seenHosts, createdAt, updatedAt, withdrawnAt }: Consent,
  lastUses: Map<string, Date>,
): object {
  return {
    app: { id: app.id, name: app.name },
    scopes,
    allowed_at: allowedAt,
    left_out_scopes: leftOutScopes,
    seen_names: seenNames,
    seen_hosts: seenHosts,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    withdrawn_at: (withdrawnAt ?? app.deletedAt)?.toISOString() ?? null,
    last_used_on: lastUses.get(app.id)?.toISOString().slice(0, 10) ?? null,
  };
}

function toAuthorizationExport({
  id,
  app,
  scopes,
  authTime,
  browser,
  createdAt,
  consentedAt,
  revokedAt,
}: Authorization): object {
  return {
    id,
    app: { id: app.id, name: app.name },
    scopes,
    authenticated_at: authTime.toISOString(),
    browser,
    created_at: createdAt.toISOString(),
    consented_at: consentedAt?.toISOString() ?? null,
    revoked_at: (revokedAt ?? app.deletedAt)?.toISOString() ?? null,
  };
}
