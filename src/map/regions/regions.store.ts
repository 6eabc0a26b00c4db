import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { findPage, type Page } from '../../platform/database/keyset-pagination.js';
import type { PageQuery } from '../../platform/validation/page-query.dto.js';
import { Region } from './region.entity.js';

/** Data access for regions. */
@Injectable()
export class RegionsStore {
  constructor(@InjectRepository(Region) private readonly regions: Repository<Region>) {}

  /** Returns all regions, oldest first. */
  async list(tx: EntityManager = this.regions.manager): Promise<Region[]> {
    return tx.find(Region, { order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Returns a page of the regions, by name. */
  findPage(paging: PageQuery): Promise<Page<Region>> {
    return findPage(this.regions, { where: {}, sortBy: 'name', direction: 'ASC' }, paging);
  }

  /** Returns the regions with these ids, by id. Skips nulls and unknown ids. */
  async findByIds(ids: (string | null)[], tx: EntityManager = this.regions.manager): Promise<Map<string, Region>> {
    const known = [...new Set(ids)].filter((id) => id !== null);
    const regions = known.length > 0 ? await tx.findBy(Region, { id: In(known) }) : [];
    return new Map(regions.map((region) => [region.id, region]));
  }

  async findByName(tx: EntityManager, name: string): Promise<Region | null> {
    return tx.findOneBy(Region, { name });
  }

  async exists(tx: EntityManager, id: string): Promise<boolean> {
    return tx.existsBy(Region, { id });
  }

  async insert(tx: EntityManager, region: Region): Promise<void> {
    await tx.insert(Region, region);
  }
}
