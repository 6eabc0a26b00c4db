import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AccountsStore } from '../../accounts/accounts.store.js';
import type { Session } from '../../accounts/session.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { PageError } from '../../../platform/views/page-error.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { renderConsentPage } from './consent.page.js';

/** Milliseconds in which a consent page can be answered; then it is shown again. */
const FORM_LIFETIME_MS = 3600_000;

/** How a person answered a consent page, and what that asked. */
export interface ConsentSubmission {
  decision: 'allow' | 'deny';
  /** Names the page, so that answering it twice is one answer. */
  formId: string;
  /** What the app asked for, as it came. */
  params: URLSearchParams;
  /** The scopes that the person left in; whatever else a form may hold. */
  selectedScopes: string[];
  /** Digest of the session in which it was asked. */
  sessionDigest: string;
  isFresh: boolean;
}

/**
 * The consent page, there and back. What it asks travels through the browser sealed, so that nothing of it can be changed
 * or made up there, and whoever is signed in when the answer comes must be who was asked.
 */
@Injectable()
export class ConsentForm {
  private readonly cipher: AesGcmCipher;

  constructor(
    private readonly accounts: AccountsStore,
    settings: Settings,
  ) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'consent-page');
  }

  async render(
    ui: ViewContext,
    request: AuthorizationRequest,
    params: URLSearchParams,
    session: Session,
  ): Promise<View> {
    const { ownerId } = request.app;
    const owner = ownerId === null ? null : await this.accounts.get(ownerId);
    const sealed = this.cipher.encrypt(JSON.stringify([randomUUID(), Date.now(), session.digest, params.toString()]));
    return renderConsentPage(ui, { request, owner, authorizationParams: params, encryptedRequest: sealed });
  }

  /** @throws PageError for what no page of ours held */
  parse(form: URLSearchParams): ConsentSubmission {
    const text = this.cipher.decrypt(form.get('request') ?? '');
    const decision = form.get('decision');
    if (text === undefined || (decision !== 'allow' && decision !== 'deny')) {
      throw new PageError(400, 'formExpired', 'formExpiredHelp');
    }
    const [id, at, session, query] = JSON.parse(text) as [string, number, string, string];
    const isFresh = Date.now() - at < FORM_LIFETIME_MS;
    return {
      decision,
      formId: id,
      params: new URLSearchParams(query),
      selectedScopes: form.getAll('scope'),
      sessionDigest: session,
      isFresh,
    };
  }
}
