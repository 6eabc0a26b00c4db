import { Injectable } from '@nestjs/common';
import type { Caller } from './caller.decorator.js';

// The registries are in the memory of this process, so that the scope guard needs no query.

/** The disabled apps. The apps module replaces the ids. */
@Injectable()
export class DisabledAppsRegistry {
  private ids: ReadonlySet<string> = new Set();

  /** Whether the access tokens of an app are rejected. */
  has(id: string): boolean {
    return this.ids.has(id);
  }

  replaceAll(ids: Iterable<string>): void {
    this.ids = new Set(ids);
  }
}

/**
 * The accounts whose access tokens ended during the lifetime of an access token. The accounts
 * module replaces the entries.
 */
@Injectable()
export class EndedAccessRegistry {
  private accounts: ReadonlyMap<string, EndedAccess> = new Map();

  /** Whether an access token is rejected. */
  has(caller: Pick<Caller, 'accountId' | 'issuedAtMs'>): boolean {
    const account = this.accounts.get(caller.accountId);
    return account !== undefined && hasEndedAccess(account, caller);
  }

  replaceAll(accounts: Iterable<EndedAccess & { id: string }>): void {
    this.accounts = new Map([...accounts].map((account) => [account.id, account]));
  }
}

/** The columns of an account that end its access tokens. */
export interface EndedAccess {
  deletedAt: Date | null;
  accessRemovedAt: Date | null;
}

/**
 * Whether an account was deleted, or its access ended after a token was issued. The time
 * of issue is known to the second, so a token of the same second is rejected too.
 */
export function hasEndedAccess(
  { deletedAt, accessRemovedAt }: EndedAccess,
  { issuedAtMs }: Pick<Caller, 'issuedAtMs'>,
): boolean {
  return deletedAt !== null || (accessRemovedAt !== null && issuedAtMs <= accessRemovedAt.getTime());
}
