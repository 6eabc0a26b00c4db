import { Module } from '@nestjs/common';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { DocsAssetsController } from './docs-assets.controller.js';
import { DocsController } from './docs.controller.js';
import { OpenApiController } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [OpenApiController, DocsController, DocsAssetsController],
  providers: [OpenApiService],
  exports: [OpenApiService],
})
export class ApiReferenceModule {}
