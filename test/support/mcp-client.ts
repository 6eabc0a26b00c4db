import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccessTokensService } from '../../src/identity/scopes/access-tokens.service.js';
import type { Resource } from '../../src/identity/scopes/resources.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { ALL_SCOPES, createAccount, registerApp } from './factories.js';
import type { ResponseBody, TestResponse, TestServer } from './test-server.js';

/** An app that calls the MCP server for a person. */
export class McpCaller {
  private constructor(
    readonly server: TestServer,
    readonly account: Account,
    readonly appId: string,
    readonly token: string,
  ) {}

  static async create(
    server: TestServer,
    { scopes = ALL_SCOPES, resource = 'mcp', ...caller }: McpCallerOptions = {},
  ): Promise<McpCaller> {
    const account = caller.account ?? (await createAccount(server));
    const appId = caller.appId ?? (await registerApp(server)).app.id;
    const token = server.get(AccessTokensService).sign(account.id, appId, scopes, resource);
    return new McpCaller(server, account, appId, token);
  }

  /** Sends one message, as any HTTP client can. */
  send(message: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
    return sendMcpMessage(this.server, message, { Authorization: `Bearer ${this.token}`, ...headers });
  }

  call(name: string, args: object = {}): Promise<TestResponse> {
    return this.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  }

  /** Calls a tool. @returns its structured content */
  async use(name: string, args: object = {}): Promise<ResponseBody> {
    const { body } = await this.call(name, args);
    if (body.result?.structuredContent === undefined) throw new Error(JSON.stringify(body));
    return body.result.structuredContent;
  }

  /** Connects the client of the official SDK. Close it after use. */
  async connect(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${this.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', this.server.url), { requestInit }));
    return client;
  }
}

/** The person, the app and the token of a caller. By default, all are new, with all scopes. */
export interface McpCallerOptions {
  account?: Account;
  appId?: string;
  scopes?: Scope[];
  resource?: Resource;
}

/** Sends a message to the MCP server. */
export function sendMcpMessage(
  server: TestServer,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const accept = { Accept: 'application/json, text/event-stream' };
  return server.request('POST', '/mcp', { body: message, headers: { ...accept, ...headers } });
}
