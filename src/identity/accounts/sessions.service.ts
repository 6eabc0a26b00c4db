import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import { LessThan, MoreThan, type Repository } from 'typeorm';
import { computeDigest, generateSecret, isWellFormedSecret } from '../../platform/crypto/opaque-secret.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { SessionCookies } from './session-cookies.js';
import { Session } from './session.entity.js';

const SESSION_COOKIE_NAME = 'session';

/** Lifetime of a session: two weeks. */
const SESSION_TTL_SECONDS = 14 * 24 * 3600;

/**
 * Creates, finds and ends sessions. The cookie contains an opaque secret, the database its digest.
 */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly cookies: SessionCookies,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the valid session of a request with its account, or null. */
  async findByRequest(request: IncomingMessage): Promise<Session | null> {
    const secret = this.cookies.read(request, SESSION_COOKIE_NAME);
    if (secret === undefined || !isWellFormedSecret('sam_session', secret)) return null;
    return this.sessions.findOne({
      where: { digest: computeDigest(secret), expiresAt: MoreThan(new Date()) },
      relations: { account: true },
    });
  }

  /**
   * Creates a session under a new id, which prevents session fixation, and ends the previous one.
   */
  async create(accountId: string, previous: Session | null): Promise<SetCookie> {
    const secret = generateSecret('sam_session');
    const authTime = new Date();
    const expiresAt = new Date(authTime.getTime() + SESSION_TTL_SECONDS * 1000);
    await this.transactions.run(async (tx) => {
      if (previous) await tx.delete(Session, { digest: previous.digest });
      await tx.delete(Session, { accountId, expiresAt: LessThan(authTime) });
      await tx.insert(Session, { digest: computeDigest(secret), accountId, authTime, expiresAt });
    });
    return this.cookies.build(SESSION_COOKIE_NAME, secret, SESSION_TTL_SECONDS);
  }

  /** Ends a session. @returns the cookie that deletes the session cookie */
  async end(session: Session | null): Promise<SetCookie> {
    if (session) await this.transactions.run((tx) => tx.delete(Session, { digest: session.digest }));
    return this.cookies.buildExpired(SESSION_COOKIE_NAME);
  }
}
