import { Injectable, type PipeTransform } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { removeParam } from '../../platform/http/request-url.js';
import { AccountAppsRegistry } from './account-apps.registry.js';

/** Where a person continues after signing in or up. */
export interface NamedReturnTarget extends ReturnTarget {
  /** Name of the app that sent the person, if there is one. */
  appName: string | undefined;
}

/** Transforms the query of the sign-in and sign-up pages into a NamedReturnTarget. */
@Injectable()
export class ReturnTargetPipe implements PipeTransform<string, Promise<NamedReturnTarget>> {
  constructor(
    private readonly settings: Settings,
    private readonly apps: AccountAppsRegistry,
  ) {}

  async transform(query: string): Promise<NamedReturnTarget> {
    const target = parseReturnTarget(this.settings.BASE_URL, query);
    const app = target.clientId === undefined ? null : await this.apps.find(target.clientId);
    return { ...target, appName: app && !app.disabledAt ? app.name : undefined };
  }
}
/** Paths of this service to which the sign-in page can return. */
const ALLOWED_RETURN_PATHS =
  /^\/(?:api\/oauth\/authorize|account(?:\/(?:profile|email|role|password|sessions|passkeys|apps(?:\/\w+)?|edits\/\w+|activity|export|delete|safety))?|collections\/\w+|developer\/apps(?:\/\w+)*|moderation(?:\/\w+)*|verify-email)?$/;

/** The page to which a person returns after signing in or up. */
export interface ReturnTarget {
  /** Query of the sign-in page, with its `?`; its form and links repeat it. */
  query: string;
  /** Path and query of the page to return to. */
  returnTo: string;
  /** Whether the app requires the person to sign in again. */
  requiresReauthentication: boolean;
  /** Redirect URI of the app, to which the page to return to can redirect at once. */
  formRedirectUri: string | undefined;
  /** Client ID of the app that sent the person; undefined without an authorization request. */
  clientId: string | undefined;
}

/**
 * Parses the query of the sign-in and sign-up pages: `return_to`, or the authorization request of
 * an app, which has a `client_id`.
 */
export function parseReturnTarget(baseUrl: string, query: string): ReturnTarget {
  const params = new URLSearchParams(query);
  const returnTo = params.has('client_id')
    ? buildAuthorizePath(baseUrl, query)
    : resolveReturnPath(baseUrl, params.get('return_to'));
  const { pathname, searchParams } = new URL(returnTo, baseUrl);
  const redirectUri = searchParams.get('redirect_uri');
  return {
    query: query && `?${query}`,
    returnTo,
    requiresReauthentication: params.has('again'),
    formRedirectUri: redirectUri !== null && isWebOrAppUri(redirectUri) ? redirectUri : undefined,
    clientId: pathname.endsWith('/api/oauth/authorize') ? (searchParams.get('client_id') ?? undefined) : undefined,
  };
}

/** Returns the path of the authorization request that the query of the sign-in page repeats. */
function buildAuthorizePath(baseUrl: string, query: string): string {
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  return `${basePath}/api/oauth/authorize?${removeParam(query, 'again')}`;
}

/**
 * Returns the path and query of `returnTo` if it is a page of this service to which sign-in can
 * return, otherwise the path of the connected apps. A link can never lead to another site.
 */
export function resolveReturnPath(baseUrl: string, returnTo: string | null): string {
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/$/, '');
  const url = returnTo?.startsWith('/') && URL.canParse(returnTo, baseUrl) ? new URL(returnTo, baseUrl) : null;
  const isSameService = url?.origin === origin && url.pathname.startsWith(basePath);
  if (!url || !isSameService || !ALLOWED_RETURN_PATHS.test(url.pathname.slice(basePath.length))) {
    return `${basePath}/account/apps`;
  }
  return url.pathname + url.search;
}

/**
 * Returns the path of the account page that contains the form of a request; undefined for a form of
 * another page.
 */
export function findAccountPage(basePath: string, formPath: string): string | undefined {
  const path = formPath.slice(basePath.length).split('?')[0]!;
  const page = path.split('/', 3).join('/');
  return page.startsWith('/account') && ALLOWED_RETURN_PATHS.test(page) ? basePath + page : undefined;
}

/**
 * Whether the address is a web address or has a private-use scheme, which contains a dot (RFC 8252
 * §7.1).
 */
function isWebOrAppUri(address: string): boolean {
  return URL.canParse(address) && /^(https?|.*\..*):$/.test(new URL(address).protocol);
}
