import { Injectable } from '@nestjs/common';
import { FailedCallsService } from '../../identity/apps/failed-calls/failed-calls.service.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { createInvalidRequestError } from '../../platform/errors/request-errors.js';
import { ApiValidationPipe } from '../../platform/http/api-validation.pipe.js';
import {
  DATABASE_UNAVAILABLE_MESSAGE,
  INTERNAL_ERROR_MESSAGE,
  logServerError,
} from '../../platform/http/server-error.js';
import { createUnknownMemberDetail } from '../../platform/http/validation-details.js';
import { assertIdempotencyKey } from '../../platform/idempotency/idempotency-key.decorator.js';
import { EventLogger } from '../../platform/logging/event-logger.js';
import type { ToolArguments } from './tool.decorator.js';
import type { RegisteredTool } from './tool.registry.js';

/** The result of a call: a response, or the sentences of an error. */
export type ToolOutcome = { ok: true; response: object } | { ok: false; message: string };

/** Calls tools. An error of a rule is a result, so that the model can correct its call. */
@Injectable()
export class ToolCallsService {
  private readonly logger = new EventLogger('Mcp');
  private readonly validation = new ApiValidationPipe();

  constructor(private readonly failedCalls: FailedCallsService) {}

  async call(tool: RegisteredTool, caller: Caller, sent: Record<string, unknown>): Promise<ToolOutcome> {
    try {
      const response = await tool.run(caller, await this.parseArguments(tool, sent));
      return { ok: true, response: JSON.parse(JSON.stringify(response)) as object };
    } catch (error) {
      if (error instanceof DomainError) return this.toFailure(tool, caller, error);
      const isInternal = logServerError(this.logger, error) === 'internal';
      return { ok: false, message: isInternal ? INTERNAL_ERROR_MESSAGE : DATABASE_UNAVAILABLE_MESSAGE };
    }
  }

  /** @throws DomainError `invalid_request` */
  private async parseArguments(tool: RegisteredTool, sent: Record<string, unknown>): Promise<ToolArguments> {
    const { id, idempotencyKey, ...members } = sent;
    const accepted = new Set([tool.id && 'id', tool.acceptsIdempotencyKey && 'idempotencyKey']);
    const isUnknown = (name: string): boolean =>
      tool.omit?.includes(name) === true || (['id', 'idempotencyKey'].includes(name) && !accepted.has(name));
    const unknown = Object.keys(sent).find(isUnknown);
    if (unknown !== undefined) throw createInvalidRequestError([createUnknownMemberDetail('field', unknown)]);
    if (tool.id && typeof id !== 'string') throw createInvalidIdError(id);
    if (idempotencyKey !== undefined) assertIdempotencyKey(idempotencyKey, 'idempotencyKey');
    return {
      id: String(id),
      values: await this.validate(tool, members),
      key: idempotencyKey === undefined ? undefined : { key: idempotencyKey, request: members },
    };
  }

  private async validate({ query, body }: RegisteredTool, members: Record<string, unknown>): Promise<object> {
    if (body) return (await this.validation.transform(members, { type: 'body', metatype: body })) as object;
    // A model may send `null` for a parameter that it does not need. A query has no `null`.
    const values = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
    if (query) return (await this.validation.transform(values, { type: 'query', metatype: query })) as object;
    const [unknown] = Object.keys(values);
    if (unknown !== undefined) throw createInvalidRequestError([createUnknownMemberDetail('field', unknown)]);
    return {};
  }

  private toFailure({ name }: RegisteredTool, { appId }: Caller, error: DomainError): ToolOutcome {
    const { kind, code, message, details = [] } = error;
    const sentences = (details as { message?: string }[]).flatMap((detail) => detail.message ?? []);
    if (kind === 'invalid' || kind === 'unprocessable')
      this.failedCalls.record(appId, { endpoint: `POST /mcp ${name}`, errorCode: code, reason: message });
    return { ok: false, message: [...new Set([message, ...sentences])].join('\n') };
  }
}

function createInvalidIdError(id: unknown): DomainError {
  const message = id === undefined ? 'id is missing.' : 'id must be a string.';
  return createInvalidRequestError([{ path: 'id', code: 'is_string', message }]);
}
