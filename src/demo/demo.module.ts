import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { ArtistsModule } from '../artists/artists.module.js';
import { EditsModule } from '../edits/edits.module.js';
import { MarkersModule } from '../markers/markers.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { DemoMap } from './demo-map.js';
import { DemoScale } from './demo-scale.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [AccountsModule, AppsModule, ArtistsModule, EditsModule, MarkersModule, OAuthModule],
  providers: [DemoService, DemoMap, DemoScale],
  exports: [DemoService, DemoScale],
})
export class DemoModule {}
