import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Account } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { type AppWithSecret, AppsService } from '../apps/apps.service.js';
import { ArtistsService } from '../artists/artists.service.js';
import { CollectionItem } from '../collections/collection-item.entity.js';
import { Collection } from '../collections/collection.entity.js';
import { Settings } from '../config/settings.js';
import { newId } from '../database/ids.js';
import { Transactions } from '../database/transactions.js';
import { Edit, type FieldValue } from '../edits/edit.entity.js';
import { newEdit } from '../edits/new-edit.js';
import type { Marker } from '../markers/marker.entity.js';
import { MarkersService } from '../markers/markers.service.js';
import { RegionsService } from '../markers/regions.service.js';
import { AuthorizationsService } from '../oauth/authorizations.service.js';
import type { Scope } from '../scopes/catalogue.js';
import { APPS, ARTISTS, MARKERS, PEOPLE, REGIONS } from './demo-data.js';

/** What can only be told once: passwords and secrets are made as the demo is loaded, and kept as hashes and digests. */
export interface Demo {
  people: { username: string; name: string; role: string; password: string }[];
  apps: { name: string; client_id: string; client_secret: string; scope: string }[];
  /** Of the first app, for the first person. */
  refresh_token: string;
}

/** An invented community for trying things out. */
@Injectable()
export class DemoService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly apps: AppsService,
    private readonly artists: ArtistsService,
    private readonly regions: RegionsService,
    private readonly markers: MarkersService,
    private readonly authorizations: AuthorizationsService,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
  ) {}

  /**
   * All of it or nothing, once.
   * @returns what only this once can be told, or undefined where the database is not empty
   * @throws Error in production
   */
  async load(): Promise<Demo | undefined> {
    if (this.settings.production) throw new Error('The demo data is not for production.');
    if (!(await this.accounts.isEmpty())) return undefined;
    const people = await this.preparePeople();
    const ownerId = accountOf(people, 'ines').id;
    const apps = APPS.map((app) => this.apps.prepare({ ...app, ownerId }));
    const refreshToken = await this.transactions.runAlone(async (tx) => {
      if (!(await this.accounts.isEmpty(tx))) return undefined;
      await this.loadPeople(tx, people);
      for (const { app } of apps) await this.apps.insert(tx, app);
      const markers = await this.loadMap(tx);
      await this.loadCollections(tx, people, markers);
      await this.loadEdits(tx, people, apps, markers);
      const [{ account }, { app }] = [people[0]!, apps[0]!];
      return (await this.authorizations.begin(tx, { account, app, scopes: app.scopes, authTime: new Date() }))
        .refreshToken;
    });
    return refreshToken === undefined ? undefined : told(people, apps, refreshToken);
  }

  private async preparePeople(): Promise<Person[]> {
    return Promise.all(
      PEOPLE.map(async ({ username, name, role, blocked }) => {
        const password = randomBytes(9).toString('base64url');
        const email = `${username}@example.org`;
        const account = await this.accounts.prepare({ username, email, name, role, password, emailVerified: true });
        if (blocked) Object.assign(account, { blockedAt: new Date(), blockedReason: blocked });
        return { account, password };
      }),
    );
  }

  private async loadPeople(tx: EntityManager, people: Person[]): Promise<void> {
    const ids = new Map<string, string>();
    for (const [name, box] of REGIONS) ids.set(name, (await this.regions.insert(tx, name, box)).id);
    for (const [at, { account }] of people.entries()) {
      const regions = PEOPLE[at]!.regions?.map((name) => ids.get(name)!) ?? account.regions;
      await this.accounts.insert(tx, { ...account, regions });
    }
  }

  private async loadMap(tx: EntityManager): Promise<Marker[]> {
    const artistIds: string[] = [];
    for (const fields of ARTISTS) artistIds.push((await this.artists.create(tx, fields)).id);
    const markers: Marker[] = [];
    for (const { by = [], ...fields } of MARKERS) {
      markers.push(await this.markers.create(tx, { ...fields, artistIds: by.map((at) => artistIds[at]!) }));
    }
    return markers;
  }

  private async loadCollections(tx: EntityManager, people: Person[], markers: Marker[]): Promise<void> {
    const artworks = markers.filter(({ kind }) => kind === 'artwork');
    const lists = [
      { owner: 'mila', name: 'Everything by the water', visibility: 'public', holds: artworks.slice(4, 9) },
      { owner: 'mila', name: 'To see before winter', visibility: 'private', holds: artworks.slice(9, 11) },
      { owner: 'gus', name: 'My favourites', visibility: 'public', holds: artworks.slice(0, 3) },
    ] as const;
    for (const { owner, holds, ...list } of lists) {
      const now = new Date();
      const id = newId('col');
      const ownerId = accountOf(people, owner).id;
      const rest = { description: null, itemCount: holds.length, version: 1, createdAt: now, updatedAt: now };
      await tx.insert(Collection, { id, ownerId, ...list, ...rest });
      const items = holds.map((marker, at) => ({
        collectionId: id,
        markerId: marker.id,
        position: at + 1,
        note: null,
        addedAt: now,
      }));
      await tx.insert(CollectionItem, items);
    }
  }

  private async loadEdits(
    tx: EntityManager,
    people: Person[],
    apps: AppWithSecret[],
    markers: Marker[],
  ): Promise<void> {
    const suggestions: [
      author: string,
      marker: number,
      field: 'status' | 'year' | 'title' | 'tags',
      to: FieldValue,
      comment: string,
    ][] = [
      ['mila', 0, 'status', 'gone', 'Painted over in May.'],
      ['mila', 4, 'year', 2017, 'It says 2017 on the plaque.'],
      ['tomas', 1, 'title', 'Große Straße', 'The short name is the one people use.'],
      ['gus', 7, 'tags', ['visit my shop'], 'Great prices!'],
    ];
    for (const [author, at, field, to, comment] of suggestions) {
      const marker = markers[at]!;
      const caller = { accountId: accountOf(people, author).id, appId: apps[0]!.app.id, scopes: new Set<Scope>() };
      const changes = [{ field, from: marker[field], to }];
      const suggestion = { type: 'update', targetType: 'artwork', baseVersion: marker.version, comment } as const;
      const found = { targetId: marker.id, regionId: marker.regionId, changes };
      await tx.insert(Edit, newEdit(caller, suggestion, found));
    }
  }
}

interface Person {
  account: Account;
  password: string;
}

function accountOf(people: Person[], username: string): Account {
  return people.find(({ account }) => account.username === username)!.account;
}

function told(people: Person[], apps: AppWithSecret[], refreshToken: string): Demo {
  return {
    people: people.map(({ account: { username, name, role }, password }) => ({ username, name, role, password })),
    apps: apps.map(({ app, clientSecret }) => ({
      name: app.name,
      client_id: app.id,
      client_secret: clientSecret,
      scope: app.scopes.join(' '),
    })),
    refresh_token: refreshToken,
  };
}
