import { COSEALG } from '@simplewebauthn/server/helpers';
import type { Settings } from '../../../platform/config/settings.js';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** Signature algorithms of passkeys, in the order of preference. */
export const SUPPORTED_ALGORITHM_IDS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

/** Returns the RP ID, which is the host name of `BASE_URL` (WebAuthn §5.1.2). */
export function getRelyingPartyId({ BASE_URL }: Settings): string {
  return new URL(BASE_URL).hostname;
}

/** Returns the options that verify a response: its origin, RP ID and user verification. */
export function getVerificationOptions(settings: Settings): {
  expectedOrigin: string;
  expectedRPID: string;
  requireUserVerification: true;
} {
  return {
    expectedOrigin: new URL(settings.BASE_URL).origin,
    expectedRPID: getRelyingPartyId(settings),
    requireUserVerification: true,
  };
}

/** A credential id in base64url, of at most 1023 bytes (WebAuthn §4). */
const CREDENTIAL_ID_PATTERN = /^[\w-]{1,1364}$/;

/**
 * Parses the form field that the script fills: a credential as JSON (WebAuthn Level 3 §5.1).
 * @returns undefined if it has no id or no response; verification checks the other members
 */
export function parseCredentialJson<T extends AuthenticationResponseJSON | RegistrationResponseJSON>(
  text: string,
): T | undefined {
  const credential = parseJson(text) as Partial<T> | null | undefined;
  const { id, response } = credential ?? {};
  const isCredential = typeof id === 'string' && CREDENTIAL_ID_PATTERN.test(id);
  return isCredential && typeof response === 'object' && response !== null ? (credential as T) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
