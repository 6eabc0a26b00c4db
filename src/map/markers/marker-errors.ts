import type { DomainError } from '../../platform/errors/domain-error.js';
import {
  createGoneError,
  createInvalidRequestError,
  createNotFoundError,
} from '../../platform/errors/request-errors.js';

/** The marker does not exist. */
export function createMarkerNotFoundError(): DomainError {
  return createNotFoundError('marker');
}

/** The marker was deleted. */
export function createMarkerGoneError(): DomainError {
  return createGoneError('marker');
}

/** Some of `lat`, `lon` and `radius` are missing. */
export function createIncompleteCircleError(missing: string): DomainError {
  return createInvalidCombinationError(missing, `${missing} is missing. Send lat, lon and radius together.`);
}

/** A query parameter cannot be combined with others. */
export function createInvalidCombinationError(path: string, message: string): DomainError {
  return createInvalidRequestError([{ path, code: 'not_together', message }]);
}
