import { Injectable } from '@nestjs/common';
import { Between, IsNull } from 'typeorm';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { toBoundingBox, type Region } from '../regions/region.entity.js';
import { toAreas } from '../regions/geo.js';
import { Edit } from './edit.entity.js';

/** Gives a new region the open edits that lie in it and in none yet, so that who reviews there finds them. */
@Injectable()
export class EditRegionsService {
  constructor(private readonly transactions: TransactionService) {}

  async assignRegion(region: Region): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const { west, south, east, north } of toAreas(toBoundingBox(region))) {
        const inside = { latE7: Between(south, north), lonE7: Between(west, east) };
        await tx.update(Edit, { status: 'open', regionId: IsNull(), ...inside }, { regionId: region.id });
      }
    });
  }
}
