import { Module } from '@nestjs/common';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { HomeController } from './home.controller.js';

/** The home page. */
@Module({ imports: [AccountsModule], controllers: [HomeController] })
export class HomeModule {}
