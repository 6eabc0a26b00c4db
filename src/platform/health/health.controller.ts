import { Controller, Get, Header, UseFilters } from '@nestjs/common';
import type { HealthCheckResult } from '@nestjs/terminus';
import { Public } from '../http/public.decorator.js';
import { HealthFilter } from './health.filter.js';
import { ReadinessService } from './readiness.service.js';

/** For what watches over processes: whether one is alive, and whether it should be sent requests. */
@Controller('health')
@UseFilters(HealthFilter)
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Answers as long as the process answers anything: where this fails, a new start helps. */
  @Get('live')
  @Public('no-token')
  @Header('Cache-Control', 'no-store')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 503 while requests would fail: where this fails, others should be asked. */
  @Get('ready')
  @Public('no-token')
  @Header('Cache-Control', 'no-store')
  ready(): Promise<HealthCheckResult> {
    return this.readiness.check();
  }
}
