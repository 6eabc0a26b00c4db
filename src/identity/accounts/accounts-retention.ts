import { LessThan } from 'typeorm';
import type { RetentionService } from '../../platform/scheduling/retention.service.js';
import { KnownBrowser } from './sign-in/known-browser.entity.js';
import { KNOWN_BROWSER_RETENTION_MS } from './sign-in/known-browsers.service.js';
import { EmailToken } from './email-token.entity.js';
import { ReservedIdentity } from './deletion/reserved-identity.entity.js';
import { UsedPasskeyChallenge } from './passkeys/passkey.entity.js';
import { Session } from './sessions/session.entity.js';
import { SignInAttemptCounter } from './sign-in/sign-in-attempt-counter.entity.js';
import { ATTEMPT_RETENTION_MS } from './sign-in/sign-in-throttle.service.js';

/** Time for which the page of an expired link says that the link has ended: 7 days. */
const ENDED_LINK_RETENTION_MS = 7 * 24 * 3600_000;

/**
 * Registers the retention policies of sessions, of links, of known browsers, of reserved
 * identities, of passkey challenges, and of the counters of failed sign-ins.
 */
export function registerAccountsRetention(retention: RetentionService): void {
  retention.register({
    entity: SignInAttemptCounter,
    key: 'digest',
    where: (now) => ({ lastAttemptAt: LessThan(new Date(now - ATTEMPT_RETENTION_MS)) }),
    order: { lastAttemptAt: 'ASC' },
  });
  retention.register({
    entity: KnownBrowser,
    key: 'digest',
    where: (now) => ({ lastUsedAt: LessThan(new Date(now - KNOWN_BROWSER_RETENTION_MS)) }),
    order: { lastUsedAt: 'ASC' },
  });
  retention.register({
    entity: EmailToken,
    key: 'digest',
    where: (now) => ({ expiresAt: LessThan(new Date(now - ENDED_LINK_RETENTION_MS)) }),
    order: { expiresAt: 'ASC' },
  });
  for (const entity of [Session, ReservedIdentity, UsedPasskeyChallenge]) {
    retention.register<Session | ReservedIdentity | UsedPasskeyChallenge>({
      entity,
      key: 'digest',
      where: (now) => ({ expiresAt: LessThan(new Date(now)) }),
      order: { expiresAt: 'ASC' },
    });
  }
}
