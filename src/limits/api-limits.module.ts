import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiLimitsGuard } from './api-limits.guard.js';
import { LimitsModule } from './limits.module.js';

/** The limits before every route of the API. Global guards stand in the order of their modules: this one is behind the gate. */
@Module({ imports: [LimitsModule], providers: [{ provide: APP_GUARD, useClass: ApiLimitsGuard }] })
export class ApiLimitsModule {}
