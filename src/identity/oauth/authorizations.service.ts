import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Authorization } from './authorization.entity.js';

/** Ending an authorization ends every refresh token of its chain. */
@Injectable()
export class AuthorizationsService {
  constructor(private readonly audit: AuditService) {}

  /** @param detail a sentence for the audit: who ended it, and why */
  async revoke(tx: EntityManager, { id, accountId, appId }: AuthorizationRef, detail: string): Promise<void> {
    const { affected } = await tx.update(Authorization, { id, revokedAt: IsNull() }, { revokedAt: new Date() });
    if (!affected) return;
    await this.audit.record(tx, { type: 'authorization.revoked', accountId, appId, authorizationId: id, detail });
  }
}

/** What is known of an authorization that ends. */
export type AuthorizationRef = Pick<Authorization, 'id' | 'accountId' | 'appId'>;
