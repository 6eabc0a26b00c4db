import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { type Account, normalizeUsernameOrEmail } from '../account.entity.js';
import { SignInAttemptCounter } from './sign-in-attempt-counter.entity.js';

/**
 * Numbers of failures in a row that are reported at once: 3, 10, 30, 100, 300 and so on. A long
 * attack adds few events.
 */
const REPORTED_COUNT = /^[13]0+$|^3$/;

/**
 * Tells people about failed sign-ins in a row: while they continue, and at the next sign-in. The
 * count ends with a success, or one hour after the last failure.
 */
@Injectable()
export class FailedSignInsService {
  constructor(
    @InjectRepository(SignInAttemptCounter) private readonly counters: Repository<SignInAttemptCounter>,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Counts a wrong password. An unknown name is counted too, so that it takes the same time.
   * @param account the account of the name, if there is one
   */
  async recordFailure(usernameOrEmail: string, account: Account | null): Promise<void> {
    const digest = computeCounterDigest(account?.id ?? normalizeUsernameOrEmail(usernameOrEmail));
    await this.transactions.run(async (tx) => {
      const count = await this.increment(tx, digest);
      if (account && REPORTED_COUNT.test(String(count))) await this.recordEvent(tx, account, count);
    });
  }

  /** Ends the count of an account, and reports it unless its last failure was reported at once. */
  async recordSuccess(account: Account): Promise<void> {
    const digest = computeCounterDigest(account.id);
    if (!(await this.counters.existsBy({ digest }))) return;
    await this.transactions.run(async (tx) => {
      const counter = await tx.findOneBy(SignInAttemptCounter, { digest });
      const { affected } = await tx.delete(SignInAttemptCounter, { digest });
      if (!counter || affected === 0 || REPORTED_COUNT.test(String(counter.count))) return;
      await this.recordEvent(tx, account, counter.count);
    });
  }

  private async recordEvent(tx: EntityManager, { id }: Account, count: number): Promise<void> {
    await this.audit.record(tx, { type: 'sign_in.failed', accountId: id, detail: String(count) });
  }

  /** The insert locks the row, so that concurrent failures are counted one after the other. */
  private async increment(tx: EntityManager, digest: string): Promise<number> {
    const lastAttemptAt = new Date();
    await tx
      .createQueryBuilder()
      .insert()
      .into(SignInAttemptCounter)
      .values({ digest, count: 0, lastAttemptAt })
      .orUpdate(['digest'], ['digest'])
      .execute();
    const { count } = await tx.findOneByOrFail(SignInAttemptCounter, { digest });
    await tx.update(SignInAttemptCounter, { digest }, { count: count + 1, lastAttemptAt });
    return count + 1;
  }
}

function computeCounterDigest(subject: string): string {
  return computeDigest(`failed sign-ins ${subject}`);
}
