import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { getTracer } from './tracing.js';

/** Exports the last spans after the last response. */
@Injectable()
class SpanFlusher implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await getTracer()?.flush();
  }
}

/** Ends tracing with the application. */
@Module({ providers: [SpanFlusher] })
export class TracingModule {}
