import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { Session } from '../../accounts/session.entity.js';
import { Settings } from '../../config/settings.js';
import { SealedBox } from '../../crypto/sealed-box.js';
import { PageError } from '../../views/page-error.js';
import type { Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { consentPage } from './consent.page.js';

/** Milliseconds in which a consent page can be answered; then it is shown again. */
const LIFETIME = 3600_000;

/** How a person answered a consent page, and what that asked. */
export interface Answered {
  decision: 'allow' | 'deny';
  /** Names the page, so that answering it twice is one answer. */
  id: string;
  /** What the app asked for, as it came. */
  params: URLSearchParams;
  /** The scopes that the person left in; whatever else a form may hold. */
  allowed: string[];
  /** Digest of the session in which it was asked. */
  session: string;
  isFresh: boolean;
}

/**
 * The consent page, there and back. What it asks travels through the browser sealed, so that nothing of it can be changed
 * or made up there, and whoever is signed in when the answer comes must be who was asked.
 */
@Injectable()
export class ConsentPages {
  private readonly box: SealedBox;

  constructor(
    private readonly accounts: AccountsService,
    settings: Settings,
  ) {
    this.box = new SealedBox(settings.MASTER_SECRET, 'consent-page');
  }

  async ask(ui: Ui, request: AuthorizationRequest, params: URLSearchParams, session: Session): Promise<View> {
    const { ownerId } = request.app;
    const owner = ownerId === null ? null : await this.accounts.get(ownerId);
    const sealed = this.box.seal(JSON.stringify([randomUUID(), Date.now(), session.digest, params.toString()]));
    return consentPage(ui, { request, owner, query: params, sealed });
  }

  /** @throws PageError for what no page of ours held */
  read(form: URLSearchParams): Answered {
    const text = this.box.open(form.get('request') ?? '');
    const decision = form.get('decision');
    if (text === undefined || (decision !== 'allow' && decision !== 'deny')) {
      throw new PageError(400, 'staleForm', 'staleFormHelp');
    }
    const [id, at, session, query] = JSON.parse(text) as [string, number, string, string];
    const isFresh = Date.now() - at < LIFETIME;
    return { decision, id, params: new URLSearchParams(query), allowed: form.getAll('scope'), session, isFresh };
  }
}
