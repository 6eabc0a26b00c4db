// Calls of the API, with the access token of whoever is signed in.
import * as client from 'openid-client';
import { config, ISSUER, UserFacingError, refreshTokens } from './oauth-client.js';

/** A refusal of the API, in its own words. `missingScope` is the scope that the person would have to allow for it. */
export class ApiError extends UserFacingError {
  constructor(status, { error, details = [] }, missingScope) {
    super(error);
    Object.assign(this, { status, details: details.map(({ message, field }) => message ?? field), missingScope });
  }
}

/**
 * One call. The token is refreshed when our clock says that it has expired, and when the service says so, for clocks
 * differ. A 401 means that nothing was done, so even a POST can be sent again.
 */
export async function callApi({ grant }, method, path, body) {
  if (grant.expiresAt <= Date.now()) await refreshTokens(grant);
  const used = grant.accessToken;
  let response = await sendRequest(used, method, path, body);
  if (response.status === 401) {
    if (grant.accessToken === used) await refreshTokens(grant); // unless another request just did
    response = await sendRequest(grant.accessToken, method, path, body);
  }
  if (response.status === 204) return undefined;
  const answer = await response.json();
  if (response.ok) return answer;
  // Of the two kinds of 403 only a missing scope has a challenge (RFC 6750 §3.1); what the person may not do has none.
  const challenge = /error="insufficient_scope".*scope="([^"]+)"/.exec(response.headers.get('WWW-Authenticate'));
  throw new ApiError(response.status, answer, challenge?.[1]);
}

async function sendRequest(accessToken, method, path, body) {
  const headers = new Headers(body && { 'Content-Type': 'application/json' });
  const url = new URL(`${ISSUER}${path}`);
  try {
    return await client.fetchProtectedResource(config, accessToken, url, method, body && JSON.stringify(body), headers);
  } catch (error) {
    if (error instanceof client.WWWAuthenticateChallengeError) return error.response; // a 401 or 403 to look at
    throw error;
  }
}

/** All rows of a list, page by page. */
export async function fetchAllPages(session, path, limit = 100) {
  const rows = [];
  for (let cursor = ''; cursor !== null;) {
    const query = new URLSearchParams({ limit, ...(cursor && { cursor }) });
    const { data, items, page } = await callApi(session, 'GET', `${path}?${query}`);
    rows.push(...(data ?? items));
    cursor = page.nextCursor;
  }
  return rows;
}

/** How far the API looks around a place, in metres. */
const MAX_RADIUS_METERS = 50_000;

/** The markers nearest to a place, each with its `distanceMeters`. */
export async function findNearestMarkers(session, { lat, lon }, count) {
  const query = new URLSearchParams({
    lat: lat.toFixed(7),
    lon: lon.toFixed(7),
    radius: MAX_RADIUS_METERS,
    limit: count,
  });
  const { data } = await callApi(session, 'GET', `/api/markers?${query}`);
  return data;
}

/** The person's collection of this app, by its name, or none. */
export async function findWalk(session) {
  const collections = await fetchAllPages(session, '/api/collections');
  return collections.find(({ name }) => name === 'Mural Walk');
}

export function createWalk(session) {
  return callApi(session, 'POST', '/api/collections', { name: 'Mural Walk', description: 'Kept with Mural Walk.' });
}
