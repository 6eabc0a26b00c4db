import type { Response } from 'express';
import type { Settings } from '../config/settings.js';
import { writeAccessLog } from '../logging/access-log.js';
import { EventLogger } from '../logging/event-logger.js';
import type { TracedRequest } from '../logging/request-context.js';
import type { MetricsService } from '../metrics/metrics.service.js';
import type { AuthenticatedRequest } from './authenticated-request.js';
import { getClientIp } from './client-ip.js';
import { getRequestId } from './request-id.js';

/**
 * Returns a function that measures a request. After the response, it writes a line of the access
 * log if ACCESS_LOG is on, and logs the request with LOG_LEVEL=debug. It records the route instead
 * of the URL.
 */
export function createRequestObserver(
  { requestDuration }: MetricsService,
  { LOG_LEVEL, ACCESS_LOG }: Settings,
): (request: AuthenticatedRequest & TracedRequest, response: Response) => void {
  const logger = new EventLogger('Http');
  return (request, response) => {
    const startedAt = performance.now();
    // read at the start: a closed socket has no address
    const address = ACCESS_LOG === 'on' ? getClientIp(request) : null;
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      const { method } = request;
      // A client that disconnected got no response; nginx uses 499 for this too.
      const status = response.writableFinished ? response.statusCode : 499;
      requestDuration.observe({ method, route, status }, seconds);
      const fields = { method, route, status, duration_ms: Number((seconds * 1000).toFixed(1)) };
      if (ACCESS_LOG === 'on') {
        const { clientId: client_id = null, traceId } = request;
        const ids = { request_id: getRequestId(response), ...(traceId !== undefined && { traceId }) };
        writeAccessLog({ ...fields, client_id, address, ...ids });
      }
      if (LOG_LEVEL === 'debug') logger.log('request', 'A request was handled.', fields);
    });
  };
}
