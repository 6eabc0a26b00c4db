/** The types of simple-oauth2 5 that the tests use; the package has none. */
declare module 'simple-oauth2' {
  export interface Options {
    client: { id: string; secret?: string };
    auth: { tokenHost: string; tokenPath: string; revokePath: string; authorizePath: string };
    options?: { authorizationMethod?: 'header' | 'body'; bodyFormat?: 'form' | 'json' };
  }

  export class AuthorizationCode {
    constructor(options: Options);
    authorizeURL(params: Record<string, string | string[]>): string;
    getToken(params: Record<string, string>): Promise<AccessToken>;
    createToken(token: Record<string, unknown>): AccessToken;
  }

  export interface AccessToken {
    readonly token: Readonly<{ access_token: string; refresh_token: string; scope: string; expires_at: Date }>;
    expired(windowSeconds?: number): boolean;
    refresh(params?: { scope?: string | string[] }): Promise<AccessToken>;
    revoke(type: 'access_token' | 'refresh_token'): Promise<unknown>;
    revokeAll(): Promise<void>;
  }
}
