import { DomainError } from './domain-error.js';

/** A rule that one member of a request breaks. */
export interface ErrorDetail {
  /** Path of the member, with dots. */
  path: string;
  /** Names the rule for programs, in snake_case. */
  code: string;
  message: string;
}

/** Limit of `details` in an error. */
const MAX_ERROR_DETAILS = 20;

/** Creates the error for an invalid request, with the message of the first detail. */
export function createInvalidRequestError(errors: ErrorDetail[]): DomainError {
  const details = errors.slice(0, MAX_ERROR_DETAILS);
  return new DomainError('invalid', 'invalid_request', details[0]!.message, { details });
}

/** Creates the error for a public resource that does not exist. */
export function createNotFoundError(resource: string): DomainError {
  return new DomainError('not_found', 'not_found', `This ${resource} does not exist. Check the id.`);
}

/** Creates the error for a resource that does not exist or that the caller cannot read. */
export function createNotVisibleError(resource: string): DomainError {
  const message = `This ${resource} does not exist, or this person and app cannot read it.`;
  return new DomainError('not_found', 'not_found', message);
}

/** Creates the error for a deleted resource. */
export function createGoneError(resource: string, reason?: string): DomainError {
  return new DomainError('gone', 'gone', `This ${resource} was deleted.`, reason ? { reason } : {});
}
