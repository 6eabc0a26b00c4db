import { Module } from '@nestjs/common';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { ScopesModule } from '../../identity/scopes/scopes.module.js';
import { DocumentationModule } from '../documentation/documentation.module.js';
import { DocsAssetsController } from './docs-assets.controller.js';
import { DocsController } from './docs.controller.js';
import { OpenApiController } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';

/** The OpenAPI document, and the page for developers that shows it. */
@Module({
  imports: [AccountsModule, ScopesModule, DocumentationModule],
  controllers: [OpenApiController, DocsController, DocsAssetsController],
  providers: [OpenApiService],
})
export class ApiReferenceModule {}
