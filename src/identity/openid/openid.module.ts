import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { DiscoveryController, JwksController, ResourceMetadataController } from './discovery.controller.js';
import { IdTokenHintsService } from './id-token-hints.service.js';
import { IdTokensService } from './id-tokens.service.js';
import { LogoutController } from './logout.controller.js';
import { UserinfoController } from './userinfo.controller.js';

/** OpenID Connect: ID tokens, UserInfo, logout, discovery and keys. */
@Module({
  imports: [AccountsModule, AppsModule, KeysModule, JwtModule.register({})],
  controllers: [DiscoveryController, ResourceMetadataController, JwksController, LogoutController, UserinfoController],
  providers: [IdTokenHintsService, IdTokensService],
  exports: [IdTokenHintsService, IdTokensService],
})
export class OpenIdModule {}
