/** The pages that a person may come from to sign in, and go back to. */
const ALLOWED_RETURN_PATHS = /^\/(?:api\/oauth\/authorize|account\/apps|developer\/apps(?:\/\w+)*)?$/;

/**
 * Where a person goes on to once they are signed in: the page that they came from, if it is one of ours, or else their
 * apps. Nothing that anybody puts into a link leads to another site.
 * @returns a path below `baseUrl`, with its query
 */
export function resolveReturnPath(baseUrl: string, asked: string | null): string {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const url = asked?.startsWith('/') && URL.canParse(asked, baseUrl) ? new URL(asked, baseUrl) : null;
  const isOurs = url?.origin === new URL(baseUrl).origin && url.pathname.startsWith(base);
  if (!url || !isOurs || !ALLOWED_RETURN_PATHS.test(url.pathname.slice(base.length))) return `${base}/account/apps`;
  return url.pathname + url.search;
}

/** The way through signing in, which starts with a query and ends where the person goes on to. */
export interface ReturnTarget {
  /** The query of the page, which its form and links keep. */
  query: string;
  returnTo: string;
  /** Whether who is signed in must do so again, for the app asks for it. */
  requiresReauthentication: boolean;
  /** The app's address that going on may lead to at once, past our own pages. */
  formRedirectUri: string | undefined;
}

export function parseReturnTarget(baseUrl: string, query: URLSearchParams): ReturnTarget {
  const returnTo = resolveReturnPath(baseUrl, query.get('return_to'));
  const redirectUri = new URL(returnTo, baseUrl).searchParams.get('redirect_uri');
  const leadsTo = redirectUri !== null && isWebOrAppUri(redirectUri) ? redirectUri : undefined;
  return {
    query: query.size > 0 ? `?${query}` : '',
    returnTo,
    requiresReauthentication: query.has('again'),
    formRedirectUri: leadsTo,
  };
}

/** A web address, or one of an app's own scheme, which has a dot in it (RFC 8252 §7.1). */
function isWebOrAppUri(address: string): boolean {
  return URL.canParse(address) && /^(https?|.*\..*):$/.test(new URL(address).protocol);
}
