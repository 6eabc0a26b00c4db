import { COSEALG } from '@simplewebauthn/server/helpers';
import type { Settings } from '../../../platform/config/settings.js';

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
