import { Module } from '@nestjs/common';
import { DeletedAccounts } from './deleted-accounts.js';

/** Provides the set of deleted accounts to the scope guard and to the accounts module. */
@Module({ providers: [DeletedAccounts], exports: [DeletedAccounts] })
export class DeletedAccountsModule {}
