import { Inject, Injectable } from '@nestjs/common';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import type { ClientCall } from './authenticated-client.decorator.js';
import { type Grant, GRANTS } from './grants/grant.js';
import type { TokenRequestDto } from './token-request.dto.js';

/** Measures calls of the token and revoke endpoints, by endpoint, grant type and error. */
@Injectable()
export class TokenRequestMetrics {
  private readonly grantTypes: ReadonlySet<string | undefined>;

  constructor(
    private readonly metrics: MetricsService,
    @Inject(GRANTS) grants: Grant[],
  ) {
    this.grantTypes = new Set(grants.map(({ grantType }) => grantType));
  }

  /** @param error the error code, or `none` */
  observe({ endpoint, params, startedAt }: ClientCall, error: string): void {
    const { grant_type } = params as TokenRequestDto;
    const grant = this.grantTypes.has(grant_type) ? grant_type! : 'none';
    this.metrics.tokenRequestDuration.observe({ endpoint, grant, error }, (performance.now() - startedAt) / 1000);
  }
}
