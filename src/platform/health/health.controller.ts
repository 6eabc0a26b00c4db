import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Header,
  ServiceUnavailableException,
  UseFilters,
} from '@nestjs/common';
import type { HealthCheckResult } from '@nestjs/terminus';
import { Settings } from '../config/settings.js';
import { type Build, getBuild } from '../config/version.js';
import { Public } from '../http/public.decorator.js';
import { ReadinessService } from './readiness.service.js';
import type { Response } from 'express';

/** Responds to a failed health check with its result as JSON. */
@Catch(ServiceUnavailableException)
export class HealthFilter implements ExceptionFilter<ServiceUnavailableException> {
  catch(error: ServiceUnavailableException, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    response.status(503).set('Cache-Control', 'no-store').json(error.getResponse());
  }
}

/** Liveness and readiness endpoints for orchestrators and load balancers. */
@Controller('health')
@UseFilters(HealthFilter)
export class HealthController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly settings: Settings,
  ) {}

  /** Liveness: 200 while the process responds. If it fails, restart the process. */
  @Get('live')
  @Public('no-token')
  @Header('Cache-Control', 'no-store')
  live(): { status: 'ok' } & Build {
    return { status: 'ok', ...getBuild(this.settings) };
  }

  /** Readiness: 503 while requests would fail. If it fails, send requests to other processes. */
  @Get('ready')
  @Public('no-token')
  @Header('Cache-Control', 'no-store')
  ready(): Promise<HealthCheckResult> {
    return this.readiness.check();
  }
}
