import {
  type Attributes,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { redactSecrets } from '../logging/redact-secrets.js';
import { getCurrentRequest, type TracedRequest } from '../logging/request-context.js';
import { summarizeQuery } from './query-summary.js';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { hostname } from 'node:os';

const SERVICE_NAME = 'street-art-map';

/** The methods that span names and `http.request.method` can contain. */
const KNOWN_METHODS = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
]);

/** Milliseconds that the end of the process waits for the export of the last spans. */
const FLUSH_TIMEOUT_MS = 2_000;

const HEADERS = {
  get: (headers: IncomingHttpHeaders, name: string) => headers[name],
  keys: (headers: IncomingHttpHeaders) => Object.keys(headers),
};

/**
 * Records a span for each request, and spans for its database statements. The names follow the
 * semantic conventions of OpenTelemetry for HTTP and databases. A span has no value that a client
 * sent, except the path without secrets.
 */
export class RequestTracer {
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly spans = new WeakMap<Request, Span>();
  private readonly tracer: Tracer;

  private constructor(
    private readonly provider: BasicTracerProvider,
    private readonly onError: (error: unknown) => void,
  ) {
    this.tracer = provider.getTracer(SERVICE_NAME);
  }

  /** @param onError receives each failure of the export */
  static start(onError: (error: unknown) => void): RequestTracer {
    return new RequestTracer(createTracerProvider(onError), onError);
  }

  /**
   * Starts the span of a request, which ends with the response. A valid `traceparent` is its parent
   * and decides whether it is sampled (W3C Trace Context).
   */
  startRequest(request: TracedRequest, response: Response): void {
    const parent = this.propagator.extract(ROOT_CONTEXT, request.headers, HEADERS);
    const method = KNOWN_METHODS.has(request.method) ? request.method : '_OTHER';
    const attributes = {
      'http.request.method': method,
      'url.path': redactSecrets(request.originalUrl.split('?', 1)[0]!),
      'url.scheme': request.protocol,
    };
    const name = method === '_OTHER' ? 'HTTP' : method;
    const span = this.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    request.traceId = span.spanContext().traceId;
    this.spans.set(request, span);
    response.once('close', () => endRequest(span, name, request, response));
  }

  /** Records the span of a statement that the current request has started. */
  traceStatement<T>(database: Attributes, sql: string, result: Promise<T>): Promise<T> {
    const span = this.startStatement(database, sql);
    if (span)
      result.then(
        () => span.end(),
        (error: unknown) => endFailedStatement(span, error),
      );
    return result;
  }

  /** Does the same as `traceStatement` for a statement that blocks. */
  traceBlockingStatement<T>(database: Attributes, sql: string, execute: () => T): T {
    const span = this.startStatement(database, sql);
    if (!span) return execute();
    try {
      const result = execute();
      span.end();
      return result;
    } catch (error) {
      endFailedStatement(span, error);
      throw error;
    }
  }

  /**
   * Returns the request that gets the statements of work which several requests share: the first
   * one that is sampled. The spans of the others get a link to it.
   */
  selectRequest(requests: (Request | undefined)[]): Request | undefined {
    const sampled = new Set(requests.filter((request) => this.findSpan(request)));
    const [first, ...others] = sampled;
    const context = this.findSpan(first)?.spanContext();
    if (context) for (const other of others) this.findSpan(other)!.addLink({ context });
    return first;
  }

  /** Exports the spans that have ended. An unavailable receiver loses them after 2 seconds. */
  async flush(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => (timer = setTimeout(resolve, FLUSH_TIMEOUT_MS)));
    await Promise.race([this.provider.shutdown().catch(this.onError), timeout]);
    clearTimeout(timer);
  }

  private startStatement(database: Attributes, sql: string): Span | undefined {
    const parent = this.findSpan(getCurrentRequest());
    if (!parent) return undefined;
    const summary = summarizeQuery(sql);
    const attributes = { ...database, 'db.query.summary': summary };
    return this.tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, trace.setSpan(ROOT_CONTEXT, parent));
  }

  /** Returns the span of a request that is sampled and has not ended. */
  private findSpan(request: Request | undefined): Span | undefined {
    const span = request && this.spans.get(request);
    return span?.isRecording() ? span : undefined;
  }
}

function endRequest(span: Span, method: string, request: Request, response: Response): void {
  const route = (request.route as { path?: string } | undefined)?.path;
  if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
  const { statusCode } = response;
  if (!response.writableFinished) span.setAttribute('error.type', 'client_disconnected');
  else span.setAttribute('http.response.status_code', statusCode);
  if (response.writableFinished && statusCode >= 500)
    span.setAttribute('error.type', String(statusCode)).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The message of a database error can contain values, so the span has only its code. */
function endFailedStatement(span: Span, error: unknown): void {
  const { name, code } = error as { name?: string; code?: unknown };
  if (typeof code === 'string') span.setAttribute('db.response.status_code', code);
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? 'Error'));
  span.setStatus({ code: SpanStatusCode.ERROR }).end();
}

/**
 * Creates the provider of spans, which exports them in batches by OTLP over HTTP. OpenTelemetry
 * reads the environment variables of its specification, such as `OTEL_SERVICE_NAME`,
 * `OTEL_TRACES_SAMPLER` and `OTEL_EXPORTER_OTLP_HEADERS`.
 * @param onError receives each failure of the export, and each wrong variable
 */
function createTracerProvider(onError: (error: unknown) => void): BasicTracerProvider {
  const report = (message: string): void => onError(new Error(message));
  const ignore = (): void => undefined;
  diag.setLogger({ error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  setGlobalErrorHandler(onError);
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({ 'service.name': SERVICE_NAME, 'host.name': hostname(), 'process.pid': process.pid }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
  return new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
}
