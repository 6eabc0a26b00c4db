// Calls of the API with the access token of the signed-in user.
import * as client from 'openid-client';
import { config, ISSUER, UserFacingError, refreshTokens } from './oauth-client.js';

/**
 * An error response of the API, with its message. `missingScope` is the scope that the user has not
 * granted.
 */
export class ApiError extends UserFacingError {
  constructor(status, { error, details = [] }, missingScope) {
    super(error);
    Object.assign(this, { status, details: details.map(({ message, field }) => message ?? field), missingScope });
  }
}

/**
 * Sends one request. Refreshes the token if it has expired by the clock of this app, or if the
 * service rejects it, because clocks differ. A 401 means that the service did nothing, so a POST
 * can be repeated too.
 */
export async function callApi({ grant }, method, path, body) {
  if (grant.expiresAt <= Date.now()) await refreshTokens(grant);
  const sentToken = grant.accessToken;
  let response = await sendRequest(sentToken, method, path, body);
  if (response.status === 401) {
    // unless another request has refreshed it
    if (grant.accessToken === sentToken) await refreshTokens(grant);
    response = await sendRequest(grant.accessToken, method, path, body);
  }
  if (response.status === 204) return undefined;
  const answer = await response.json();
  if (response.ok) return answer;
  // Only a 403 for a missing scope has a challenge (RFC 6750 §3.1); a 403 for a missing permission
  // has none.
  const challenge = /error="insufficient_scope".*scope="([^"]+)"/.exec(response.headers.get('WWW-Authenticate'));
  throw new ApiError(response.status, answer, challenge?.[1]);
}

async function sendRequest(accessToken, method, path, body) {
  const headers = new Headers(body && { 'Content-Type': 'application/json' });
  const url = new URL(`${ISSUER}${path}`);
  try {
    return await client.fetchProtectedResource(config, accessToken, url, method, body && JSON.stringify(body), headers);
  } catch (error) {
    // a 401 or 403
    if (error instanceof client.WWWAuthenticateChallengeError) return error.response;
    throw error;
  }
}

/** Returns all rows of a list, page by page. */
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

/** Limit of the search radius in meters. */
const MAX_RADIUS_METERS = 50_000;

/** Returns the markers nearest to a location, each with its `distanceMeters`. */
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

/** Returns the collection that this app created, by its name; undefined if there is none. */
export async function findWalk(session) {
  const collections = await fetchAllPages(session, '/api/collections');
  return collections.find(({ name }) => name === 'Mural Walk');
}

export function createWalk(session) {
  return callApi(session, 'POST', '/api/collections', { name: 'Mural Walk', description: 'Created with Mural Walk.' });
}
