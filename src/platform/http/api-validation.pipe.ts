import { type ArgumentMetadata, Injectable, type PipeTransform, type Type, ValidationPipe } from '@nestjs/common';
import { createInvalidRequestError } from '../errors/request-errors.js';
import { createUnknownMemberDetail, type MemberKind, toErrorDetails } from './validation-details.js';

/** Validates queries and bodies by their DTO. A member that the DTO does not have is an error. */
@Injectable()
export class ApiValidationPipe implements PipeTransform {
  private readonly bodyPipe = createPipe('field');
  private readonly queryPipe = createPipe('parameter');
  /** The queries without a required parameter. */
  private readonly optionalQueries = new Set<Type<object>>();

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (typeof value === 'string' || metadata.type === 'custom') return value; // no query and no body
    const isQuery = metadata.type === 'query';
    const ignored = findIgnoredMember(value);
    if (ignored !== undefined)
      throw createInvalidRequestError([createUnknownMemberDetail(isQuery ? 'parameter' : 'field', ignored)]);
    if (!isQuery) return this.bodyPipe.transform(value, metadata);
    return isEmpty(value) ? this.transformEmptyQuery(value, metadata) : this.queryPipe.transform(value, metadata);
  }

  /** Validates an empty query once per DTO, because a validation takes as long as a small read. */
  private async transformEmptyQuery(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const dto = metadata.metatype as Type<object>;
    if (this.optionalQueries.has(dto)) return new dto();
    const query: unknown = await this.queryPipe.transform(value, metadata);
    this.optionalQueries.add(dto);
    return query;
  }
}

function createPipe(kind: MemberKind): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    validationError: { target: true, value: true },
    exceptionFactory: (errors) => createInvalidRequestError(toErrorDetails(errors, kind)),
  });
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/**
 * Returns the path of the first member at any level that class-transformer ignores, so that the
 * validation would never see it: `prototype`, or a name of `Object.prototype`.
 */
function findIgnoredMember(value: unknown, parentPath = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const path = parentPath + name;
    const ignored = name in Object.prototype || name === 'prototype' ? path : findIgnoredMember(member, `${path}.`);
    if (ignored !== undefined) return ignored;
  }
  return undefined;
}
