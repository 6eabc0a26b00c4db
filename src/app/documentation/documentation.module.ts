import { Module } from '@nestjs/common';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { DocumentFilesController } from './document-files.controller.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';

/** The documents of the repository as pages below `/docs`. */
@Module({
  imports: [AccountsModule],
  controllers: [DocumentFilesController, DocumentsController],
  providers: [DocumentsService],
  exports: [DocumentsService],
})
export class DocumentationModule {}
