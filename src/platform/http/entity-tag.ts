import { createHash } from 'node:crypto';
import { ApiError } from './api-error.js';

/**
 * The entity tag of an answer (RFC 9110 §8.8.3): the record and its version, where it is one, and a digest of what the
 * caller was shown. So it changes with anything that is shown, and not with the token, which changes every hour.
 */
export function computeEntityTag(body: object): string {
  const { timeStamp: _, ...shown } = body as { timeStamp?: unknown; id?: unknown; version?: unknown };
  const digest = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16);
  const { id, version } = shown;
  const record = typeof id === 'string' && typeof version === 'number' ? `${id}-${version}-` : '';
  return `W/"${record}${digest}"`;
}

/**
 * Checks `If-Match` before a record is changed. Our tags are weak, which RFC 9110 §13.1.1 would let match nothing; of a
 * tag the record and its version count.
 * @throws ApiError 412 where the record is at another version
 */
export function assertIfMatch(ifMatch: string | undefined, { id, version }: { id: string; version: number }): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag!);
  if (tags.some((tag) => tag === `${id}-${version}` || tag.startsWith(`${id}-${version}-`))) return;
  throw versionChanged(version);
}

/** @param version the one that the record is at */
export function versionChanged(version: number): ApiError {
  return new ApiError(412, 'version_changed', `This was changed meanwhile: it is at version ${version} now.`);
}
