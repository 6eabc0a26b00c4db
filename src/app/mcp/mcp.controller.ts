import { Body, Controller, Headers, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { Caller } from '../../identity/scopes/caller.decorator.js';
import { Public } from '../../platform/http/public.decorator.js';
import { McpGuard } from './mcp.guard.js';
import { McpServersService } from './mcp-servers.service.js';

/** The MCP server: Streamable HTTP without sessions, one message per request. */
@Controller('mcp')
export class McpController {
  constructor(private readonly servers: McpServersService) {}

  /** The global guards let the request pass, because its own guard knows the scope of each tool. */
  @Post()
  @Public('no-token')
  @UseGuards(McpGuard)
  async handle(
    @Caller() caller: Caller,
    @Headers() headers: IncomingHttpHeaders,
    @Body() message: object,
    @Res() response: Response,
  ): Promise<void> {
    const answer = await this.servers.handle(caller, headers, message);
    response.status(answer.status).set(answer.headers).set('Cache-Control', 'no-store').send(answer.body);
  }
}
