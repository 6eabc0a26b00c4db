import type { Request, Response } from 'express';
import type { Settings } from '../config/settings.js';
import { EventLogger } from '../logging/event-logger.js';
import type { MetricsService } from './metrics.service.js';

/**
 * Returns a function that measures a request and, with LOG_LEVEL=debug, logs it after the response.
 * It records the route instead of the URL.
 */
export function createRequestObserver(
  { requestDuration }: MetricsService,
  { LOG_LEVEL }: Settings,
): (request: Request, response: Response) => void {
  const logger = new EventLogger('Http');
  return (request, response) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      const { method } = request;
      // A client that disconnected got no response; nginx uses 499 for this too.
      const status = response.writableFinished ? response.statusCode : 499;
      requestDuration.observe({ method, route, status }, seconds);
      if (LOG_LEVEL !== 'debug') return;
      const duration_ms = Number((seconds * 1000).toFixed(1));
      logger.log('request', 'A request was handled.', { method, route, status, duration_ms });
    });
  };
}
