import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** The part of an app that the pages of an account show. */
export interface AccountApp {
  id: string;
  name: string;
  disabledAt: Date | null;
}

/** Finds and disables registered apps. `AppsModule` registers the implementation. */
export interface AppRegistrations {
  find(id: string): Promise<AccountApp | null>;
  listByOwner(accountId: string): Promise<AccountApp[]>;
  /** Disables the apps that an account registered. */
  disableByOwner(tx: EntityManager, accountId: string): Promise<void>;
}

/** Reads and removes the access of apps to accounts. `OAuthModule` registers the implementation. */
export interface AppAccess {
  /** Returns the number of people who allow each app to act for them. */
  countPeople(appIds: string[]): Promise<Map<string, number>>;
  /** Returns the names of the apps that can act for a person. */
  listNames(accountId: string): Promise<string[]>;
  /** Whether any person ever allowed the app to act for them. */
  wasEverAllowed(appId: string): Promise<boolean>;
  /** Removes the access of all apps to an account. @param detail a sentence for the audit log */
  removeAll(tx: EntityManager, accountId: string, detail: string): Promise<void>;
}

/**
 * Lets the pages of an account show apps and remove their access. `AccountsModule` cannot import
 * the modules of apps, because they import `AccountsModule`.
 */
@Injectable()
export class AccountAppsRegistry {
  private registrations: AppRegistrations | undefined;
  private access: AppAccess | undefined;

  registerApps(registrations: AppRegistrations): void {
    this.registrations = registrations;
  }

  registerAccess(access: AppAccess): void {
    this.access = access;
  }

  /** Returns an app, or null. */
  async find(id: string): Promise<AccountApp | null> {
    return this.registrations?.find(id) ?? null;
  }

  /** Returns the apps that a person registered, each with the number of people who use it. */
  async listOwned(accountId: string): Promise<{ name: string; peopleCount: number }[]> {
    const apps = (await this.registrations?.listByOwner(accountId)) ?? [];
    const counts = await this.access!.countPeople(apps.map(({ id }) => id));
    return apps.map(({ id, name }) => ({ name, peopleCount: counts.get(id) ?? 0 }));
  }

  /** Returns the number of people who allow an app to act for them. */
  async countPeople(appId: string): Promise<number> {
    return (await this.access!.countPeople([appId])).get(appId) ?? 0;
  }

  /** Returns the names of the apps that can act for a person. */
  async listConnectedNames(accountId: string): Promise<string[]> {
    return this.access!.listNames(accountId);
  }

  /** Disables the apps that a person registered. The caller holds the lock `appsOfOwner`. */
  async disableOwned(tx: EntityManager, accountId: string): Promise<void> {
    await this.registrations!.disableByOwner(tx, accountId);
  }

  /** Whether any person ever allowed the app to act for them. */
  async wasEverAllowed(appId: string): Promise<boolean> {
    return this.access!.wasEverAllowed(appId);
  }

  /** Removes the access of all apps to an account, whose row is locked. */
  async removeAllAccess(tx: EntityManager, accountId: string, detail: string): Promise<void> {
    await this.access!.removeAll(tx, accountId, detail);
  }
}
