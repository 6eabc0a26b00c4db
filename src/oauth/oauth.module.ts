import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { FailedCallsModule } from '../failed-calls/failed-calls.module.js';
import { RateLimitingModule } from '../platform/rate-limiting/rate-limiting.module.js';
import { OpenIdModule } from '../openid/openid.module.js';
import { ScopesModule } from '../scopes/scopes.module.js';
import { AppCredentials } from './app-credentials.js';
import { AppRequests } from './app-requests.js';
import { AuthorizationEndings } from './authorization-endings.js';
import { AuthorizationsService } from './authorizations.service.js';
import { AskedAt } from './authorize/asked-at.js';
import { AuthorizationCode } from './authorize/authorization-code.entity.js';
import { AuthorizationCodesService } from './authorize/authorization-codes.service.js';
import { AuthorizationRequests } from './authorize/authorization-requests.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { AuthorizeService } from './authorize/authorize.service.js';
import { ConsentPages } from './authorize/consent-pages.service.js';
import { ConsentController } from './authorize/consent.controller.js';
import { Decisions } from './authorize/decisions.service.js';
import { ConnectedAppsController } from './connected-apps/connected-apps.controller.js';
import { ConnectedAppsService } from './connected-apps/connected-apps.service.js';
import { Consent } from './consents/consent.entity.js';
import { ConsentsService } from './consents/consents.service.js';
import { AuthorizationCodeGrant } from './grants/authorization-code.grant.js';
import { type Grant, GRANTS } from './grants/grant.js';
import { RefreshTokenGrant } from './grants/refresh-token.grant.js';
import { RefreshToken } from './refresh-token.entity.js';
import { RefreshTokenService } from './refresh-token.service.js';
import { RefreshTokensStore } from './refresh-tokens-store.js';
import { RevokeController } from './revoke.controller.js';
import { SealedAnswers } from './sealed-answers.js';
import { TokenLimits } from './token-limits.js';
import { TokenController } from './token.controller.js';
import { TokenService } from './token.service.js';

/** The grants, each in a file of its own. */
const grants = [AuthorizationCodeGrant, RefreshTokenGrant];

@Module({
  imports: [
    TypeOrmModule.forFeature([AuthorizationCode, Consent, RefreshToken]),
    AccountsModule,
    AppsModule,
    AuditModule,
    FailedCallsModule,
    RateLimitingModule,
    OpenIdModule,
    ScopesModule,
  ],
  controllers: [TokenController, RevokeController, AuthorizeController, ConsentController, ConnectedAppsController],
  providers: [
    AppCredentials,
    AppRequests,
    AskedAt,
    AuthorizationCodesService,
    AuthorizationEndings,
    AuthorizationRequests,
    AuthorizationsService,
    AuthorizeService,
    ConnectedAppsService,
    ConsentPages,
    ConsentsService,
    Decisions,
    RefreshTokenService,
    RefreshTokensStore,
    SealedAnswers,
    TokenLimits,
    TokenService,
    ...grants,
    { provide: GRANTS, useFactory: (...offered: Grant[]) => offered, inject: grants },
  ],
  exports: [AuthorizationsService],
})
export class OAuthModule {}
