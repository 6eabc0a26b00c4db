import { Injectable } from '@nestjs/common';

/**
 * The disabled apps, in the memory of this process, so that the scope guard needs no query. The
 * clients module replaces the set.
 */
@Injectable()
export class DisabledApps {
  private ids: ReadonlySet<string> = new Set();

  /** Whether the access tokens of an app are rejected. */
  has(appId: string): boolean {
    return this.ids.has(appId);
  }

  /** Replaces the set. */
  replaceAll(appIds: Iterable<string>): void {
    this.ids = new Set(appIds);
  }
}
