import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { generateId } from '../../platform/database/ids.js';
import type { Account } from '../accounts/account.entity.js';
import type { App } from '../apps/app.entity.js';
import type { Resource } from '../scopes/resources.js';
import type { Scope } from '../scopes/scopes.js';
import { Authorization } from './authorization.entity.js';

/** The values of a new authorization. */
export interface NewAuthorization {
  account: Account;
  app: App;
  scopes: Scope[];
  /** The resources that the access tokens can be for; by default the API. */
  resources?: Resource[];
  /** When the person last authenticated. */
  authTime: Date;
  /** How the person authenticated (RFC 8176); absent if an operator issues tokens. */
  amr?: string[];
  /** The browser in which the person consented, such as `Firefox (Linux)`. */
  browser?: string | null;
  /** When the person consented; null if an operator issues tokens. */
  consentedAt?: Date | null;
  /** Of an OpenID Connect request. */
  nonce?: string | null;
  /** Thumbprint of the key to which the refresh tokens are bound. */
  dpopJkt?: string | null;
}

/** The ids that identify an authorization in the audit log. */
export type AuthorizationKey = Pick<Authorization, 'id' | 'accountId' | 'appId'>;

/**
 * Creates and revokes authorizations. A revocation invalidates every refresh token of the
 * authorization.
 */
@Injectable()
export class AuthorizationsService {
  constructor(private readonly audit: AuditService) {}

  async create(
    tx: EntityManager,
    {
      account,
      app,
      scopes,
      resources = ['api'],
      authTime,
      browser = null,
      consentedAt = null,
      dpopJkt = null,
    }: NewAuthorization,
  ): Promise<Pick<Authorization, 'id' | 'createdAt'>> {
    const created = { id: generateId('aut'), createdAt: new Date() };
    await tx.insert(Authorization, {
      ...created,
      accountId: account.id,
      appId: app.id,
      scopes,
      resources,
      authTime,
      browser,
      consentedAt,
      dpopJkt,
      revokedAt: null,
    });
    return created;
  }

  /** @param detail a sentence for the audit log: the actor and the reason */
  async revoke(tx: EntityManager, { id, accountId, appId }: AuthorizationKey, detail: string): Promise<void> {
    const { affected } = await tx.update(Authorization, { id, revokedAt: IsNull() }, { revokedAt: new Date() });
    if (!affected) return;
    await this.audit.record(tx, { type: 'authorization.revoked', accountId, appId, authorizationId: id, detail });
  }
}
