import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Settings } from '../config/settings.js';
import type { MetricsService } from './metrics.service.js';

/** Measures each request, and with LOG_LEVEL=debug logs it when it has been answered. Of an address only its route is kept. */
export function createRequestObserver(
  { requestDuration }: MetricsService,
  { LOG_LEVEL }: Settings,
): (request: Request, response: Response) => void {
  const logger = new Logger('Http');
  return (request, response) => {
    const begun = performance.now();
    response.once('close', () => {
      const seconds = (performance.now() - begun) / 1000;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      const { method } = request;
      // A client that went away got no answer, whatever its status was to be (as nginx counts it).
      const status = response.writableFinished ? response.statusCode : 499;
      requestDuration.observe({ method, route, status }, seconds);
      if (LOG_LEVEL === 'debug') logger.debug(`${method} ${route} ${status} ${(seconds * 1000).toFixed(1)} ms`);
    });
  };
}
