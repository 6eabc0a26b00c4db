import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { ArtistsModule } from '../artists/artists.module.js';
import { MarkersModule } from '../markers/markers.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [AccountsModule, AppsModule, ArtistsModule, MarkersModule, OAuthModule],
  providers: [DemoService],
  exports: [DemoService],
})
export class DemoModule {}
