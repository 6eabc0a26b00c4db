import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { EventLogger } from '../logging/event-logger.js';
import { type FindOperator, IsNull, LessThanOrEqual, MoreThan, Or } from 'typeorm';
import { TransactionService } from '../database/transaction.service.js';
import { ClockService } from './clock.service.js';
import { ScheduledTask } from './scheduled-task.entity.js';

/** Duration of a lease. If the process crashes, another one can run the task after this time. */
export const TASK_LEASE_MS = 15 * 60_000;

/** Milliseconds by which a right clock may be ahead when it stores the time of a task. */
const MAX_CLOCK_OFFSET_MS = 5 * 60_000;

/** Gives each due task to one of several processes. */
@Injectable()
export class TaskLeaseService {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * Takes the lease of a task that is due and that no other process runs.
   * @param intervalMs interval of the task, within which it must be due
   * @returns the time at which the lease expires; undefined if this process did not get it
   */
  acquire(name: string, intervalMs: number): Promise<Date | undefined> {
    const leaseExpiresAt = new Date(Date.now() + TASK_LEASE_MS);
    return this.transactions.run(async (tx) => {
      await tx
        .createQueryBuilder()
        .insert()
        .into(ScheduledTask)
        .values({ name, dueAt: new Date(0), leaseExpiresAt: null })
        .orIgnore()
        .execute();
      const { affected } = await tx.update(
        ScheduledTask,
        { name, dueAt: isReached(intervalMs), leaseExpiresAt: Or(IsNull(), isReached(TASK_LEASE_MS)) },
        { leaseExpiresAt },
      );
      return affected === 1 ? leaseExpiresAt : undefined;
    });
  }

  /**
   * Returns the lease of a task, unless another process took it after it expired.
   * @param leaseExpiresAt the result of `acquire`
   * @param dueInMs time until the task is due again
   */
  async release(name: string, leaseExpiresAt: Date, dueInMs: number): Promise<void> {
    const dueAt = new Date(Date.now() + dueInMs);
    await this.transactions.run((tx) =>
      tx.update(ScheduledTask, { name, leaseExpiresAt }, { dueAt, leaseExpiresAt: null }),
    );
  }
}

/**
 * Selects times that are reached, and times so far ahead that the clock was wrong when they were
 * stored.
 * @param maxMs milliseconds from now to the latest time that a right clock stores
 */
function isReached(maxMs: number): FindOperator<Date> {
  const now = Date.now();
  return Or(LessThanOrEqual(new Date(now)), MoreThan(new Date(now + maxMs + MAX_CLOCK_OFFSET_MS)));
}

/** Interval at which a process checks for due tasks. */
const CHECK_INTERVAL_MS = 5 * 60_000;

/** A task that runs once per interval, in one of several processes. */
export interface PeriodicTask {
  /** Stored in `scheduled_tasks`. */
  name: string;
  intervalMs: number;
  /** @param signal aborted when the service stops */
  run: (signal: AbortSignal) => Promise<void>;
}

/** Runs the registered tasks at the start of the service, and again when they are due. */
@Injectable()
export class TaskSchedulerService implements OnModuleDestroy {
  private readonly logger = new EventLogger(TaskSchedulerService.name);
  private readonly abortController = new AbortController();
  private readonly tasks: PeriodicTask[] = [];
  private timer: NodeJS.Timeout | undefined;
  private currentRun = Promise.resolve();

  constructor(
    private readonly leases: TaskLeaseService,
    private readonly clock: ClockService,
  ) {}

  /** Adds a task. Modules call this while they are initialized. */
  register(task: PeriodicTask): void {
    this.tasks.push(task);
  }

  /**
   * Runs the due tasks now and checks again after each interval.
   * @param checkIntervalMs extended at random by up to 10 %, so that processes do not check at the
   * same time
   */
  start(checkIntervalMs = CHECK_INTERVAL_MS): void {
    this.currentRun = this.runDueTasks().finally(() => {
      if (this.abortController.signal.aborted) return;
      const delay = checkIntervalMs * (1 + Math.random() / 10);
      this.timer = setTimeout(() => this.start(checkIntervalMs), delay).unref();
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.abortController.abort();
    clearTimeout(this.timer);
    await this.currentRun;
  }

  /** With a wrong clock, tasks would be due at the wrong time, and delete by age. */
  private async runDueTasks(): Promise<void> {
    if (this.clock.isWrong) return;
    await Promise.all(this.tasks.map((task) => this.runIfDue(task)));
  }

  /** A task that fails is logged and runs again after its interval. */
  private async runIfDue({ name, intervalMs, run }: PeriodicTask): Promise<void> {
    const { signal } = this.abortController;
    try {
      if (signal.aborted) return;
      const leaseExpiresAt = await this.leases.acquire(name, intervalMs);
      if (!leaseExpiresAt) return;
      await run(signal).finally(() => this.leases.release(name, leaseExpiresAt, intervalMs));
    } catch (error) {
      this.logger.log('scheduled_task_failed', 'A scheduled task failed.', { task: name, error });
    }
  }
}
