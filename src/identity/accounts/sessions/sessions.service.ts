import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import { type EntityManager, LessThan, MoreThan, Not, type Repository } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { computeDigest, generateSecret, isWellFormedSecret } from '../../../platform/crypto/opaque-secret.js';
import { generateId, isId } from '../../../platform/database/ids.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { getClientIp } from '../../../platform/http/client-address.js';
import { getCurrentRequest } from '../../../platform/logging/request-context.js';
import type { Account } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { formatBrowserName } from './browser-name.js';
import { SessionCookiesService } from './session-cookies.service.js';
import { Session } from './session.entity.js';

const SESSION_COOKIE_NAME = 'session';

/** Lifetime of a session: two weeks. */
const SESSION_TTL_SECONDS = 14 * 24 * 3600;

/** Interval at which requests update `lastSeenAt`. */
const LAST_SEEN_INTERVAL_MS = 5 * 60_000;

const MAX_USER_AGENT_LENGTH = 300;

/** Sessions of an account. A further sign-in ends the oldest. */
const MAX_SESSIONS = 50;

/** Input for a new session. */
export interface NewSession {
  /** The account as it was when the person authenticated. */
  account: Account;
  amr: string[];
  /** The session of this browser that the new one replaces. */
  previous: Session | null;
}

/**
 * The session of a request ended while the request was handled. Pages redirect to the sign-in page.
 */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError';
}

/**
 * Creates, finds and ends sessions. The cookie contains an opaque secret, the database its digest.
 */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly accounts: AccountsStore,
    private readonly cookies: SessionCookiesService,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
  ) {}

  /** Returns the valid session of a request with its account, or null. */
  async findByRequest(request: IncomingMessage): Promise<Session | null> {
    const secret = this.cookies.read(request, SESSION_COOKIE_NAME);
    if (secret === undefined || !isWellFormedSecret('sam_session', secret)) return null;
    const session = await this.sessions.findOne({
      where: { digest: computeDigest(secret), expiresAt: MoreThan(new Date()) },
      relations: { account: true },
    });
    if (session) await this.updateLastSeen(session);
    return session;
  }

  /** Returns the valid sessions of an account, the last used first. */
  async list(accountId: string): Promise<Session[]> {
    return this.sessions.find({
      where: { accountId, expiresAt: MoreThan(new Date()) },
      order: { lastSeenAt: 'DESC', id: 'DESC' },
    });
  }

  /**
   * Creates a session under a new id, which prevents session fixation, and ends the previous one.
   * Of more than 50 sessions, the oldest ends too.
   * @returns its cookie; null if the password changed or the account was deleted since the person
   * authenticated
   */
  async create(tx: EntityManager, { account, amr, previous }: NewSession): Promise<SetCookie | null> {
    const secret = generateSecret('sam_session');
    const session = buildSession(secret, account, amr);
    const current = await this.accounts.findForUpdate(tx, account.id);
    if (current.passwordHash !== account.passwordHash || current.deletedAt) return null;
    if (previous) await tx.delete(Session, { digest: previous.digest });
    await tx.delete(Session, { accountId: account.id, expiresAt: LessThan(session.authTime) });
    await this.endOldest(tx, account.id);
    await tx.insert(Session, session);
    await this.audit.record(tx, {
      type: 'session.created',
      accountId: account.id,
      detail: formatBrowserName(session.userAgent),
    });
    return this.cookies.build(SESSION_COOKIE_NAME, secret, SESSION_TTL_SECONDS);
  }

  /**
   * Gives a session a new secret after the person entered the password, so that a copy of the old
   * cookie no longer works.
   * @throws SessionEndedError
   */
  async renew(tx: EntityManager, { digest }: Session): Promise<SetCookie> {
    const secret = generateSecret('sam_session');
    const now = Date.now();
    const { affected } = await tx.update(
      Session,
      { digest },
      {
        digest: computeDigest(secret),
        authTime: new Date(now),
        expiresAt: new Date(now + SESSION_TTL_SECONDS * 1000),
      },
    );
    if (!affected) throw new SessionEndedError();
    return this.cookies.build(SESSION_COOKIE_NAME, secret, SESSION_TTL_SECONDS);
  }

  /**
   * Checks that a session has not ended, in a transaction that locked its account.
   * @throws SessionEndedError
   */
  async assertActive(tx: EntityManager, { digest }: Session): Promise<void> {
    if (!(await tx.existsBy(Session, { digest }))) throw new SessionEndedError();
  }

  /** Stores that the person authenticated again with the password in this session. */
  async renewAuthTime(session: Session): Promise<void> {
    const { digest } = session;
    const authTime = new Date();
    await this.transactions.run((tx) => tx.update(Session, { digest }, { authTime }));
    session.authTime = authTime;
  }

  /** Ends a session. @returns the cookie that deletes the session cookie */
  async end(session: Session | null): Promise<SetCookie> {
    if (session) await this.transactions.run((tx) => this.deleteSessions(tx, [session]));
    return this.cookies.buildExpired(SESSION_COOKIE_NAME);
  }

  /** Ends a session of the account by its public id. @returns whether there was one */
  async endById(accountId: string, id: string): Promise<boolean> {
    if (!isId('ses', id)) return false;
    return this.transactions.run(async (tx) => {
      const sessions = await tx.findBy(Session, { accountId, id });
      await this.deleteSessions(tx, sessions);
      return sessions.length > 0;
    });
  }

  /**
   * Ends the sessions of an account.
   * @param except the session that stays
   * @returns the number of ended sessions
   */
  async endAll(tx: EntityManager, accountId: string, except?: Session): Promise<number> {
    const sessions = await tx.findBy(Session, { accountId, ...(except && { digest: Not(except.digest) }) });
    await this.deleteSessions(tx, sessions);
    return sessions.length;
  }

  /** Makes room for one more session of a locked account. */
  private async endOldest(tx: EntityManager, accountId: string): Promise<void> {
    const sessions = await tx.find(Session, { where: { accountId }, order: { createdAt: 'DESC', id: 'DESC' } });
    await this.deleteSessions(tx, sessions.slice(MAX_SESSIONS - 1));
  }

  private async deleteSessions(tx: EntityManager, sessions: Session[]): Promise<void> {
    for (const { digest, accountId, userAgent } of sessions) {
      const { affected } = await tx.delete(Session, { digest });
      if (affected === 0) continue;
      await this.audit.record(tx, { type: 'session.ended', accountId, detail: formatBrowserName(userAgent) });
    }
  }

  /** A failed update does not fail the request, because the time only informs the person. */
  private async updateLastSeen({ digest, lastSeenAt }: Session): Promise<void> {
    const now = new Date();
    if (now.getTime() - lastSeenAt.getTime() < LAST_SEEN_INTERVAL_MS) return;
    const ipAddress = getClientIp();
    await this.transactions
      .run((tx) => tx.update(Session, { digest }, { lastSeenAt: now, ...(ipAddress && { ipAddress }) }))
      .catch(() => undefined);
  }
}

function buildSession(secret: string, account: Account, amr: string[]): Omit<Session, 'account'> {
  const now = new Date();
  return {
    digest: computeDigest(secret),
    id: generateId('ses'),
    accountId: account.id,
    amr,
    userAgent: getCurrentRequest()?.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    ipAddress: getClientIp(),
    authTime: now,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_TTL_SECONDS * 1000),
  };
}
