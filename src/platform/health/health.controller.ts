import { Controller, Get, Header, UseFilters } from '@nestjs/common';
import type { HealthCheckResult } from '@nestjs/terminus';
import { Public } from '../http/public.decorator.js';
import { HealthFilter } from './health.filter.js';
import { ReadinessService } from './readiness.service.js';

/** Liveness and readiness endpoints for orchestrators and load balancers. */
@Controller('health')
@UseFilters(HealthFilter)
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Liveness: 200 while the process responds. If it fails, restart the process. */
  @Get('live')
  @Public('no-token')
  @Header('Cache-Control', 'no-store')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Readiness: 503 while requests would fail. If it fails, send requests to other processes. */
  @Get('ready')
  @Public('no-token')
  @Header('Cache-Control', 'no-store')
  ready(): Promise<HealthCheckResult> {
    return this.readiness.check();
  }
}
