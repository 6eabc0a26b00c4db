import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts.module.js';
import { DeletedController } from './deleted.controller.js';
import { DeletionController } from './deletion.controller.js';
import { DeletionService } from './deletion.service.js';

/** The pages on which people delete their own account. */
@Module({
  imports: [AccountsModule],
  controllers: [DeletionController, DeletedController],
  providers: [DeletionService],
})
export class AccountDeletionModule {}
