import { Injectable } from '@nestjs/common';

/**
 * The accounts that were deleted during the lifetime of an access token, in the memory of this
 * process, so that the scope guard needs no query. The accounts module replaces the set.
 */
@Injectable()
export class DeletedAccounts {
  private ids: ReadonlySet<string> = new Set();

  /** Whether the access tokens of an account are rejected. */
  has(accountId: string): boolean {
    return this.ids.has(accountId);
  }

  /** Replaces the set. */
  replaceAll(accountIds: Iterable<string>): void {
    this.ids = new Set(accountIds);
  }
}
