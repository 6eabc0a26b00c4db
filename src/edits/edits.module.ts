import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ArtistsModule } from '../artists/artists.module.js';
import { HistoryModule } from '../history/history.module.js';
import { MarkersModule } from '../markers/markers.module.js';
import { EditEvaluationService } from './edit-evaluation.service.js';
import { EditRegions } from './edit-regions.service.js';
import { EditReviewsService } from './edit-reviews.service.js';
import { EditSuggestionsService } from './edit-suggestions.service.js';
import { EditTargets } from './edit-targets.js';
import { EditVerdicts } from './edit-verdicts.service.js';
import { EditViewsService } from './edit-views.service.js';
import { Edit } from './edit.entity.js';
import { EditsController } from './edits.controller.js';
import { EditsService } from './edits.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Edit]), AccountsModule, ArtistsModule, HistoryModule, MarkersModule],
  controllers: [EditsController],
  providers: [
    EditsService,
    EditViewsService,
    EditEvaluationService,
    EditSuggestionsService,
    EditReviewsService,
    EditRegions,
    EditTargets,
    EditVerdicts,
  ],
  exports: [EditRegions, EditTargets],
})
export class EditsModule {}
