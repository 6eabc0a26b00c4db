import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts.module.js';
import { ExportController } from './export.controller.js';
import { ExportService } from './export.service.js';

/** The page on which people download all data about them. */
@Module({ imports: [AccountsModule], controllers: [ExportController], providers: [ExportService] })
export class AccountExportModule {}
