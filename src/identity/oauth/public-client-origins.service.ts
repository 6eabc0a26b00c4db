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
    return (await this.origins).has(removeLoopbackPort(origin));
  }

  /** Without the database the known origins stay: the request that follows reports the outage. */
  private async read(known: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const apps = await this.apps.listEnabledPublicClients().catch(() => undefined);
    return apps ? new Set(apps.flatMap(getClientOrigins)) : known;
  }
}

/**
 * Whether a public client's scripts of an origin may call the token and revocation endpoints: the
 * origin is that of a redirect URI with https or http. The port of `127.0.0.1` and `[::1]` may
 * vary, as in the redirect URI (RFC 8252 §7.3).
 */
export function isClientOrigin(app: Pick<App, 'redirectUris'>, origin: string): boolean {
  return getClientOrigins(app).includes(removeLoopbackPort(origin));
}

function getClientOrigins({ redirectUris }: Pick<App, 'redirectUris'>): string[] {
  const urls = redirectUris.map((uri) => new URL(uri));
  return urls.filter(({ protocol }) => /^https?:$/.test(protocol)).map(({ origin }) => removeLoopbackPort(origin));
}

function removeLoopbackPort(origin: string): string {
  return origin.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}$/, '$1');
}
