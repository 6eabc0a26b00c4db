import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { deriveKey } from '../../../platform/crypto/derive-key.js';
import { computeDigest, deriveSecret, isWellFormedSecret } from '../../../platform/crypto/opaque-secret.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { App } from '../../apps/app.entity.js';
import { AuthorizationCode } from './authorization-code.entity.js';
import { createInvalidGrantError } from '../oauth-error.js';
import { CODE_REJECTION_MESSAGES, type CodeExchangeParams, getCodeMismatch } from './authorization-code-rejection.js';

/** Lifetime of an authorization code. */
const CODE_LIFETIME_MS = 60_000;

/** Minimum remaining lifetime of a code that is sent again; otherwise a new code replaces it. */
const MIN_REMAINING_LIFETIME_MS = 30_000;

/** Limit of codes for one consent form. */
const MAX_CODES_PER_FORM = 5;

/** The owner of a code: the values of the request and the session to which the code is bound. */
export type CodeOwner = Pick<
  AuthorizationCode,
  | 'accountId'
  | 'appId'
  | 'consentId'
  | 'scopes'
  | 'resources'
  | 'redirectUri'
  | 'codeChallenge'
  | 'dpopJkt'
  | 'nonce'
  | 'authTime'
  | 'amr'
  | 'browser'
>;

/**
 * Authorization codes: single use, valid for 60 seconds, bound to their request, stored as digests.
 */
@Injectable()
export class AuthorizationCodesService {
  private readonly derivationKey: Buffer;

  constructor(
    @InjectRepository(AuthorizationCode) private readonly codes: Repository<AuthorizationCode>,
    settings: Settings,
  ) {
    this.derivationKey = deriveKey(settings.MASTER_SECRET[0]!, 'authorization-codes');
  }

  /**
   * Issues a code. The caller's transaction has locked the account. Posting one consent form
   * several times returns the same code while it is valid, and then a new one. So the code that the
   * browser receives last works, and only one code can be exchanged at a time.
   * @param formId id of the consent form
   * @throws DomainError if the form has used up its codes
   */
  async issue(tx: EntityManager, formId: string, owner: CodeOwner): Promise<string> {
    const now = new Date();
    const codes = this.deriveAll(formId);
    const issued = await tx.findBy(AuthorizationCode, { digest: In([...codes.keys()]) });
    const valid = issued.find(({ usedAt, expiresAt }) => !usedAt && expiresAt > now);
    if (valid && canSendAgain(valid, owner, now)) return codes.get(valid.digest)!;

    const next = [...codes][issued.length];
    if (!next) throw new DomainError('invalid', 'consent_form_sent_too_often', 'The consent form was sent too often.');
    const [digest, code] = next;
    if (valid) await tx.update(AuthorizationCode, { digest: valid.digest }, { usedAt: now });
    const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
    await tx.insert(AuthorizationCode, { digest, ...owner, expiresAt, usedAt: null, authorizationId: null });
    return code;
  }

  /**
   * Returns the code of a token request if it matches the other parameters. A mismatch does not use
   * up the code.
   * @throws OAuthError invalid_grant
   */
  async verify(app: App, code: string, params: CodeExchangeParams): Promise<AuthorizationCode> {
    if (!isWellFormedSecret('sam_code', code)) throw createInvalidGrantError(CODE_REJECTION_MESSAGES.unknown);
    const issued = await this.codes.findOneBy({ digest: computeDigest(code) });
    if (!issued) throw createInvalidGrantError(CODE_REJECTION_MESSAGES.unknown);
    const mismatch = getCodeMismatch(issued, app, params);
    if (!mismatch) return issued;
    const uris = {
      accepted: { source: 'requested', values: [issued.redirectUri] },
      sent: params.redirectUri ?? '',
    } as const;
    throw createInvalidGrantError(
      CODE_REJECTION_MESSAGES[mismatch],
      mismatch === 'redirect_uri_mismatch' ? uris : undefined,
    );
  }

  /** Returns all codes that a form can get, by digest, in the order of their issue. */
  private deriveAll(formId: string): Map<string, string> {
    const codes = Array.from({ length: MAX_CODES_PER_FORM }, (_, count) =>
      deriveSecret('sam_code', this.derivationKey, `${formId} ${count}`),
    );
    return new Map(codes.map((code) => [computeDigest(code), code]));
  }
}

/** Whether a code has the same consent and scopes as the new request, and enough time left. */
function canSendAgain(issued: AuthorizationCode, { consentId, scopes }: CodeOwner, now: Date): boolean {
  if (issued.consentId !== consentId || issued.scopes.join() !== scopes.join()) return false;
  return issued.expiresAt.getTime() - now.getTime() > MIN_REMAINING_LIFETIME_MS;
}
