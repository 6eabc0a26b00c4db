import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import type { AppRequest } from './authenticated-client.decorator.js';
import { type Grant, GRANTS } from './grants/grant.js';
import type { TokenRequestDto } from './token-request.dto.js';

/** Measures calls of the token and revoke endpoints, by endpoint, grant type and error. */
@Injectable()
export class TokenRequestMetricsService {
  private readonly grantTypes: ReadonlySet<string | undefined>;

  constructor(
    private readonly metrics: MetricsService,
    @Inject(GRANTS) grants: Grant[],
  ) {
    this.grantTypes = new Set(grants.map(({ grantType }) => grantType));
  }

  /** Measures a call from now until its response is sent or its client disconnects. */
  measure(call: AppRequest, response: Response): void {
    const startedAt = performance.now();
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const error = response.writableFinished ? call.error : 'disconnected';
      this.metrics.tokenRequestDuration.observe({ ...this.labels(call), error }, seconds);
    });
  }

  private labels({ endpoint, params }: AppRequest): { endpoint: string; grant: string } {
    const { grant_type } = params as TokenRequestDto;
    return { endpoint, grant: this.grantTypes.has(grant_type) ? grant_type! : 'none' };
  }
}
