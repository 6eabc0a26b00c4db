import { Module } from '@nestjs/common';
import { AccountDataRegistry } from './account-data.registry.js';

/** The registry of the data about people. Each module that stores such data registers it. */
@Module({ providers: [AccountDataRegistry], exports: [AccountDataRegistry] })
export class AccountDataModule {}
