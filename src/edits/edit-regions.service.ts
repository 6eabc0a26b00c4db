import { Injectable } from '@nestjs/common';
import { Between, IsNull } from 'typeorm';
import { Transactions } from '../database/transactions.js';
import { boxOf, type Region } from '../markers/region.entity.js';
import { areasOf } from '../markers/search/places.js';
import { Edit } from './edit.entity.js';

/** Gives a new region the open edits that lie in it and in none yet, so that who reviews there finds them. */
@Injectable()
export class EditRegions {
  constructor(private readonly transactions: Transactions) {}

  async fill(region: Region): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const { west, south, east, north } of areasOf(boxOf(region))) {
        const inside = { latE7: Between(south, north), lonE7: Between(west, east) };
        await tx.update(Edit, { status: 'open', regionId: IsNull(), ...inside }, { regionId: region.id });
      }
    });
  }
}
