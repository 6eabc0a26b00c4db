import { Injectable } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { Redirect } from '../../../platform/http/redirect.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';

/** Sessions that the page shows at most. The button for all others ends the rest. */
const MAX_SHOWN_SESSIONS = 50;

/** Ids of sessions. */
const SESSION_ID_PATTERN = /^ses_[\w-]{26}$/;

/** The sessions of an account as the page shows them. */
export interface SessionOverview {
  /** The session of this browser. */
  current: Session;
  /** The other sessions, the last used first. */
  others: Session[];
  /** Number of all other sessions. */
  otherCount: number;
}

/** Lists and ends the sessions of the person who is signed in. */
@Injectable()
export class AccountSessionsService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the session of the request, and the last used ones of the same account. */
  async list(current: Session): Promise<SessionOverview> {
    const all = await this.sessions.list(current.accountId);
    const others = all.filter(({ id }) => id !== current.id);
    return { current, others: others.slice(0, MAX_SHOWN_SESSIONS), otherCount: others.length };
  }

  /**
   * Ends a session of the account by its id.
   * @returns a redirect to the list, or to the sign-in page if this is the current session
   */
  async end(basePath: string, current: Session, id: string): Promise<Redirect> {
    if (id === current.id) return new Redirect(`${basePath}/sign-in`, [await this.sessions.end(current)]);
    const isEnded = SESSION_ID_PATTERN.test(id) && (await this.sessions.endById(current.accountId, id));
    return new Redirect(`${basePath}/account/sessions?done=${isEnded ? 'ended' : 'alreadyEnded'}`);
  }

  /** Ends all sessions of the account except the current one. */
  async endOthers(basePath: string, current: Session): Promise<Redirect> {
    await this.transactions.run((tx) => this.sessions.endAll(tx, current.accountId, current));
    return new Redirect(`${basePath}/account/sessions?done=othersEnded`);
  }
}
