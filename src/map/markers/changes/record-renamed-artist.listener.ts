import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { query } from '../../../platform/database/query.js';
import { ArtistRenamesService } from '../../artists/artist-renames.service.js';
import { ChangeLog } from '../../changes/change-log.js';

/** Records a change of each artwork that shows the name of a renamed artist. */
@Injectable()
export class RecordRenamedArtistListener implements OnModuleInit {
  constructor(
    private readonly renames: ArtistRenamesService,
    private readonly changeLog: ChangeLog,
  ) {}

  onModuleInit(): void {
    this.renames.register((tx, artistId) => this.recordArtworks(tx, artistId));
  }

  private async recordArtworks(tx: EntityManager, artistId: string): Promise<void> {
    const sql = `SELECT m.id FROM marker_artists a JOIN markers m ON m.id = a.marker_id
      WHERE a.artist_id = :artistId AND m.deleted_at IS NULL ORDER BY m.id`;
    const rows = await query<{ id: string }>(tx, sql, { artistId });
    this.changeLog.record(
      tx,
      'marker',
      rows.map(({ id }) => id),
    );
  }
}
