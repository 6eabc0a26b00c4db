import { Injectable } from '@nestjs/common';
import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Settings } from '../../../platform/config/settings.js';
import { generateId, isId } from '../../../platform/database/ids.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import { isName } from '../../../platform/validation/text.decorator.js';
import { AccountMailService } from '../account-mail.service.js';
import { createAccountBlockedError, createEmailUnconfirmedError } from '../account-errors.js';
import { checkNotBlocked } from '../account-permissions.js';
import { type Account, isBlocked } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import {
  getRelyingPartyId,
  getVerificationOptions,
  parseCredentialJson,
  SUPPORTED_ALGORITHM_IDS,
} from '../sign-in/webauthn.js';
import {
  CHALLENGE_TTL_MS,
  PasskeyChallengesService,
  type ValidChallenge,
} from '../sign-in/passkey-challenges.service.js';
import type { Passkey } from './passkey.entity.js';
import { PasskeysStore } from './passkeys.store.js';

/** Limit of passkeys per account. */
export const MAX_PASSKEYS = 20;

/** The transports of WebAuthn Level 3 §5.8.4. A browser can send other texts. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** Input of the form. */
export interface NewPasskey {
  name: string;
  /** Null if the page did not ask for it. */
  password: string | null;
}

/** Result of adding a passkey. */
export type RegistrationOutcome = 'added' | 'rejected' | 'limitReached';

type RegisteredCredential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/**
 * Adds passkeys in two steps: options for the device, and verification of its response. Removes
 * them.
 */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeysStore,
    private readonly challenges: PasskeyChallengesService,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionsService,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    private readonly mail: AccountMailService,
    private readonly settings: Settings,
  ) {}

  /**
   * Returns the options for the device, as `PublicKeyCredentialCreationOptionsJSON` (WebAuthn
   * Level 3 §5.4); null at the limit of passkeys.
   * @param rpName name of the service that the device shows
   * @throws InvalidFieldsError if the name or the password is invalid
   * @throws DomainError `account_blocked`, `email_unconfirmed`, `too_many_password_attempts`
   */
  async start(session: Session, newPasskey: NewPasskey, rpName: string): Promise<string | null> {
    await this.validate(session, newPasskey);
    const { account, digest } = session;
    const existing = await this.passkeys.list(account.id);
    if (existing.length >= MAX_PASSKEYS) return null;
    const options = await generateRegistrationOptions({
      rpName,
      rpID: getRelyingPartyId(this.settings),
      userID: Buffer.from(account.id),
      userName: account.username,
      userDisplayName: account.name,
      challenge: this.challenges.issue({ purpose: 'registration', boundTo: digest }),
      attestationType: 'none',
      excludeCredentials: existing.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: SUPPORTED_ALGORITHM_IDS,
      timeout: CHALLENGE_TTL_MS,
    });
    return JSON.stringify(options);
  }

  /**
   * Verifies the response of the device and stores the passkey.
   * @param credentialJson `RegistrationResponseJSON`
   * @throws InvalidFieldsError, DomainError as `start`
   */
  async finish(session: Session, newPasskey: NewPasskey, credentialJson: string): Promise<RegistrationOutcome> {
    await this.validate(session, newPasskey);
    const verified = await this.verifyResponse(session, credentialJson);
    if (!verified) return 'rejected';
    const passkey = buildPasskey(session.account, newPasskey.name, verified.credential);
    return this.store(session, passkey, verified.challenge);
  }

  /** Removes a passkey of the account, and tells the person by e-mail. */
  async remove(accountId: string, id: string): Promise<void> {
    if (!isId('pky', id)) return;
    await this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, accountId);
      const passkey = await this.passkeys.delete(tx, accountId, id);
      if (!passkey) return;
      await this.audit.record(tx, { type: 'passkey.removed', accountId, detail: passkey.name });
      const values = { passkey: passkey.name };
      await this.mail.enqueue(tx, account, 'passkeyRemoved', { values, path: '/account/passkeys' });
    });
  }

  /** Removes all passkeys of an account, whose row is locked. */
  async removeAll(tx: EntityManager, accountId: string): Promise<void> {
    for (const { name } of await this.passkeys.list(accountId, tx)) {
      await this.audit.record(tx, { type: 'passkey.removed', accountId, detail: name });
    }
    await this.passkeys.deleteAll(tx, accountId);
  }

  private async validate(session: Session, { name, password }: NewPasskey): Promise<void> {
    if (checkNotBlocked(session.account)) throw createAccountBlockedError();
    if (this.mail.checkConfirmed(session.account)) throw createEmailUnconfirmedError();
    if (!isName(name)) throw new InvalidFieldsError([{ field: 'name', code: 'nameInvalid' }]);
    await this.passwordConfirmation.requireRecent(session, password);
  }

  /** Verifies everything except that the challenge is unused. */
  private async verifyResponse(
    { digest }: Session,
    credentialJson: string,
  ): Promise<{ credential: RegisteredCredential; challenge: ValidChallenge } | undefined> {
    const response = parseCredentialJson<RegistrationResponseJSON>(credentialJson);
    if (!response) return undefined;
    let challenge: ValidChallenge | undefined;
    const expectedChallenge = (text: string): boolean => {
      challenge = this.challenges.verify({ purpose: 'registration', boundTo: digest }, text);
      return challenge !== undefined;
    };
    // The library throws an error for each violated rule.
    const result = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      supportedAlgorithmIDs: SUPPORTED_ALGORITHM_IDS,
      ...getVerificationOptions(this.settings),
    }).catch(() => undefined);
    return result?.verified && challenge ? { credential: result.registrationInfo, challenge } : undefined;
  }

  private async store(
    session: Session,
    passkey: Omit<Passkey, 'account'>,
    challenge: ValidChallenge,
  ): Promise<RegistrationOutcome> {
    const { accountId, name } = passkey;
    return this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, accountId);
      if (isBlocked(account) || account.deletedAt) return 'rejected';
      await this.sessions.assertActive(tx, session);
      const existing = await this.passkeys.list(accountId, tx);
      if (existing.length >= MAX_PASSKEYS) return 'limitReached';
      if (!(await this.passkeys.consumeChallenge(tx, challenge))) return 'rejected';
      if (!(await this.passkeys.insert(tx, passkey))) return 'rejected';
      await this.audit.record(tx, { type: 'passkey.added', accountId, detail: name });
      await this.mail.enqueue(tx, account, 'passkeyAdded', { values: { passkey: name }, path: '/account/passkeys' });
      return 'added';
    });
  }
}

function buildPasskey(
  { id: accountId }: Account,
  name: string,
  { credential, credentialBackedUp }: RegisteredCredential,
): Omit<Passkey, 'account'> {
  const transports: unknown = credential.transports;
  return {
    id: generateId('pky'),
    credentialId: credential.id,
    accountId,
    name,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: Array.isArray(transports) ? TRANSPORTS.filter((transport) => transports.includes(transport)) : [],
    backedUp: credentialBackedUp,
    createdAt: new Date(),
    lastUsedAt: null,
  };
}
