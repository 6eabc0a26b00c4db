import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppsModule } from '../clients/apps.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { FailedCallsModule } from '../clients/failed-calls/failed-calls.module.js';
import { RateLimitingModule } from '../../platform/rate-limiting/rate-limiting.module.js';
import { OpenIdModule } from '../openid/openid.module.js';
import { ScopesModule } from '../scopes/scopes.module.js';
import { ClientAuthentication } from './client-authentication.service.js';
import { ClientAuthGuard } from './client-auth.guard.js';
import { AuthorizationsService } from './authorizations.service.js';
import { TokenIssuanceService } from './token-issuance.service.js';
import { AuthenticationRequestTime } from './authorize/authentication-request-time.service.js';
import { AuthorizationCode } from './authorize/authorization-code.entity.js';
import { AuthorizationCodesService } from './authorize/authorization-codes.service.js';
import { AuthorizationRequestParser } from './authorize/authorization-request-parser.service.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { AuthorizeService } from './authorize/authorize.service.js';
import { ConsentForm } from './authorize/consent-form.service.js';
import { ConsentController } from './authorize/consent.controller.js';
import { ConsentDecisionService } from './authorize/consent-decision.service.js';
import { ConnectedAppsController } from './connected-apps/connected-apps.controller.js';
import { ConnectedAppsService } from './connected-apps/connected-apps.service.js';
import { Consent } from './consents/consent.entity.js';
import { ConsentsService } from './consents/consents.service.js';
import { AuthorizationCodeGrant } from './grants/authorization-code.grant.js';
import { type Grant, GRANTS } from './grants/grant.js';
import { RefreshTokenGrant } from './grants/refresh-token.grant.js';
import { RefreshToken } from './refresh-token.entity.js';
import { RefreshTokensService } from './refresh-tokens.service.js';
import { RefreshTokensStore } from './refresh-tokens.store.js';
import { RevokeController } from './revoke.controller.js';
import { IdempotentResponses } from './idempotent-responses.service.js';
import { TokenRateLimiter } from './token-rate-limiter.service.js';
import { TokenController } from './token.controller.js';
import { TokenService } from './token.service.js';

/** The grants, each in a file of its own. */
const GRANT_PROVIDERS = [AuthorizationCodeGrant, RefreshTokenGrant];

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
    ClientAuthentication,
    ClientAuthGuard,
    AuthenticationRequestTime,
    AuthorizationCodesService,
    AuthorizationsService,
    AuthorizationRequestParser,
    TokenIssuanceService,
    AuthorizeService,
    ConnectedAppsService,
    ConsentForm,
    ConsentsService,
    ConsentDecisionService,
    RefreshTokensService,
    RefreshTokensStore,
    IdempotentResponses,
    TokenRateLimiter,
    TokenService,
    ...GRANT_PROVIDERS,
    { provide: GRANTS, useFactory: (...offered: Grant[]) => offered, inject: GRANT_PROVIDERS },
  ],
  exports: [TokenIssuanceService],
})
export class OAuthModule {}
