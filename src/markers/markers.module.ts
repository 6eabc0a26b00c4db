import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArtistsModule } from '../artists/artists.module.js';
import { ArtistArtworksController } from './artist-artworks.controller.js';
import { Marker } from './marker.entity.js';
import { MarkersImport } from './markers-import.js';
import { MarkersController } from './markers.controller.js';
import { MarkersService } from './markers.service.js';
import { Region } from './region.entity.js';
import { RegionsService } from './regions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Marker, Region]), ArtistsModule],
  controllers: [MarkersController, ArtistArtworksController],
  providers: [MarkersService, MarkersImport, RegionsService],
  exports: [MarkersService, MarkersImport, RegionsService],
})
export class MarkersModule {}
