import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { FailedCallsModule } from '../apps/failed-calls/failed-calls.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { DiscoveryController } from './discovery.controller.js';
import { IdTokensService } from './id-tokens.service.js';
import { JwksController } from './jwks.controller.js';
import { LogoutController } from './logout.controller.js';
import { LogoutService } from './logout.service.js';
import { UserinfoController } from './userinfo.controller.js';
import { UserinfoService } from './userinfo.service.js';

/** OpenID Connect: ID tokens, UserInfo, logout, discovery and keys. */
@Module({
  imports: [AccountsModule, AppsModule, FailedCallsModule, KeysModule, JwtModule.register({})],
  controllers: [DiscoveryController, JwksController, LogoutController, UserinfoController],
  providers: [IdTokensService, LogoutService, UserinfoService],
  exports: [IdTokensService],
})
export class OpenIdModule {}
