import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../../identity/accounts/account.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { EditsStore } from '../edits.store.js';
import { getMaxOpenEdits } from '../rules/edit-permissions.js';
import { denyEdit, type EditDenial } from '../rules/rule-result.js';

const HOUR_MS = 3600_000;

/** Accepted suggestions from which a member can suggest more in an hour. */
const ACCEPTED_OF_EXPERIENCED_MEMBER = 20;

/** Suggestions in an hour, by the experience of the author. */
export const HOURLY_EDITS = { new: 30, experienced: 120, reviewer: 600 } as const;

/** The numbers of suggestions of a person, and their limits. */
export interface SuggestionQuota {
  openEdits: number;
  openEditsMax: number;
  /** Suggestions in the last hour. */
  hourlyEdits: number;
  hourlyEditsMax: number;
  /** Seconds until the person can suggest again; undefined if the limit is not reached. */
  retryAfterSeconds: number | undefined;
}

/**
 * Limits the suggestions of a person in an hour, over all apps. The limit grows with accepted
 * suggestions. Withdrawn suggestions count too.
 */
@Injectable()
export class SuggestionQuotaService {
  constructor(
    private readonly edits: EditsStore,
    private readonly settings: Settings,
  ) {}

  async read(person: Account, tx?: EntityManager): Promise<SuggestionQuota> {
    const hourlyEditsMax = HOURLY_EDITS[await this.findExperience(person, tx)];
    const last = { since: new Date(Date.now() - HOUR_MS), limit: HOURLY_EDITS.reviewer };
    const times = await this.edits.listSuggestionTimes(person.id, last, tx);
    const oldest = times[hourlyEditsMax - 1];
    const retryAfterSeconds = oldest && Math.max(1, Math.ceil((oldest.getTime() + HOUR_MS - Date.now()) / 1000));
    return {
      openEdits: await this.edits.countOpen(person.id, tx),
      openEditsMax: getMaxOpenEdits(person),
      hourlyEdits: times.length,
      hourlyEditsMax,
      retryAfterSeconds,
    };
  }

  /** Checks whether a person can suggest another edit in this hour. */
  check({ hourlyEditsMax, retryAfterSeconds }: SuggestionQuota): EditDenial | null {
    if (retryAfterSeconds === undefined || this.settings.RATE_LIMITS === 'off') return null;
    const message = `This person suggested ${hourlyEditsMax} edits within an hour, which is the maximum. Try again in ${retryAfterSeconds} seconds.`;
    return { ...denyEdit('quota_exceeded', message), retryAfterSeconds };
  }

  private async findExperience({ id, role }: Account, tx?: EntityManager): Promise<keyof typeof HOURLY_EDITS> {
    if (role !== 'member') return 'reviewer';
    const isExperienced = await this.edits.hasAccepted(id, ACCEPTED_OF_EXPERIENCED_MEMBER, tx);
    return isExperienced ? 'experienced' : 'new';
  }
}
