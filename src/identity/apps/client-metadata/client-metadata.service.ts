import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Settings } from '../../../platform/config/settings.js';
import { lock } from '../../../platform/database/advisory-locks.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { EventLogger } from '../../../platform/logging/event-logger.js';
import type { RateLimitPolicy } from '../../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../../platform/rate-limiting/rate-limiter.service.js';
import type { App } from '../app.entity.js';
import { type AppSettings, resolveListing } from '../app-settings.js';
import { AppsStore } from '../apps.store.js';
import { listFormerNames } from '../apps.service.js';
import { buildAppRow } from '../new-app.js';
import { isAcceptedClientIdUrl } from './client-id-url.js';
import { ClientMetadataError, parseClientMetadata } from './client-metadata-document.js';
import { fetchDocument } from './fetch-document.js';

/** Documents that the requests of one network can make the service fetch. */
const FETCH_POLICY: RateLimitPolicy = { name: 'client-metadata', limit: 20, windowSeconds: 60 };

/** Finds apps, also those that a client ID metadata document describes. */
@Injectable()
export class ClientMetadataService {
  private readonly logger = new EventLogger(ClientMetadataService.name, { client_metadata_rejected: 'warn' });
  /** The fetches that run, by address. */
  private readonly fetches = new Map<string, Promise<App>>();

  constructor(
    private readonly apps: AppsStore,
    private readonly audit: AuditService,
    private readonly rateLimiter: RateLimiterService,
    private readonly transactions: TransactionService,
    private readonly settings: Settings,
  ) {}

  /**
   * Returns the app with a client identifier. It fetches the document of an unknown app, and again
   * when the stored copy expired.
   * @param network of the request, for the limit of fetches
   * @returns null for an unknown app
   * @throws DomainError `client_metadata_rejected`, `rate_limited`
   */
  async findOrFetch(clientId: string, network: string): Promise<App | null> {
    const app = await this.apps.find(clientId);
    if (!isAcceptedClientIdUrl(this.settings, clientId)) return app;
    if (app && (app.disabledAt || app.metadataExpiresAt! > new Date())) return app;
    const running = this.fetches.get(clientId);
    if (running) return running;
    const fetch = this.fetch(clientId, network).finally(() => this.fetches.delete(clientId));
    this.fetches.set(clientId, fetch);
    return fetch;
  }

  private async fetch(clientId: string, network: string): Promise<App> {
    const quota = { policy: FETCH_POLICY, key: network };
    const { isExceeded, headers: rateLimitHeaders } = await this.rateLimiter.consume(quota);
    if (isExceeded) throw createTooManyFetchesError(rateLimitHeaders);
    try {
      const { text, lifetimeSeconds } = await fetchDocument(clientId);
      const metadataExpiresAt = new Date(Date.now() + lifetimeSeconds * 1000);
      return await this.store(clientId, parseClientMetadata(text, clientId), metadataExpiresAt);
    } catch (error) {
      if (!(error instanceof ClientMetadataError)) throw error;
      const fields = { client_id: clientId, reason: error.message };
      this.logger.log('client_metadata_rejected', 'A client ID metadata document was rejected.', fields);
      throw new DomainError('invalid', 'client_metadata_rejected', error.message);
    }
  }

  private store(metadataUrl: string, settings: AppSettings, metadataExpiresAt: Date): Promise<App> {
    return this.transactions.run(async (tx) => {
      await lock(tx, 'clientMetadata', metadataUrl);
      const existing = await this.apps.findByMetadataUrl(metadataUrl, tx);
      await lock(tx, 'appNames', settings.nameSkeleton);
      if (await this.apps.hasNameSkeleton(tx, settings.nameSkeleton, existing?.id ?? ''))
        throw new ClientMetadataError('client_name looks like the name of another app.');
      // Documents of two hosts can have the same name, and none reserves a name.
      const values = { ...settings, nameSkeleton: '', metadataExpiresAt };
      if (!existing) {
        const row = { ownerId: null, clientType: 'public', isFirstParty: false, secretDigest: '' } as const;
        const app = { ...buildAppRow(values, row), metadataUrl, metadataExpiresAt };
        await this.apps.insert(tx, app);
        await this.audit.record(tx, { type: 'app.registered', appId: app.id });
        return app;
      }
      await this.apps.update(
        tx,
        { id: existing.id },
        {
          ...values,
          listing: resolveListing(existing, settings),
          formerNames: listFormerNames(existing, values.name),
        },
      );
      if (hasChanged(existing, settings)) await this.audit.record(tx, { type: 'app.changed', appId: existing.id });
      return this.apps.reload(tx, existing.id);
    });
  }
}

/** Whether the document gives an app another name, or other addresses for its codes. */
function hasChanged(app: App, { name, redirectUris }: AppSettings): boolean {
  return app.name !== name || JSON.stringify(app.redirectUris) !== JSON.stringify(redirectUris);
}

function createTooManyFetchesError(rateLimitHeaders: Record<string, string>): DomainError {
  const message = `Too many documents for this network. Try again in ${rateLimitHeaders['Retry-After']} seconds.`;
  return new DomainError('rate_limited', 'rate_limited', message, { rateLimitHeaders });
}
