import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from 'prom-client';

/** Upper limits of the buckets in seconds. */
const DURATION_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const BATCH_SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500];

/** Milliseconds in which the value of a gauge must be read. */
const GAUGE_TIMEOUT_MS = 500;

/** The metrics of this process, for Prometheus. */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();
  private readonly registers = [this.registry];

  /** Duration of each request in seconds, by route. */
  readonly requestDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the start of a request to the end of its response, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: this.registers,
  });

  /**
   * Duration of requests to the token and revoke endpoints in seconds. `error` is the OAuth error
   * code, or `none`.
   */
  readonly tokenRequestDuration = new Histogram({
    name: 'street_art_token_request_duration_seconds',
    help: 'Seconds that requests to the token and revoke endpoints took, by endpoint, grant type and OAuth error.',
    labelNames: ['endpoint', 'grant', 'error'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: this.registers,
  });

  readonly missingScopes = new Counter({
    name: 'street_art_missing_scope_total',
    help: 'API requests that were rejected because the access token lacks this scope.',
    labelNames: ['scope'],
    registers: this.registers,
  });

  readonly lostResponses = new Counter({
    name: 'street_art_lost_responses_total',
    help: 'Used refresh tokens that were presented again while their successor was unused. The response was probably lost.',
    registers: this.registers,
  });

  readonly refreshTokenReuses = new Counter({
    name: 'street_art_refresh_token_reuses_total',
    help: 'Used refresh tokens that were presented again after their successor was used. The token may be stolen.',
    registers: this.registers,
  });

  readonly replayedResponses = new Counter({
    name: 'street_art_replayed_responses_total',
    help: 'Responses of the token endpoint that were repeated for the same Idempotency-Key.',
    registers: this.registers,
  });

  readonly batchSizes = new Histogram({
    name: 'street_art_batch_size',
    help: 'Number of requests that shared one statement or transaction.',
    labelNames: ['batch'],
    buckets: BATCH_SIZE_BUCKETS,
    registers: this.registers,
  });

  readonly emails = new Counter({
    name: 'street_art_emails_total',
    help: 'E-mails that the mail server accepted, and e-mails that were given up.',
    labelNames: ['kind', 'result'],
    registers: this.registers,
  });

  /**
   * Adds a gauge. If `read` fails or takes too long, for example because the database is
   * unavailable, the gauge keeps its value, and the other metrics can still be read.
   * @param read sets its value each time the metrics are read, once at a time
   */
  registerGauge(configuration: GaugeConfiguration<string>, read: (gauge: Gauge) => void | Promise<void>): void {
    let reading: Promise<void> | undefined;
    const readOnce = async (gauge: Gauge): Promise<void> => {
      await Promise.resolve(read(gauge)).catch(() => undefined);
      reading = undefined;
    };
    new Gauge({
      ...configuration,
      registers: this.registers,
      collect() {
        reading ??= readOnce(this);
        return Promise.race([reading, sleep(GAUGE_TIMEOUT_MS, undefined, { ref: false })]);
      },
    });
  }
}
