import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Settings } from '../../../platform/config/settings.js';
import { AesGcmCipher } from '../../../platform/crypto/aes-gcm-cipher.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Session } from '../../accounts/sessions/session.entity.js';

/** Time after which a consent form is rendered again instead of accepted. */
const FORM_LIFETIME_MS = 3600_000;

/**
 * The buttons of the consent form. `deny` withdraws the requested scopes, `remove` everything that
 * the app was allowed, and `keep` changes nothing.
 */
const DECISIONS = ['allow', 'deny', 'keep', 'remove'] as const;

export type ConsentDecision = (typeof DECISIONS)[number];

/** A submitted consent form. */
export interface ConsentSubmission {
  decision: ConsentDecision;
  /** Identifies the rendered form, so that several submissions count as one decision. */
  formId: string;
  /** Name of the app that the form showed. */
  appName: string;
  /** Query of the authorization request. */
  query: string;
  /** Values of the field `scope`, not validated. */
  selectedScopes: string[];
  /** Digest of the session for which the form was rendered. */
  sessionDigest: string;
  isExpired: boolean;
}

/** The hidden field of the consent form: the encrypted request and session. */
@Injectable()
export class ConsentFormService {
  private readonly cipher: AesGcmCipher;

  constructor(settings: Settings) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'consent-page');
  }

  /** Encrypts the query of a request, and the shown name of the app, for a new form. */
  encryptRequest(query: string, session: Session, appName: string): string {
    return this.cipher.encrypt(JSON.stringify([randomUUID(), Date.now(), session.digest, query, appName]));
  }

  /** Parses a submitted form. @throws DomainError if this service did not render it */
  parse(form: URLSearchParams): ConsentSubmission {
    const text = this.cipher.decrypt(form.get('request') ?? '');
    const decision = DECISIONS.find((one) => one === form.get('decision'));
    if (text === undefined || decision === undefined) {
      throw new DomainError('invalid', 'consent_form_expired', 'The form is not a consent form of this service.');
    }
    type Fields = [formId: string, renderedAt: number, sessionDigest: string, query: string, appName: string];
    const [formId, renderedAt, sessionDigest, query, appName] = JSON.parse(text) as Fields;
    return {
      decision,
      formId,
      appName,
      query,
      selectedScopes: form.getAll('scope'),
      sessionDigest,
      isExpired: Date.now() - renderedAt >= FORM_LIFETIME_MS,
    };
  }
}
