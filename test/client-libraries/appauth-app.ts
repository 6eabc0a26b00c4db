import type { AuthorizationRequest, AuthorizationServiceConfiguration, TokenResponse } from '@openid/appauth';
import type { AuthorizationRequestResponse } from '@openid/appauth/built/authorization_request_handler.js';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import type { TestServer } from '../support/test-server.js';

/** A browser: it follows an authorization URL. @returns the redirect to the app */
export type Browse = (url: string) => Promise<URL>;

let openSystemBrowser: (url: string) => void;
// The library opens the browser of the machine with the package `opener`.
const require = createRequire(import.meta.url);
const openerPath = require.resolve('opener');
require(openerPath);
require.cache[openerPath]!.exports = (url: string) => openSystemBrowser(url);
const appAuth = await import('@openid/appauth');
const { NodeBasedHandler, NodeCrypto, NodeRequestor } = await import('@openid/appauth/built/node_support/index.js');
appAuth.setFlag('IS_LOG', false);

/** Receives the response as the operating system delivers it to a private-use scheme. */
class PrivateUseSchemeHandler extends appAuth.AuthorizationRequestHandler {
  private result!: Promise<AuthorizationRequestResponse>;

  constructor(private readonly browse: Browse) {
    super(new appAuth.BasicQueryStringUtils(), new NodeCrypto());
  }

  performAuthorizationRequest(configuration: AuthorizationServiceConfiguration, request: AuthorizationRequest): void {
    this.result = this.perform(configuration, request);
    void this.completeAuthorizationRequestIfPossible();
  }

  protected completeAuthorizationRequest(): Promise<AuthorizationRequestResponse> {
    return this.result;
  }

  private async perform(
    configuration: AuthorizationServiceConfiguration,
    request: AuthorizationRequest,
  ): Promise<AuthorizationRequestResponse> {
    await request.setupCodeVerifier();
    const { search } = await this.browse(this.buildRequestUrl(configuration, request));
    const { code = '', error, state = '' } = this.utils.parseQueryString(search);
    return error === undefined
      ? { request, response: new appAuth.AuthorizationResponse({ code, state }), error: null }
      : { request, response: null, error: new appAuth.AuthorizationError({ error, state }) };
  }
}

/** A native app that uses AppAuth-JS without changes (RFC 8252). */
export class NativeApp {
  private readonly tokens = new appAuth.BaseTokenRequestHandler(new NodeRequestor());

  private constructor(
    readonly clientId: string,
    private readonly configuration: AuthorizationServiceConfiguration,
  ) {}

  static async create({ settings }: TestServer, clientId: string): Promise<NativeApp> {
    const { AuthorizationServiceConfiguration: Configuration } = appAuth;
    return new NativeApp(clientId, await Configuration.fetchFromIssuer(settings.BASE_URL, new NodeRequestor()));
  }

  createRequest(redirect_uri: string, extras: Record<string, string> = {}, usePkce = true): AuthorizationRequest {
    const parameters = { client_id: this.clientId, redirect_uri, scope: 'openid markers:read', response_type: 'code' };
    return new appAuth.AuthorizationRequest({ ...parameters, extras }, new NodeCrypto(), usePkce);
  }

  /** Listens on the port of the redirect URI, opens the browser, and waits for the response. */
  async authorizeOnLoopback(request: AuthorizationRequest, browse: Browse): Promise<AuthorizationRequestResponse> {
    const handler = new NodeBasedHandler(Number(new URL(request.redirectUri).port));
    return new Promise((resolve, reject) => {
      openSystemBrowser = (url) => void browse(url).then(openLoopbackUrl).catch(reject);
      const notifier = new appAuth.AuthorizationNotifier();
      notifier.setAuthorizationListener((_, response, error) => resolve({ request, response, error }));
      handler.setAuthorizationNotifier(notifier).performAuthorizationRequest(this.configuration, request);
    });
  }

  /** Opens the browser, and receives the response by the private-use scheme. */
  async authorizeByScheme(request: AuthorizationRequest, browse: Browse): Promise<AuthorizationRequestResponse> {
    const handler = new PrivateUseSchemeHandler(browse);
    handler.performAuthorizationRequest(this.configuration, request);
    return handler['result'];
  }

  exchangeCode(
    { request, response }: AuthorizationRequestResponse,
    extras: Record<string, string> = { code_verifier: request.internal!['code_verifier']! },
  ): Promise<TokenResponse> {
    return this.requestTokens({
      grant_type: appAuth.GRANT_TYPE_AUTHORIZATION_CODE,
      code: response!.code,
      redirect_uri: request.redirectUri,
      extras,
    });
  }

  refresh(refresh_token: string, redirect_uri: string, extras: Record<string, string> = {}): Promise<TokenResponse> {
    return this.requestTokens({ grant_type: appAuth.GRANT_TYPE_REFRESH_TOKEN, refresh_token, redirect_uri, extras });
  }

  revoke(token: string, client_secret?: string): Promise<boolean> {
    const parameters = { token, client_id: this.clientId, ...(client_secret !== undefined && { client_secret }) };
    const request = new appAuth.RevokeTokenRequest(parameters);
    return this.tokens.performRevokeTokenRequest(this.configuration, request);
  }

  private requestTokens(
    parameters: Omit<ConstructorParameters<typeof appAuth.TokenRequest>[0], 'client_id'>,
  ): Promise<TokenResponse> {
    const request = new appAuth.TokenRequest({ client_id: this.clientId, ...parameters });
    return this.tokens.performTokenRequest(this.configuration, request);
  }
}

/** Requests the redirect URI on its own connection, which the library can close. */
function openLoopbackUrl(url: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
}
