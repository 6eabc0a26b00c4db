import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, tap } from 'rxjs';
import type { ClientRequest } from './authenticated-client.decorator.js';
import { TokenRequestMetrics } from './token-request-metrics.service.js';

/** Measures successful calls. `OAuthErrorFilter` measures failed ones: no interceptor sees an error of a guard. */
@Injectable()
export class TokenMetricsInterceptor implements NestInterceptor {
  constructor(private readonly metrics: TokenRequestMetrics) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { clientCall } = context.switchToHttp().getRequest<ClientRequest>();
    return next.handle().pipe(tap(() => this.metrics.observe(clientCall!, 'none')));
  }
}
