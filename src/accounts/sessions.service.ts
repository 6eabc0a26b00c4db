import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { SetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import { LessThan, MoreThan, type Repository } from 'typeorm';
import { digest, isWellFormed, mintSecret } from '../crypto/opaque-secret.js';
import { Transactions } from '../database/transactions.js';
import { OwnCookies } from './own-cookies.js';
import { Session } from './session.entity.js';

const COOKIE = 'session';

/** Seconds after which a person signs in anew: two weeks. */
const LIFETIME = 14 * 24 * 3600;

/** Who is signed in, in which browser: an opaque cookie there, its digest here. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly cookies: OwnCookies,
    private readonly transactions: Transactions,
  ) {}

  /** The session of a browser, with its account as it is now. */
  async of(request: IncomingMessage): Promise<Session | null> {
    const secret = this.cookies.read(request, COOKIE);
    if (secret === undefined || !isWellFormed('sam_session', secret)) return null;
    return this.sessions.findOne({
      where: { digest: digest(secret), expiresAt: MoreThan(new Date()) },
      relations: { account: true },
    });
  }

  /** Signs a person in: always under a new id, so that nobody can have planted it, and the old one ends. */
  async begin(accountId: string, previous: Session | null): Promise<SetCookie> {
    const secret = mintSecret('sam_session');
    const authTime = new Date();
    const expiresAt = new Date(authTime.getTime() + LIFETIME * 1000);
    await this.transactions.run(async (tx) => {
      if (previous) await tx.delete(Session, { digest: previous.digest });
      await tx.delete(Session, { accountId, expiresAt: LessThan(authTime) });
      await tx.insert(Session, { digest: digest(secret), accountId, authTime, expiresAt });
    });
    return this.cookies.set(COOKIE, secret, LIFETIME);
  }

  /** Signs a person out, in this browser. */
  async end(session: Session | null): Promise<SetCookie> {
    if (session) await this.transactions.run((tx) => tx.delete(Session, { digest: session.digest }));
    return this.cookies.remove(COOKIE);
  }
}
