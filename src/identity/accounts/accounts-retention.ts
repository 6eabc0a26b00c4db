import { LessThan } from 'typeorm';
import type { RetentionService } from '../../platform/scheduling/retention.service.js';
import { Session } from './session.entity.js';
import { SignInAttemptCounter } from './sign-in-attempt-counter.entity.js';
import { ATTEMPT_RETENTION_MS } from './sign-in-throttle.service.js';

/** Registers the retention policies of sessions and of the counters of failed sign-ins. */
export function registerAccountsRetention(retention: RetentionService): void {
  retention.register({
    entity: SignInAttemptCounter,
    key: 'digest',
    where: (now) => ({ lastAttemptAt: LessThan(new Date(now - ATTEMPT_RETENTION_MS)) }),
    order: { lastAttemptAt: 'ASC' },
  });
  retention.register({
    entity: Session,
    key: 'digest',
    where: (now) => ({ expiresAt: LessThan(new Date(now)) }),
    order: { expiresAt: 'ASC' },
  });
}
