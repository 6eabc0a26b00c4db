import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { PageError } from '../../../platform/views/page-error.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import type { Scope } from '../../scopes/scopes.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { renderConsentPage } from './consent.page.js';

/** Time after which a consent form is rendered again instead of accepted. */
const FORM_LIFETIME_MS = 3600_000;

/** A submitted consent form. */
export interface ConsentSubmission {
  decision: 'allow' | 'deny';
  /** Identifies the rendered form, so that several submissions count as one decision. */
  formId: string;
  /** Parameters of the authorization request. */
  params: URLSearchParams;
  /** Values of the field `scope`, not validated. */
  selectedScopes: string[];
  /** Digest of the session for which the form was rendered. */
  sessionDigest: string;
  isExpired: boolean;
}

/**
 * Renders and parses the consent form. Its hidden field contains the encrypted request and session.
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

  /**
   * Renders the consent page of a request.
   * @param allowedScopes scopes that the person allowed the app before
   */
  async render(
    viewContext: ViewContext,
    request: AuthorizationRequest,
    params: URLSearchParams,
    session: Session,
    allowedScopes: Scope[],
  ): Promise<View> {
    const { ownerId } = request.app;
    const owner = ownerId === null ? null : await this.accounts.get(ownerId);
    const state = [randomUUID(), Date.now(), session.digest, params.toString()];
    const encryptedRequest = this.cipher.encrypt(JSON.stringify(state));
    return renderConsentPage(viewContext, {
      request,
      allowedScopes,
      owner,
      authorizationParams: params,
      encryptedRequest,
    });
  }

  /** Parses a submitted form. @throws PageError 400 if this service did not render it */
  parse(form: URLSearchParams): ConsentSubmission {
    const text = this.cipher.decrypt(form.get('request') ?? '');
    const decision = form.get('decision');
    if (text === undefined || (decision !== 'allow' && decision !== 'deny')) {
      throw new PageError(400, 'formExpired', 'formExpiredHelp');
    }
    const [formId, renderedAt, sessionDigest, query] = JSON.parse(text) as [string, number, string, string];
    return {
      decision,
      formId,
      params: new URLSearchParams(query),
      selectedScopes: form.getAll('scope'),
      sessionDigest,
      isExpired: Date.now() - renderedAt >= FORM_LIFETIME_MS,
    };
  }
}
