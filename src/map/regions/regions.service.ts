import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { isDeepStrictEqual } from 'node:util';
import { ALL_REGIONS } from '../../identity/accounts/account.entity.js';
import { generateId } from '../../platform/database/ids.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { isName } from '../../platform/validation/text.decorator.js';
import type { Location } from '../markers/marker.dto.js';
import { toBoundingBox, Region } from './region.entity.js';
import { type BoundingBox, isBoundingBox } from './geo.js';

/** A region that cannot be made or found as asked: a sentence that says why. */
export class RegionError extends Error {
  override readonly name = 'RegionError';
}

@Injectable()
export class RegionsService {
  constructor(
    @InjectRepository(Region) private readonly regions: Repository<Region>,
    private readonly transactions: TransactionService,
  ) {}

  /** Makes a region, or finds it where it was made just so before. @throws RegionError where the name is taken or the box is none */
  async findOrCreate(name: string, box: BoundingBox): Promise<Region> {
    return this.transactions.runExclusive((tx) => this.findOrInsert(tx, name, box));
  }

  async findOrInsert(tx: EntityManager, name: string, box: BoundingBox): Promise<Region> {
    const [west, south, east, north] = box;
    if (!isBoundingBox(box) || south === north) {
      throw new RegionError('A box takes four numbers W,S,E,N in degrees, the south below the north.');
    }
    if (!isName(name)) throw new RegionError('A region name takes 1 to 100 characters that can be shown.');
    const known = await tx.findOneBy(Region, { name: name.trim() });
    if (known && isDeepStrictEqual(toBoundingBox(known), box)) return known;
    if (known) throw new RegionError(`There is a region ${known.name} already, with another box.`);
    const slug = createRegionId(name);
    const id = (await tx.existsBy(Region, { id: slug })) ? generateId('reg') : slug;
    const region: Region = { id, name: name.trim(), west, south, east, north, createdAt: new Date() };
    await tx.insert(Region, region);
    return region;
  }

  async list(): Promise<Region[]> {
    return this.regions.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Regions by id. */
  async findByIds(ids: (string | null)[]): Promise<Map<string, Region>> {
    const known = [...new Set(ids)].filter((id) => id !== null);
    const regions = known.length > 0 ? await this.regions.findBy({ id: In(known) }) : [];
    return new Map(regions.map((region) => [region.id, region]));
  }

  /** The ids of regions that are named by name or id; `*` stays. @throws RegionError where there is none */
  async resolveIds(names: string[]): Promise<string[]> {
    const regions = await this.list();
    return names.map((name) => {
      if (name === ALL_REGIONS) return ALL_REGIONS;
      const region = regions.find((one) => one.id === name || one.name === name);
      if (!region) throw new RegionError(`There is no region ${name}.`);
      return region.id;
    });
  }

  /** What tells in which region a place lies: of several the first, of none null. */
  async createLocator(tx: EntityManager): Promise<(place: Location) => string | null> {
    const regions = await tx.find(Region, { order: { createdAt: 'ASC', id: 'ASC' } });
    return (place) => regions.find((region) => containsLocation(region, place))?.id ?? null;
  }

  /** The region that a place lies in. */
  async findRegionId(tx: EntityManager, place: Location): Promise<string | null> {
    return (await this.createLocator(tx))(place);
  }
}

function containsLocation({ west, south, east, north }: Region, { lat, lon }: Location): boolean {
  return south <= lat && lat <= north && (west <= east ? west <= lon && lon <= east : west <= lon || lon <= east);
}

/** An id that can be read, such as `reg_null-harbour`; a name without a Latin letter gets one that cannot. */
function createRegionId(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const trimmed = slug.replace(/^-+|-+$/g, '').slice(0, 36);
  return trimmed ? `reg_${trimmed}` : generateId('reg');
}
