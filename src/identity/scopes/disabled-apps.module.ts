import { Module } from '@nestjs/common';
import { DisabledApps } from './disabled-apps.js';

/** Provides the set of disabled apps to the scope guard and to the clients module. */
@Module({ providers: [DisabledApps], exports: [DisabledApps] })
export class DisabledAppsModule {}
