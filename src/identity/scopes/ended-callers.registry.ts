import { Injectable } from '@nestjs/common';

/**
 * Ids whose access tokens are rejected, in the memory of this process, so that the scope guard
 * needs no query.
 */
class IdRegistry {
  private ids: ReadonlySet<string> = new Set();

  /** Whether the access tokens of an id are rejected. */
  has(id: string): boolean {
    return this.ids.has(id);
  }

  replaceAll(ids: Iterable<string>): void {
    this.ids = new Set(ids);
  }
}

/**
 * The accounts that were deleted during the lifetime of an access token. The accounts module
 * replaces the ids.
 */
@Injectable()
export class DeletedAccountsRegistry extends IdRegistry {}

/** The disabled apps. The apps module replaces the ids. */
@Injectable()
export class DisabledAppsRegistry extends IdRegistry {}
