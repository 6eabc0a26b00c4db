// Search, access token and requests of the API reference. Secrets and tokens are kept in memory
// until the person leaves the page.

const authorizeForm = document.querySelector('#access-token-form');
const { base, redirect } = authorizeForm.dataset;
const api = new URL(`${base}/api/oauth/`, location.origin);

let accessToken;

// Search: the results come from the page that the form opens without this script.

const search = document.querySelector('#search');

/** Time after the last key until the search starts. */
const TYPING_PAUSE_MS = 150;

async function showResults(query) {
  const response = await fetch(`${base}/docs?${new URLSearchParams({ q: query })}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (search.value !== query) return;
  for (const id of ['matches', 'results']) {
    document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
  }
}

search.addEventListener('input', () => {
  const query = search.value;
  setTimeout(() => {
    if (search.value === query) void showResults(query);
  }, TYPING_PAUSE_MS);
});

// Links to operations and objects

function openTarget() {
  // The ids are ASCII, so the address is the id itself.
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.matches('.operation')) return;
  target.open = true;
  target.scrollIntoView();
}

addEventListener('hashchange', openTarget);
openTarget();

// Access token

const toBase64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const createRandom = () => toBase64url(crypto.getRandomValues(new Uint8Array(32)));

/** Time between two checks whether the window is closed. */
const WINDOW_CHECK_MS = 500;

/** Resolves with the authorization response that the window passes back. */
function receiveResponse(popup) {
  return new Promise((resolve, reject) => {
    const end = (settle, value) => {
      removeEventListener('message', onMessage);
      clearInterval(timer);
      settle(value);
    };
    const onMessage = ({ origin, source, data }) => {
      if (origin !== location.origin || source !== popup) return;
      end(resolve, new URLSearchParams(data));
      popup.close();
    };
    const timer = setInterval(() => {
      if (popup.closed) end(reject, new Error(authorizeForm.dataset.closed));
    }, WINDOW_CHECK_MS);
    addEventListener('message', onMessage);
  });
}

async function authorize(form) {
  const clientId = form.elements.client_id.value.trim();
  const clientSecret = form.elements.client_secret.value;
  const credentials = { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) };
  const [state, verifier] = [createRandom(), createRandom()];
  // Opened before the first `await`, because browsers block a popup without a user gesture.
  const popup = open('about:blank', '_blank', 'popup,width=640,height=800');
  if (!popup) throw new Error(authorizeForm.dataset.closed);
  const challenge = toBase64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
  const address = new URL('authorize', api);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope: new FormData(form).getAll('scope').join(' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  popup.location = address;
  const response = await receiveResponse(popup);
  if (response.get('state') !== state)
    throw new Error('The state of the response does not match the request. Try again.');
  if (response.has('error')) throw new Error(response.get('error_description') ?? response.get('error'));
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: response.get('code'),
    redirect_uri: redirect,
    code_verifier: verifier,
    ...credentials,
  });
  const tokens = await (await post('token', body)).json();
  if (!tokens.access_token) throw new Error(tokens.error_description ?? tokens.error);
  // The page does not refresh. The access token stays valid until it expires.
  await post('revoke', new URLSearchParams({ token: tokens.refresh_token, ...credentials }));
  return tokens;
}

function post(endpoint, body) {
  return fetch(new URL(endpoint, api), { method: 'POST', body, credentials: 'omit' });
}

authorizeForm.addEventListener('submit', async (event) => {
  event.preventDefault();
  const status = authorizeForm.querySelector('.result');
  const { authorized, failed } = status.dataset;
  try {
    const tokens = await authorize(authorizeForm);
    accessToken = tokens.access_token;
    status.textContent = authorized.replace('{scopes}', tokens.scope);
  } catch (error) {
    accessToken = undefined;
    status.textContent = failed.replace('{error}', error.message);
  }
});

// Requests

function buildRequest(form) {
  const { method, path, mediaType } = form.dataset;
  const body = form.elements.body?.value;
  // A request contains the token once (RFC 6750 §2).
  const isTokenInBody = mediaType !== 'application/json' && new URLSearchParams(body).has('access_token');
  const headers = new Headers(accessToken && !isTokenInBody ? { Authorization: `Bearer ${accessToken}` } : {});
  let address = base + path;
  const query = new URLSearchParams();
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (value === '') continue;
    if (dataset.in === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    if (dataset.in === 'query') query.set(name, value);
    if (dataset.in === 'header') headers.set(name, value);
  }
  if (body) headers.set('Content-Type', mediaType);
  if (query.size > 0) address += `?${query}`;
  // The API ignores cookies.
  return new Request(address, { method, headers, credentials: 'omit', cache: 'no-store', ...(body && { body }) });
}

function formatBody(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function send(form) {
  const result = form.querySelector('.result');
  const line = document.createElement('p');
  result.replaceChildren(line);
  try {
    const request = buildRequest(form);
    const startedAt = performance.now();
    const response = await fetch(request);
    const text = await response.text();
    line.textContent = `${response.status} ${response.statusText} · ${Math.round(performance.now() - startedAt)} ms`;
    const body = document.createElement('pre');
    body.tabIndex = 0;
    body.textContent = formatBody(text);
    if (text) result.append(body);
  } catch (error) {
    line.textContent = error.message;
  }
}

for (const form of document.querySelectorAll('form.try')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}

// Last, so that no form is shown that the browser would send itself.
document.querySelectorAll('[data-scripted]').forEach((element) => element.removeAttribute('hidden'));
