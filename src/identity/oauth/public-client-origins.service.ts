import { Injectable } from '@nestjs/common';
import type { App } from '../apps/app.entity.js';
import { AppsStore } from '../apps/apps.store.js';

/** Age at which the origins are read again. So every process knows a new origin within 2 s. */
const MAX_AGE_MS = 1_000;

/**
 * The origins of all enabled public clients, for preflight requests and errors without a known
 * client. At most one query per second reads them, however many requests arrive.
 */
@Injectable()
export class PublicClientOriginsService {
  private origins = Promise.resolve<ReadonlySet<string>>(new Set());
  private readAt = 0;

  constructor(private readonly apps: AppsStore) {}

  /** Whether an enabled public client has registered the origin. */
  async has(origin: string): Promise<boolean> {
    // The clock can also have been set back.
    if (Math.abs(Date.now() - this.readAt) >= MAX_AGE_MS) {
      this.readAt = Date.now();
      this.origins = this.origins.then((known) => this.read(known));
    }
    return (await this.origins).has(origin);
  }

  /** Without the database the known origins stay: the request that follows reports the outage. */
  private async read(known: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const apps = await this.apps.listEnabledPublicClients().catch(() => undefined);
    return apps ? new Set(apps.flatMap(getClientOrigins)) : known;
  }
}

/**
 * Returns the origins from which a public client's scripts may call the token and revocation
 * endpoints: those of its https redirect URIs, and of `http://localhost`.
 */
export function getClientOrigins({ redirectUris }: Pick<App, 'redirectUris'>): string[] {
  const urls = redirectUris.map((uri) => new URL(uri));
  return urls
    .filter(({ protocol, hostname }) => protocol === 'https:' || isLocalhost(protocol, hostname))
    .map(({ origin }) => origin);
}

function isLocalhost(protocol: string, hostname: string): boolean {
  return protocol === 'http:' && hostname === 'localhost';
}
