import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../account.entity.js';
import { AccountMailService } from '../account-mail.service.js';
import { AccountLinksService } from '../account-links.service.js';

/** Lifetime of a link that confirms an e-mail address: 24 hours. */
const CONFIRMATION_LIFETIME_MS = 24 * 3600_000;

/** Sends links that confirm e-mail addresses. */
@Injectable()
export class EmailConfirmationService {
  constructor(
    private readonly links: AccountLinksService,
    private readonly mail: AccountMailService,
  ) {}

  /**
   * Sends a link to an address: the address of the account, or the one that is to replace it. Does
   * nothing if this service sends no e-mail.
   */
  async sendLink(tx: EntityManager, account: Account, email = account.email): Promise<void> {
    if (!this.mail.isAvailable) return;
    const { token } = await this.links.create(tx, {
      purpose: 'verify-email',
      accountId: account.id,
      email,
      lifetimeMs: CONFIRMATION_LIFETIME_MS,
    });
    // The reader may be a stranger, who must not learn the person's name.
    const values = { name: account.username };
    await this.mail.enqueue(tx, account, 'confirmEmail', { email, values, path: `/verify-email?token=${token}` });
  }
}
