import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';
import { Settings } from '../config/settings.js';
import { getBuild } from '../config/version.js';

/** Upper limits of the buckets in seconds. */
const DURATION_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const BATCH_SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500];

/** Milliseconds in which the value of a gauge must be read. */
const GAUGE_TIMEOUT_MS = 500;

/** The metrics of this process, for Prometheus. Each module registers its own when it starts. */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();
  private readonly registers = [this.registry];

  /** Duration of each request in seconds, by route. */
  readonly requestDuration = this.registerDurationHistogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the start of a request to the end of its response, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
  });

  readonly batchSizes = new Histogram({
    name: 'street_art_batch_size',
    help: 'Number of requests that shared one statement or transaction.',
    labelNames: ['batch'],
    buckets: BATCH_SIZE_BUCKETS,
    registers: this.registers,
  });

  readonly emails = this.registerCounter({
    name: 'street_art_emails_total',
    help: 'E-mails that the mail server accepted, that were given up, and that were not queued.',
    labelNames: ['kind', 'result'],
  });

  constructor(settings: Settings) {
    const { version, commit = '' } = getBuild(settings);
    new Gauge({
      name: 'app_build_info',
      help: 'Always 1; the labels are the version of the service and the commit it was built from.',
      labelNames: ['version', 'commit'],
      registers: this.registers,
    }).set({ version, commit }, 1);
  }

  /** Adds a counter, or returns the one with this name. */
  registerCounter<Label extends string>(configuration: CounterConfiguration<Label>): Counter<Label> {
    const existing = this.registry.getSingleMetric(configuration.name) as Counter<Label> | undefined;
    return existing ?? new Counter({ ...configuration, registers: this.registers });
  }

  /** Adds a histogram of durations in seconds, or returns the one with this name. */
  registerDurationHistogram<Label extends string>(configuration: HistogramConfiguration<Label>): Histogram<Label> {
    const existing = this.registry.getSingleMetric(configuration.name) as Histogram<Label> | undefined;
    const buckets = DURATION_BUCKETS_SECONDS;
    return existing ?? new Histogram({ buckets, ...configuration, registers: this.registers });
  }

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
