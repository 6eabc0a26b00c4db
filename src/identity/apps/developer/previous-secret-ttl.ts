import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';

const UNIT_MS = { hour: 3600_000, day: 24 * 3600_000 };

/** Times for which the previous client secret can stay valid after it was replaced. */
export const PREVIOUS_SECRET_TTLS = [
  { value: '1h', duration: 1, unit: 'hour' },
  { value: '24h', duration: 24, unit: 'hour' },
  { value: '7d', duration: 7, unit: 'day' },
] as const;

/** Form value if the previous secret becomes invalid at once. */
export const NO_PREVIOUS_SECRET_TTL = 'none';

/**
 * Parses the field `keepOld` of the form that replaces a client secret. A missing one means none.
 * @returns milliseconds for which the previous secret stays valid
 * @throws InvalidFieldsError
 */
export function parsePreviousSecretTtlMs(form: URLSearchParams): number {
  const value = form.get('keepOld') ?? NO_PREVIOUS_SECRET_TTL;
  if (value === NO_PREVIOUS_SECRET_TTL) return 0;
  const ttl = PREVIOUS_SECRET_TTLS.find((candidate) => candidate.value === value);
  if (!ttl) throw new InvalidFieldsError([{ field: 'keepOld', code: 'keepOldInvalid' }]);
  return ttl.duration * UNIT_MS[ttl.unit];
}
