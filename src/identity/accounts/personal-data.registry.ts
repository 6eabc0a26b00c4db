import { Injectable } from '@nestjs/common';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { Account } from './account.entity.js';

/** Data about people in the tables of one module. The module that owns the tables registers it. */
export interface PersonalDataSource {
  /** Name of the member in the export, in snake case. */
  name: string;
  /** The tables that contain the data. */
  entities: readonly EntityTarget<ObjectLiteral>[];
  /** Returns the data of an account for its export, without secrets or data about others. */
  export(accountId: string): Promise<unknown>;
  /**
   * Deletes the data, or removes what identifies the person, in the transaction that deletes the
   * account. The row of the account is locked and not changed yet.
   */
  delete(tx: EntityManager, account: Account): Promise<void>;
  /** Runs after the deletion is committed, for example to update a cache. */
  afterDelete?(): Promise<void>;
}

/** Exports and deletes the data about a person by the entries that modules register. */
@Injectable()
export class PersonalDataRegistry {
  private readonly entries: PersonalDataSource[] = [];

  /** Adds an entry. */
  register(data: PersonalDataSource): void {
    this.entries.push(data);
  }

  /** Returns the tables of all entries. */
  listEntities(): EntityTarget<ObjectLiteral>[] {
    return this.entries.flatMap(({ entities }) => entities);
  }

  /** Returns the data of an account by the names of the entries, in the order of registration. */
  async export(accountId: string): Promise<Record<string, unknown>> {
    const exported: Record<string, unknown> = {};
    for (const entry of this.entries) exported[entry.name] = await entry.export(accountId);
    return exported;
  }

  /**
   * Deletes the data of an account. Entries run in the reverse order of registration, so that a
   * module deletes its data before the modules that it imports.
   */
  async delete(tx: EntityManager, account: Account): Promise<void> {
    for (const entry of this.entries.toReversed()) await entry.delete(tx, account);
  }

  /** Runs the entries' work after a committed deletion. */
  async afterDelete(): Promise<void> {
    for (const entry of this.entries) await entry.afterDelete?.();
  }
}
