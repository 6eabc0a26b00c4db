import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { EventLogger } from '../../../platform/logging/event-logger.js';
import { TaskSchedulerService } from '../../../platform/scheduling/task-scheduler.service.js';
import { PreparedMarkersStore } from './prepared-markers.store.js';

const INTERVAL_MS = 3600_000;

/** Number of prepared responses from which the progress is logged again. */
const PROGRESS_INTERVAL = 50_000;

/**
 * Prepares the responses that are not valid, after the service listens: after an update of the
 * service, and after writes of an older version. If it is interrupted, the next run continues.
 */
@Injectable()
export class MarkerPreparationService implements OnModuleInit {
  private readonly logger = new EventLogger(MarkerPreparationService.name, { marker_responses_prepared: 'info' });

  constructor(
    private readonly responses: PreparedMarkersStore,
    private readonly transactions: TransactionService,
    private readonly scheduler: TaskSchedulerService,
  ) {}

  onModuleInit(): void {
    const run = (signal: AbortSignal): Promise<void> => this.prepareAll(signal);
    this.scheduler.register({ name: 'prepare-marker-responses', intervalMs: INTERVAL_MS, run });
  }

  /** Prepares all responses that are not valid, in small transactions. */
  async prepareAll(signal: AbortSignal): Promise<void> {
    const total = await this.responses.countInvalid();
    let [done, logged] = [0, 0];
    while (!signal.aborted) {
      const count = await this.transactions.run((tx) => this.responses.prepareNext(tx));
      done += count;
      if (done > logged && (count === 0 || done - logged >= PROGRESS_INTERVAL)) {
        this.logger.log('marker_responses_prepared', 'Responses of markers were prepared.', { count: done, total });
        logged = done;
      }
      if (count === 0) return;
      await nextTurn(); // requests are answered between two batches
    }
  }
}
