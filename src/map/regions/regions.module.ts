import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Region } from './region.entity.js';
import { RegionsService } from './regions.service.js';
import { RegionsStore } from './regions.store.js';

/** Regions of the map, in which roles are assigned. */
@Module({
  imports: [TypeOrmModule.forFeature([Region])],
  providers: [RegionsService, RegionsStore],
  exports: [RegionsService, RegionsStore],
})
export class RegionsModule {}
