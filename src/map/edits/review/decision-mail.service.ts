import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountMailService } from '../../../identity/accounts/account-mail.service.js';
import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import { type Language, MESSAGES_BY_LANGUAGE } from '../../../platform/i18n/language.js';
import { TaskSchedulerService } from '../../../platform/scheduling/task-scheduler.service.js';
import { EditTargetsService, getTargetTitle } from '../edit-targets.service.js';
import type { Edit } from '../edit.entity.js';
import { EditsStore } from '../edits.store.js';

const INTERVAL_MS = 5 * 60_000;

/** Age at which a decision is sent, together with all later ones. */
const SEND_AGE_MS = 24 * 3600_000;

/** Age up to which a decision is sent after the service was stopped. */
const MAX_AGE_MS = 7 * SEND_AGE_MS;

/** Age from which a decision is in the message: each one is stored by then. */
const MIN_AGE_MS = 60_000;

/** Titles in a list of the message. */
const MAX_TITLES = 20;

/** Tells authors once a day by e-mail which of their suggestions were decided. */
@Injectable()
export class DecisionMailService implements OnModuleInit {
  constructor(
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly accounts: AccountsStore,
    private readonly mail: AccountMailService,
    private readonly transactions: TransactionService,
    private readonly scheduler: TaskSchedulerService,
  ) {}

  onModuleInit(): void {
    const run = (signal: AbortSignal): Promise<void> => this.tellAuthors(signal);
    this.scheduler.register({ name: 'tell-authors', intervalMs: INTERVAL_MS, run });
  }

  /** Queues the messages of all authors whose first decision is a day old. */
  async tellAuthors(signal?: AbortSignal): Promise<void> {
    if (!this.mail.isAvailable) return;
    const now = Date.now();
    const window = { after: new Date(now - MAX_AGE_MS), until: new Date(now - SEND_AGE_MS) };
    for (const authorId of await this.edits.listAuthorsToTell(window)) {
      if (signal?.aborted) return;
      await this.transactions.run((tx) => this.tellAuthor(tx, authorId, now));
    }
  }

  /** Does nothing if another process told the author since the author was listed. */
  private async tellAuthor(tx: EntityManager, authorId: string, now: number): Promise<void> {
    const [earliest, until] = [new Date(now - MAX_AGE_MS), new Date(now - MIN_AGE_MS)];
    const author = await this.accounts.findForUpdate(tx, authorId);
    const { wantsDecisionMail, decisionsToldAt, deletedAt } = author;
    if (!wantsDecisionMail || deletedAt) return;
    const after = decisionsToldAt && decisionsToldAt > earliest ? decisionsToldAt : earliest;
    const edits = await this.edits.listDecidedByOthers(tx, authorId, after, until);
    if (!edits[0] || edits[0].decidedAt!.getTime() > now - SEND_AGE_MS) return;
    const findTarget = await this.targets.loadLookup(edits);
    const decisions = edits.map((edit) => ({ edit, title: getTargetTitle(edit, findTarget(edit)) }));
    await this.mail.enqueue(tx, author, 'suggestionsDecided', {
      lists: (language) => buildLists(language, decisions),
      canUnsubscribe: true,
    });
    await this.accounts.updateDecisionsToldAt(tx, authorId, until);
  }
}

interface Decision {
  edit: Edit;
  title: string;
}

function buildLists(language: Language, decisions: Decision[]): Record<string, string[]> {
  const { more, undone } = MESSAGES_BY_LANGUAGE[language].mail.suggestionsDecided;
  const list = (isRejected: boolean): string[] => {
    const items = decisions
      .filter(({ edit }) => (edit.status === 'rejected') === isRejected)
      .map(({ edit, title }) => {
        if (isRejected) return [title, edit.decisionComment].filter(Boolean).join(': ');
        return edit.status === 'reverted' ? interpolate(undone, { title }) : title;
      });
    const rest = items.length - MAX_TITLES;
    return rest > 0 ? [...items.slice(0, MAX_TITLES), interpolate(more, { count: rest })] : items;
  };
  return { accepted: list(false), rejected: list(true) };
}
