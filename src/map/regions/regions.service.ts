import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isDeepStrictEqual } from 'node:util';
import { ALL_REGIONS } from '../../identity/accounts/account.entity.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import type { PageQuery } from '../../platform/validation/page-query.dto.js';
import { lock } from '../../platform/database/advisory-locks.js';
import { generateId } from '../../platform/database/ids.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { createUsageError, DomainError } from '../../platform/errors/domain-error.js';
import { isName } from '../../platform/validation/text.decorator.js';
import { type BoundingBox, isBoundingBox } from './geo.js';
import type { Location } from './location.dto.js';
import { type RegionResponse, toRegionResponse } from './region.dto.js';
import { toBoundingBox, type Region } from './region.entity.js';
import { RegionsStore } from './regions.store.js';

/**
 * Returns the id of the region that contains a location: the oldest if there are several, null if
 * there is none.
 */
export type RegionLocator = (location: Location) => string | null;

/** Creates regions and locates points in them. */
@Injectable()
export class RegionsService {
  constructor(
    private readonly regions: RegionsStore,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns a page of the regions, by name. */
  async list(paging: PageQuery): Promise<Page<RegionResponse>> {
    const { data, page } = await this.regions.findPage(paging);
    return { data: data.map(toRegionResponse), page };
  }

  /**
   * Creates a region, or returns the existing region with the same name and box.
   * @throws DomainError name_taken; invalid if the name or the box is invalid
   */
  async findOrCreate(name: string, box: BoundingBox): Promise<Region> {
    return this.transactions.run((tx) => this.findOrInsert(tx, name, box));
  }

  /** Does the same as `findOrCreate` in an open transaction. */
  async findOrInsert(tx: EntityManager, name: string, box: BoundingBox): Promise<Region> {
    assertValidRegion(name, box);
    const [west, south, east, north] = box;
    await lock(tx, 'regions');
    const existing = await this.regions.findByName(tx, name.trim());
    if (existing && isDeepStrictEqual(toBoundingBox(existing), box)) return existing;
    if (existing) {
      const message = `--name must be unique: the region ${existing.name} already exists with another bounding box.`;
      throw new DomainError('conflict', 'name_taken', message);
    }
    const slug = createRegionId(name);
    const id = (await this.regions.exists(tx, slug)) ? generateId('reg') : slug;
    const region: Region = { id, name: name.trim(), west, south, east, north, markerCount: 0, createdAt: new Date() };
    await this.regions.insert(tx, region);
    return region;
  }

  /**
   * Returns the ids of regions given by name or id. Keeps `*`.
   * @throws DomainError region_not_found
   */
  async resolveIds(names: string[]): Promise<string[]> {
    const regions = await this.regions.list();
    return names.map((name) => {
      if (name === ALL_REGIONS) return ALL_REGIONS;
      const region = regions.find(({ id, name: other }) => id === name || other === name);
      if (region) return region.id;
      const message = `There is no region ${name}. The command regions list shows all regions.`;
      throw new DomainError('not_found', 'region_not_found', message);
    });
  }

  /** Returns the names of regions by id, in their order. Skips unknown ids and `*`. */
  async findNames(ids: string[]): Promise<string[]> {
    const regions = await this.regions.list();
    return ids.flatMap((id) => regions.find((region) => region.id === id)?.name ?? []);
  }

  /** Loads all regions once, to locate many points. */
  async createLocator(tx: EntityManager): Promise<RegionLocator> {
    const regions = await this.regions.list(tx);
    return (location) => regions.find((region) => containsLocation(region, location))?.id ?? null;
  }

  /** Returns the id of the region that contains a location, or null. */
  async findRegionId(tx: EntityManager, location: Location): Promise<string | null> {
    return (await this.createLocator(tx))(location);
  }
}

/** @throws DomainError invalid */
export function assertValidRegion(name: string, box: BoundingBox): void {
  if (!isBoundingBox(box) || box[1] === box[3])
    throw createUsageError('--bbox must be four numbers west,south,east,north in degrees, with south below north.');
  if (!isName(name)) throw createUsageError('--name must have 1 to 100 visible characters.');
}

function containsLocation({ west, south, east, north }: Region, { lat, lon }: Location): boolean {
  return south <= lat && lat <= north && (west <= east ? west <= lon && lon <= east : west <= lon || lon <= east);
}

/**
 * Creates a readable id such as `reg_null-harbour`. A name without Latin letters or digits gets a
 * generated id.
 */
function createRegionId(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const trimmed = slug.replace(/^-+|-+$/g, '').slice(0, 36);
  return trimmed ? `reg_${trimmed}` : generateId('reg');
}
