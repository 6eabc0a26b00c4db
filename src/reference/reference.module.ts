import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DocsAssetsController } from './docs-assets.controller.js';
import { DocsController } from './docs.controller.js';
import { OpenApiController } from './openapi.controller.js';
import { OpenApi } from './openapi.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [OpenApiController, DocsController, DocsAssetsController],
  providers: [OpenApi],
  exports: [OpenApi],
})
export class ReferenceModule {}
