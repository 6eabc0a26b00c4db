import { diag, DiagLogLevel } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { hostname } from 'node:os';

const SERVICE_NAME = 'street-art-map';

/**
 * Creates the provider of spans, which exports them in batches by OTLP over HTTP. OpenTelemetry
 * reads the environment variables of its specification, such as `OTEL_SERVICE_NAME`,
 * `OTEL_TRACES_SAMPLER` and `OTEL_EXPORTER_OTLP_HEADERS`.
 * @param onError receives each failure of the export, and each wrong variable
 */
export function createTracerProvider(onError: (error: unknown) => void): BasicTracerProvider {
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
