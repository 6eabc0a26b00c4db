// The routes: each calls the API and renders a page.
import express from 'express';
import { fetchAllPages, callApi, createWalk, findWalk, findNearestMarkers } from './api.js';
import * as oauth from './oauth-client.js';
import * as pages from './pages.js';
import { drawPicture } from './picture.js';
import { endSession, renewSession, findSession } from './sessions.js';

// No scripts. A form can post to this app and, at sign-out, redirect to the service.
const FORM_ACTION_DIRECTIVE = `form-action 'self' ${new URL(oauth.ISSUER).origin}`;
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'self'; img-src 'self'; ${FORM_ACTION_DIRECTIVE}; frame-ancestors 'none'; base-uri 'none'`;

const app = express();
app.disable('x-powered-by');

app.use((request, response, next) => {
  response.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  // Redirects other host names, for example localhost: the browser would not send their cookies to
  // the registered /callback.
  if (`http://${request.headers.host}` !== oauth.APP_ORIGIN) return response.redirect(oauth.APP_ORIGIN);
  // Only POST requests write, and only forms of this app may send them.
  if (request.method === 'POST' && request.headers.origin !== oauth.APP_ORIGIN) return response.sendStatus(403);
  request.session = findSession(request);
  response.page = (page) => {
    const { grant, notice } = request.session ?? {};
    if (notice) request.session.notice = undefined; // shown once
    response.send(String(pages.renderLayout(grant, notice, page)));
  };
  // A POST ends with a redirect, so that a reload does not post again.
  response.done = (notice, path) => {
    request.session.notice = notice;
    response.redirect(303, path);
  };
  next();
});

app.get('/style.css', (_, response) => response.sendFile('style.css', { root: import.meta.dirname }));

app.get('/sign-in', async (request, response) => {
  const { ask, next } = request.query;
  const session = request.session ?? renewSession(request, response);
  const scopes = [...(session.grant?.scopes ?? oauth.INITIAL_SCOPES), ...(ask ? [ask] : [])];
  // prompt=consent shows the consent page again to a user who has answered it, for example without
  // a scope.
  const options = { scopes, prompt: ask && 'consent', next: isLocalPath(next) ? next : '/' };
  response.redirect(303, (await oauth.startAuthorization(session, options)).href);
});

app.get('/callback', async (request, response) => {
  const { session } = request;
  if (request.query.error === 'access_denied') return showDenial(request, response);
  const next = await oauth.finishAuthorization(session, new URL(request.originalUrl, oauth.APP_ORIGIN));
  renewSession(request, response, session);
  response.redirect(303, next);
});

/** A denial is not an error, so the page links to the start. */
async function showDenial(request, response) {
  const { grant } = request.session ?? {};
  // Each request names all scopes of the app, so its denial ends the whole access.
  if (grant) await oauth.revokeToken(grant);
  endSession(request, response);
  request.session = undefined;
  response.page(pages.renderDenialPage());
}

app.get('/pictures/:id', (request, response) => response.type('svg').send(drawPicture(request.params.id)));

app.get('/', async (request, response) => {
  const { session, query } = request;
  if (!session?.grant) return response.page(pages.renderWelcomePage());
  const place = parseLocation(query);
  response.page(pages.renderNearbyPage(session.person, place, await findNearestMarkers(session, place, 10)));
});

// The routes below require a session.
app.use((request, response, next) => (request.session?.grant ? next() : response.redirect(303, '/')));
app.use(express.urlencoded());
// Ids become part of API URLs. The check prevents requests to other endpoints.
app.param('id', (_, __, next, id) => next(/^\w+$/.test(id) ? undefined : 'route'));

app.get('/artworks/:id', async ({ session, params }, response) => {
  response.page(pages.renderArtworkPage(await callApi(session, 'GET', `/api/markers/${params.id}`)));
});

app.post('/artworks/:id/edits', async ({ session, params, body }, response) => {
  const edit = await callApi(session, 'POST', '/api/edits', {
    type: 'update',
    targetType: 'artwork',
    targetId: params.id,
    // the version that the user saw: the API responds 409 if it has changed
    baseVersion: Number(body.version),
    changes: { ...(body.status && { status: body.status }), ...(body.year && { year: Number(body.year) }) },
    comment: body.comment,
  });
  response.done(`Your suggestion is ${edit.status}. A reviewer will look at it.`, `/artworks/${params.id}`);
});

app.get('/artists/:id', async ({ session, params }, response) => {
  const artist = await callApi(session, 'GET', `/api/artists/${params.id}`);
  response.page(pages.renderArtistPage(artist, await fetchAllPages(session, `/api/artists/${params.id}/artworks`)));
});

app.post('/artworks/:id/keep', async ({ session, params }, response) => {
  const walk = (await findWalk(session)) ?? (await createWalk(session));
  await callApi(session, 'POST', `/api/collections/${walk.id}/items`, { items: [{ markerId: params.id }] });
  response.done('Added to your walk.', '/walk');
});

app.post('/artworks/:id/drop', async ({ session, params }, response) => {
  const walk = await findWalk(session);
  if (walk) await callApi(session, 'DELETE', `/api/collections/${walk.id}/items/${params.id}`);
  response.done('Removed from your walk.', '/walk');
});

app.get('/walk', async ({ session }, response) => {
  const walk = await findWalk(session);
  response.page(pages.renderWalkPage(walk ? await fetchAllPages(session, `/api/collections/${walk.id}`) : []));
});

app.get('/edits', async ({ session }, response) => {
  response.page(pages.renderEditsPage(await fetchAllPages(session, '/api/edits/mine')));
});

app.post('/edits/:id/accept', async ({ session, params }, response) => {
  await callApi(session, 'POST', `/api/edits/${params.id}/accept`, {});
  response.done('The suggestion is accepted.', '/edits');
});

app.get('/access', ({ session }, response) => {
  response.page(pages.renderAccessPage(session.grant, [...oauth.INITIAL_SCOPES, ...oauth.INCREMENTAL_SCOPES]));
});

app.post('/refresh', async ({ session }, response) => {
  await oauth.refreshTokens(session.grant);
  response.done('The access is renewed.', '/access');
});

app.post('/sign-out', async (request, response) => {
  const { grant } = request.session;
  endSession(request, response);
  // first in this app, then at the service, which redirects to the home page
  await oauth.revokeToken(grant);
  response.redirect(303, oauth.buildLogoutUrl(grant).href);
});

app.use(() => {
  throw Object.assign(new oauth.UserFacingError('This page does not exist.'), { status: 404 });
});

app.use((error, request, response, _next) => {
  if (error instanceof oauth.ReauthenticationRequiredError) {
    endSession(request, response);
    request.session = undefined;
  }
  // An error of this app, or an OAuth error response (RFC 6749 §4.1.2.1, §5.2).
  const sentence = error instanceof oauth.UserFacingError ? error.message : error.error_description;
  if (!sentence) console.error(error.stack);
  const { status = sentence ? 400 : 502, details, missingScope } = error;
  const [signedIn, back] = [request.session?.grant, resolveBackPath(request)];
  response.status(status).page(pages.renderErrorPage({ sentence, details, missingScope, signedIn, back }));
});

/** Parses a location; the default is the first city of the demo. */
function parseLocation({ lat, lon }) {
  const place = { lat: Number(lat), lon: Number(lon) };
  return lat && lon && Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180 ? place : { lat: 52.1, lon: 5.02 };
}

/** Returns the path of the page that sent the failed request. */
function resolveBackPath({ method, originalUrl, headers }) {
  if (method === 'GET') return originalUrl.startsWith('/callback') || !isLocalPath(originalUrl) ? '/' : originalUrl;
  const { pathname, search } = new URL(headers.referer ?? '/', oauth.APP_ORIGIN);
  return `${pathname}${search}`;
}

/** Whether a path stays in this app; an open redirector helps phishing (RFC 9700 §4.11.1). */
function isLocalPath(path) {
  return typeof path === 'string' && /^\/([\w?][\w/?&=.,%-]*)?$/.test(path);
}

app.listen(Number(oauth.PORT), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`Mural Walk is at ${oauth.APP_ORIGIN}`);
});
