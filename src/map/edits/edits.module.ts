import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonalDataRegistry } from '../../identity/accounts/personal-data.registry.js';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { AppRecordModule } from '../../identity/app-record/app-record.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { ArtistsModule } from '../artists/artists.module.js';
import { HistoryModule } from '../history/history.module.js';
import { MarkersModule } from '../markers/markers.module.js';
import { RegionsModule } from '../regions/regions.module.js';
import { PermissionEvaluationService } from './view/permission-evaluation.service.js';
import { RegionCreationService } from './region-creation.service.js';
import { EditReviewsService } from './review/edit-reviews.service.js';
import { DecisionMailService } from './review/decision-mail.service.js';
import { EditSuggestionsService } from './suggest/edit-suggestions.service.js';
import { EditTargetsService } from './edit-targets.service.js';
import { EditContextLoader } from './edit-context.loader.js';
import { EditViewsService } from './view/edit-views.service.js';
import { Edit } from './edit.entity.js';
import { EditsController } from './edits.controller.js';
import { EditsPersonalDataService } from './edits-personal-data.service.js';
import { EditsStore } from './edits.store.js';
import { TargetLocksService } from './target-locks.service.js';
import { SimilarArtworksService } from './suggest/similar-artworks.service.js';
import { SuggestionQuotaService } from './suggest/suggestion-quota.service.js';
import { EditWithdrawalsService } from './suggest/edit-withdrawals.service.js';

declare module '../../platform/audit/audit-event.entity.js' {
  /** The audit events of locks of artworks and artists. */
  interface AuditEventTypes {
    'marker.locked': true;
    'marker.unlocked': true;
    'artist.locked': true;
    'artist.unlocked': true;
  }
}

/** Edits: suggest, review, view. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Edit]),
    AccountsModule,
    AppRecordModule,
    ArtistsModule,
    AuditModule,
    HistoryModule,
    IdempotencyModule,
    MarkersModule,
    RegionsModule,
    SchedulingModule,
  ],
  controllers: [EditsController],
  providers: [
    EditsStore,
    EditsPersonalDataService,
    EditContextLoader,
    EditViewsService,
    PermissionEvaluationService,
    EditSuggestionsService,
    EditReviewsService,
    DecisionMailService,
    EditWithdrawalsService,
    RegionCreationService,
    SimilarArtworksService,
    SuggestionQuotaService,
    EditTargetsService,
    TargetLocksService,
  ],
  exports: [
    EditContextLoader,
    EditReviewsService,
    EditsStore,
    EditSuggestionsService,
    EditTargetsService,
    EditViewsService,
    EditWithdrawalsService,
    RegionCreationService,
    SuggestionQuotaService,
    TargetLocksService,
  ],
})
export class EditsModule implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly editsPersonalData: EditsPersonalDataService,
  ) {}

  onModuleInit(): void {
    this.personalData.register(this.editsPersonalData);
  }
}
