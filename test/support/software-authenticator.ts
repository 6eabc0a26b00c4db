import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const [USER_PRESENT, USER_VERIFIED, ATTESTED_DATA] = [0x01, 0x04, 0x40];

/** Deviations of a response from a correct one. */
export interface ResponseOverrides {
  origin?: string;
  rpId?: string;
  /** base64url */
  challenge?: string;
  type?: string;
  isUserVerified?: boolean;
  isUserPresent?: boolean;
  counter?: number;
  userHandle?: string;
  transports?: unknown;
  credentialId?: string;
  /** The key that signs, if it is not the key of the credential. */
  privateKey?: KeyObject;
}

/** An authenticator with one P-256 credential, and the browser that passes its responses on. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32).toString('base64url');
  readonly keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  userHandle = '';
  counter = 0;

  constructor(
    private readonly origin: string,
    private readonly rpId = new URL(origin).hostname,
  ) {}

  /** Creates the credential (WebAuthn §6.3.2). @returns `RegistrationResponseJSON` */
  register(options: PublicKeyCredentialCreationOptionsJSON, overrides: ResponseOverrides = {}): string {
    this.userHandle = options.user.id;
    const clientDataJSON = this.buildClientData('webauthn.create', options.challenge, overrides);
    const id = overrides.credentialId ?? this.credentialId;
    const attestationObject = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(this.buildAuthenticatorData(overrides, this.buildAttestedData(id)))],
      ]) as never,
    );
    return this.toJson(id, {
      clientDataJSON: clientDataJSON.toString('base64url'),
      attestationObject: Buffer.from(attestationObject).toString('base64url'),
      transports: overrides.transports ?? ['internal'],
    });
  }

  /** Signs a challenge (WebAuthn §6.3.3). @returns `AuthenticationResponseJSON` */
  authenticate({ challenge }: PublicKeyCredentialRequestOptionsJSON, overrides: ResponseOverrides = {}): string {
    const clientData = this.buildClientData('webauthn.get', challenge, overrides);
    const authenticatorData = this.buildAuthenticatorData(overrides);
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
    return this.toJson(overrides.credentialId ?? this.credentialId, {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, overrides.privateKey ?? this.keyPair.privateKey).toString('base64url'),
      userHandle: overrides.userHandle ?? this.userHandle,
    });
  }

  private buildClientData(type: string, challenge: string, overrides: ResponseOverrides): Buffer {
    const { origin = this.origin } = overrides;
    return Buffer.from(JSON.stringify({ type, challenge, crossOrigin: false, ...overrides, origin }));
  }

  /** Each response increases the counter, unless it has a counter of its own. */
  private buildAuthenticatorData(overrides: ResponseOverrides, attestedData: Buffer = Buffer.alloc(0)): Buffer {
    const { rpId = this.rpId, isUserVerified = true, isUserPresent = true, counter = ++this.counter } = overrides;
    const flags =
      (isUserPresent ? USER_PRESENT : 0) |
      (isUserVerified ? USER_VERIFIED : 0) |
      (attestedData.length > 0 ? ATTESTED_DATA : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, attestedData]);
  }

  private buildAttestedData(credentialId: string): Buffer {
    const id = Buffer.from(credentialId, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    return Buffer.concat([Buffer.alloc(16), length, id, this.encodePublicKey()]);
  }

  /** Returns the COSE key: kty EC2, alg ES256, crv P-256, x, y (RFC 9053 §7.1.1). */
  private encodePublicKey(): Buffer {
    const { x, y } = this.keyPair.publicKey.export({ format: 'jwk' });
    const toBytes = (text?: string): Uint8Array => new Uint8Array(Buffer.from(text!, 'base64url'));
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, toBytes(x)],
      [-3, toBytes(y)],
    ]);
    return Buffer.from(isoCBOR.encode(key as never));
  }

  private toJson(id: string, response: Record<string, unknown>): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
