import { UserManager } from 'oidc-client-ts';

/** The scopes of the app. A person can leave out the optional ones. */
const SCOPES = 'openid profile markers:read collections:read collections:write';

/**
 * Creates the client of the service. A page in the browser is a public client: it has no secret and
 * uses PKCE. Tokens are in `sessionStorage`, so each tab has its own sign-in, and closing the tab
 * ends it.
 * @param config issuer and client ID, from config.json
 */
export function createClient({ issuer, clientId }) {
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: `${location.origin}/`,
    post_logout_redirect_uri: `${location.origin}/`,
    scope: SCOPES,
    loadUserInfo: true,
    revokeTokensOnSignout: true,
    revokeTokenTypes: ['refresh_token'],
  });
}

/**
 * Returns the signed-in person, or null. Completes a sign-in or a sign-out from which the browser
 * returns.
 * @throws Error if the person denied the request, or if the request failed
 */
export async function restoreUser(client) {
  const query = new URLSearchParams(location.search);
  if (!query.has('state')) return client.getUser();
  history.replaceState(null, '', '/');
  const url = `${location.origin}/?${query}`;
  if (query.has('code') || query.has('error')) return client.signinRedirectCallback(url);
  await client.signoutRedirectCallback(url);
  return null;
}
