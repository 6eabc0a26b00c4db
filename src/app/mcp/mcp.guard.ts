import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { ApiRateLimitsService } from '../../identity/scopes/api-rate-limits.service.js';
import { createMissingScopesError, createTokenRequiredError } from '../../identity/scopes/bearer-token-errors.js';
import type { Caller, RequestWithCaller } from '../../identity/scopes/caller.decorator.js';
import { CallerLoader } from '../../identity/scopes/caller.loader.js';
import { readStrictJson } from '../../platform/http/api-request.interceptor.js';
import { findToolName } from './mcp-messages.js';
import { ToolRegistry } from './tool.registry.js';

/**
 * Authenticates the access token of an MCP request, reads its message, and checks the scopes of the
 * tool that it calls. A tool counts against the limits of the API; so does any other message, as a
 * read.
 */
@Injectable()
export class McpGuard implements CanActivate {
  constructor(
    private readonly callers: CallerLoader,
    private readonly limits: ApiRateLimitsService,
    private readonly tools: ToolRegistry,
  ) {}

  /**
   * @throws ApiError 401 without a valid token for the MCP server, 403 for a disabled app or a
   *   missing scope, 400, 413 or 415 for a body that is not one message
   * @throws DomainError `rate_limited`
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<RequestWithCaller>(), http.getResponse<Response>()];
    const caller = this.callers.loadCached(request, 'mcp') ?? (await this.callers.load(request, 'mcp'));
    if (!caller) throw createTokenRequiredError();
    request.body = await readStrictJson(request, response);
    request.assertCallerActive?.();
    await this.authorize(caller, request.body as Record<string, unknown>, response);
    return true;
  }

  private async authorize(caller: Caller, message: Record<string, unknown>, response: Response): Promise<void> {
    const name = findToolName(message);
    const tool = name === undefined ? undefined : this.tools.find(name);
    const missing = this.callers.findMissingScopes(caller, tool?.scopes ?? []);
    if (missing.length > 0) throw createMissingScopesError(caller.scopes, missing);
    response.set(await this.limits.consume(this.limits.listQuotas(tool?.access ?? 'read', caller)));
  }
}
