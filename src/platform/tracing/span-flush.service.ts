import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { getTracer } from './tracing.js';

/** Exports the last spans after the last response. */
@Injectable()
export class SpanFlushService implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await getTracer()?.flush();
  }
}
