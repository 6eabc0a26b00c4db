/** An error response of the API. */
export class ApiError extends Error {
  constructor(status, { error, code }) {
    super(error);
    Object.assign(this, { status, code });
  }
}

/**
 * Calls the API. After a 401 it refreshes the tokens and repeats the call once.
 * @returns the body; undefined for 204
 * @throws ApiError
 */
export async function callApi(client, path, { method = 'GET', body, accept = 'application/json' } = {}) {
  const send = async () => {
    const { access_token: accessToken } = await client.getUser();
    const headers = { Accept: accept, Authorization: `Bearer ${accessToken}` };
    if (body) headers['Content-Type'] = 'application/json';
    return fetch(new URL(path, client.settings.authority), { method, headers, body: body && JSON.stringify(body) });
  };
  let response = await send();
  if (response.status === 401) {
    await client.signinSilent();
    response = await send();
  }
  if (response.status === 204) return undefined;
  const result = await response.json();
  if (!response.ok) throw new ApiError(response.status, result);
  return result;
}
