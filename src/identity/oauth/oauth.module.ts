import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonalDataRegistry } from '../accounts/personal-data.registry.js';
import { AccountAppsRegistry } from '../accounts/account-apps.registry.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppRecordModule } from '../app-record/app-record.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { RateLimitingModule } from '../../platform/rate-limiting/rate-limiting.module.js';
import { RetentionService } from '../../platform/scheduling/retention.service.js';
import { Settings } from '../../platform/config/settings.js';
import { PartitionsService } from '../../platform/scheduling/partitions.service.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { ErrorPagesRegistry } from '../../platform/views/error-pages.js';
import { ViewsModule } from '../../platform/views/views.module.js';
import { OpenIdModule } from '../openid/openid.module.js';
import { ScopesModule } from '../scopes/scopes.module.js';
import { ClientAuthenticationService } from './client-authentication.service.js';
import { Authorization } from './authorization.entity.js';
import { AuthorizationsService } from './authorizations.service.js';
import { TokenIssuanceService } from './token-issuance.service.js';
import { SignInStartTimeService } from './authorize/sign-in-start-time.service.js';
import { AuthorizationCode } from './authorize/authorization-code.entity.js';
import { AuthorizationCodesService } from './authorize/authorization-codes.service.js';
import { AuthorizationRequestParserService } from './authorize/authorization-request-parser.service.js';
import { AUTHORIZE_ERROR_PAGES, AuthorizeController, ConsentController } from './authorize/authorize.controller.js';
import { AuthorizeService } from './authorize/authorize.service.js';
import { ConsentFormService } from './authorize/consent-form.service.js';
import { ConsentAnswerService } from './authorize/consent-answer.service.js';
import { AppUseWriterService } from './connected-apps/app-use-writer.service.js';
import { ConnectedAppsService } from './connected-apps/connected-apps.service.js';
import { AppUse } from './connected-apps/app-use.entity.js';
import { Consent } from './consents/consent.entity.js';
import { ConsentsService } from './consents/consents.service.js';
import { AuthorizationCodeGrant } from './grants/authorization-code.grant.js';
import { type Grant, GRANTS } from './grants/grant.js';
import { RefreshTokenGrant } from './grants/refresh-token.grant.js';
import { OAuthPersonalDataService } from './oauth-personal-data.service.js';
import { registerOAuthPartitions, registerOAuthRetention } from './oauth-retention.js';
import { PublicClientOriginsService } from './public-client-origins.service.js';
import { RefreshToken } from './refresh-token.entity.js';
import { RefreshTokenService } from './refresh-token.service.js';
import { RefreshTokensStore } from './refresh-tokens.store.js';
import { RevokeController } from './revoke.controller.js';
import { CodeRedemptionService } from './authorize/code-redemption.service.js';
import { UncertainCommitsService } from './uncertain-commits.service.js';
import { RefreshReplayStore } from './refresh-replay.store.js';
import { TokenRateLimiterService } from './token-rate-limiter.service.js';
import { TokenController } from './token.controller.js';

declare module '../../platform/audit/audit-event.entity.js' {
  /** The audit events of authorizations. */
  interface AuditEventTypes {
    'tokens.issued': true;
    'refresh_token.reused': true;
    'authorization.revoked': true;
    'authorization_code.reused': true;
    'consent.given': true;
    'consent.withdrawn': true;
  }
}

/** The grants of the token endpoint. */
const GRANT_PROVIDERS = [AuthorizationCodeGrant, RefreshTokenGrant];

/**
 * The authorization server: authorization, token and revocation endpoints, and the apps that a
 * person connected.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([Authorization, AuthorizationCode, Consent, RefreshToken, AppUse]),
    AccountsModule,
    AppRecordModule,
    AppsModule,
    AuditModule,
    IdempotencyModule,
    RateLimitingModule,
    OpenIdModule,
    SchedulingModule,
    ScopesModule,
    ViewsModule,
  ],
  controllers: [TokenController, RevokeController, AuthorizeController, ConsentController],
  providers: [
    ClientAuthenticationService,
    CodeRedemptionService,
    SignInStartTimeService,
    AuthorizationCodesService,
    AuthorizationsService,
    AuthorizationRequestParserService,
    TokenIssuanceService,
    AuthorizeService,
    AppUseWriterService,
    ConnectedAppsService,
    ConsentFormService,
    ConsentsService,
    ConsentAnswerService,
    OAuthPersonalDataService,
    PublicClientOriginsService,
    RefreshTokenService,
    RefreshTokensStore,
    UncertainCommitsService,
    RefreshReplayStore,
    TokenRateLimiterService,
    ...GRANT_PROVIDERS,
    { provide: GRANTS, useFactory: (...grants: Grant[]) => grants, inject: GRANT_PROVIDERS },
  ],
  exports: [ConnectedAppsService, TokenIssuanceService],
})
export class OAuthModule implements OnModuleInit {
  constructor(
    private readonly partitions: PartitionsService,
    private readonly retention: RetentionService,
    private readonly settings: Settings,
    private readonly personalData: PersonalDataRegistry,
    private readonly oauthPersonalData: OAuthPersonalDataService,
    private readonly accountApps: AccountAppsRegistry,
    private readonly connectedApps: ConnectedAppsService,
    private readonly consents: ConsentsService,
    errorPages: ErrorPagesRegistry,
  ) {
    errorPages.add(AUTHORIZE_ERROR_PAGES);
  }

  onModuleInit(): void {
    this.personalData.register(this.oauthPersonalData);
    this.accountApps.registerAccess({
      countPeople: (appIds) => this.consents.countPeople(appIds),
      listNames: async (accountId) => (await this.connectedApps.list(accountId)).map(({ app }) => app.name),
      wasEverAllowed: (appId) => this.consents.wasEverGiven(appId),
      removeAll: (tx, accountId, detail) => this.connectedApps.removeAll(tx, accountId, detail),
    });
    registerOAuthPartitions(this.partitions, this.settings);
    registerOAuthRetention(this.retention, this.settings);
  }
}
