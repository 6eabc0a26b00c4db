import { Module } from '@nestjs/common';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { ScopesModule } from '../../identity/scopes/scopes.module.js';
import {
  DocumentFilesController,
  DocumentsController,
  MarkdownController,
} from '../documentation/documents.controller.js';
import { DocumentsService } from '../documentation/documents.service.js';
import { DocsAssetsController, DocsController } from './docs.controller.js';
import { DocsSearchService } from './docs-search.service.js';
import { OpenApiController } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';

/** The OpenAPI document, the page `/docs` that shows it, and the documents below `/docs`. */
@Module({
  imports: [AccountsModule, ScopesModule],
  controllers: [
    OpenApiController,
    DocsController,
    DocsAssetsController,
    DocumentFilesController,
    MarkdownController,
    DocumentsController,
  ],
  providers: [OpenApiService, DocumentsService, DocsSearchService],
})
export class ApiReferenceModule {}
