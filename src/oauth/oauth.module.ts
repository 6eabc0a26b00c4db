import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { OpenIdModule } from '../openid/openid.module.js';
import { ScopesModule } from '../scopes/scopes.module.js';
import { AppCredentials } from './app-credentials.js';
import { AuthorizationsService } from './authorizations.service.js';
import { type Grant, GRANTS } from './grants/grant.js';
import { RefreshTokenGrant } from './grants/refresh-token.grant.js';
import { RefreshToken } from './refresh-token.entity.js';
import { RefreshTokenService } from './refresh-token.service.js';
import { RevokeController } from './revoke.controller.js';
import { TokenController } from './token.controller.js';
import { TokenService } from './token.service.js';

/** The grants, each in a file of its own. */
const grants = [RefreshTokenGrant];

@Module({
  imports: [
    TypeOrmModule.forFeature([RefreshToken]),
    AccountsModule,
    AppsModule,
    AuditModule,
    OpenIdModule,
    ScopesModule,
  ],
  controllers: [TokenController, RevokeController],
  providers: [
    AppCredentials,
    AuthorizationsService,
    RefreshTokenService,
    TokenService,
    ...grants,
    { provide: GRANTS, useFactory: (...offered: Grant[]) => offered, inject: grants },
  ],
  exports: [AuthorizationsService],
})
export class OAuthModule {}
