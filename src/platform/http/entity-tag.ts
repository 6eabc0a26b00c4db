import { hash } from 'node:crypto';
import { ApiError } from './api-error.js';
import { RenderedJson } from './rendered-json.js';

/**
 * Computes the weak entity tag of a response (RFC 9110 §8.8.3): id and version of the record, if
 * the body has them, and a digest of the body. It does not depend on the access token, which
 * changes every hour.
 * @param rendered the serialized body
 */
export function computeEntityTag(body: object, rendered: RenderedJson): string {
  const { timeStamp, id, version } = (body instanceof RenderedJson ? (body.record ?? {}) : body) as EntityTagMembers;
  const content = timeStamp === undefined ? rendered.bytes : JSON.stringify({ ...body, timeStamp: undefined });
  const digest = hash('sha256', content, 'base64url').slice(0, 16);
  const record = typeof id === 'string' && typeof version === 'number' ? `${id}-${version}-` : '';
  return `W/"${record}${digest}"`;
}

/** The members of a body that its entity tag shows or ignores. */
interface EntityTagMembers {
  timeStamp?: unknown;
  id?: unknown;
  version?: unknown;
}

/**
 * Checks `If-Match` before a record is changed. RFC 9110 §13.1.1 requires a strong comparison, in
 * which weak tags never match. This service compares id and version instead.
 * @throws ApiError 412 if the record has another version
 */
export function assertIfMatch(ifMatch: string | undefined, { id, version }: { id: string; version: number }): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag!);
  if (tags.some((tag) => tag === `${id}-${version}` || tag.startsWith(`${id}-${version}-`))) return;
  throw createVersionChangedError(version);
}

/**
 * Creates the 412 for a record that has another version than expected.
 * @param version the current version
 */
export function createVersionChangedError(version: number): ApiError {
  return new ApiError(
    412,
    'version_changed',
    `If-Match does not match the current version, ${version}. Read the resource again and repeat the change.`,
  );
}
