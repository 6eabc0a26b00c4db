import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { EVERYWHERE } from '../accounts/account.entity.js';
import { newId } from '../database/ids.js';
import { Transactions } from '../database/transactions.js';
import { isName } from '../http/text.js';
import type { Location } from './marker.dto.js';
import { Region } from './region.entity.js';

/** West, south, east, north, in degrees. */
export type Box = [west: number, south: number, east: number, north: number];

/** A region that cannot be made or found as asked: a sentence that says why. */
export class RegionError extends Error {
  override readonly name = 'RegionError';
}

@Injectable()
export class RegionsService {
  constructor(
    @InjectRepository(Region) private readonly regions: Repository<Region>,
    private readonly transactions: Transactions,
  ) {}

  /** @throws RegionError where the name is taken or the box is none */
  async create(name: string, box: Box): Promise<Region> {
    return this.transactions.runAlone((tx) => this.insert(tx, name, box));
  }

  async insert(tx: EntityManager, name: string, box: Box): Promise<Region> {
    const [west, south, east, north] = box;
    const within = (value: number, most: number): boolean => Number.isFinite(value) && Math.abs(value) <= most;
    if (
      box.length !== 4 ||
      !within(west, 180) ||
      !within(east, 180) ||
      !within(south, 90) ||
      !within(north, 90) ||
      south >= north
    ) {
      throw new RegionError('A box takes four numbers W,S,E,N in degrees, the south below the north.');
    }
    if (!isName(name)) throw new RegionError('A region name takes 1 to 100 characters that can be shown.');
    const id = regionId(name);
    if (await tx.existsBy(Region, [{ id }, { name: name.trim() }])) {
      throw new RegionError(`There is a region ${name} already.`);
    }
    const region: Region = { id, name: name.trim(), west, south, east, north, createdAt: new Date() };
    await tx.insert(Region, region);
    return region;
  }

  async list(): Promise<Region[]> {
    return this.regions.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** The ids of regions that are named by name or id; `*` stays. @throws RegionError where there is none */
  async idsOf(names: string[]): Promise<string[]> {
    const regions = await this.list();
    return names.map((name) => {
      if (name === EVERYWHERE) return EVERYWHERE;
      const region = regions.find((one) => one.id === name || one.name === name);
      if (!region) throw new RegionError(`There is no region ${name}.`);
      return region.id;
    });
  }

  /** The region that a place lies in: of several the first, of none null. */
  async at(tx: EntityManager, { lat, lon }: Location): Promise<string | null> {
    const regions = await tx.find(Region, { order: { createdAt: 'ASC', id: 'ASC' } });
    const holds = ({ west, south, east, north }: Region): boolean =>
      south <= lat && lat <= north && (west <= east ? west <= lon && lon <= east : west <= lon || lon <= east);
    return regions.find(holds)?.id ?? null;
  }
}

/** An id that can be read, such as `reg_null-harbour`; a name without a Latin letter gets one that cannot. */
function regionId(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const trimmed = slug.replace(/^-+|-+$/g, '').slice(0, 36);
  return trimmed ? `reg_${trimmed}` : newId('reg');
}
