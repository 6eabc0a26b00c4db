import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HistoryModule } from '../history/history.module.js';
import { Artist } from './artist.entity.js';
import { ArtistsStore } from './artists.store.js';
import { ArtistsController } from './artists.controller.js';
import { ArtistsService } from './artists.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Artist]), HistoryModule],
  controllers: [ArtistsController],
  providers: [ArtistsService, ArtistsStore],
  exports: [ArtistsService, ArtistsStore],
})
export class ArtistsModule {}
