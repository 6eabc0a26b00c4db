// The routes: each asks the API for what it needs, and shows a page.
import express from 'express';
import { all, api, createWalk, findWalk, nearest } from './api.js';
import * as oauth from './client.js';
import * as pages from './pages.js';
import { endSession, renewSession, sessionOf } from './sessions.js';

// No script at all. Forms may lead here and, at sign-out, on to the service.
const FORMS = `form-action 'self' ${new URL(oauth.ISSUER).origin}`;
const POLICY = `default-src 'none'; style-src 'self'; ${FORMS}; frame-ancestors 'none'; base-uri 'none'`;

const app = express();
app.disable('x-powered-by');

app.use((request, response, next) => {
  response.set({
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  // One name only: under another, such as localhost, the browser would not send the cookie to the registered /callback.
  if (`http://${request.headers.host}` !== oauth.HOME) return response.redirect(oauth.HOME);
  // All writing is done by POST, and only by forms of our own.
  if (request.method === 'POST' && request.headers.origin !== oauth.HOME) return response.sendStatus(403);
  request.session = sessionOf(request);
  response.page = (page) => {
    const { grant, notice } = request.session ?? {};
    if (notice) request.session.notice = undefined; // said once
    response.send(String(pages.layout(grant, notice, page)));
  };
  // After a POST the browser is sent on, so that reloading the page does not post again.
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
  const scopes = [...(session.grant?.scopes ?? oauth.FIRST_SCOPES), ...(ask ? [ask] : [])];
  // prompt=consent: the question is put even to one who has answered it before, such as by leaving a scope out.
  const options = { scopes, prompt: ask && 'consent', next: isOwnPath(next) ? next : '/' };
  response.redirect(303, (await oauth.authorizationUrl(session, options)).href);
});

app.get('/callback', async (request, response) => {
  const { session } = request;
  const next = await oauth.finishAuthorization(session, new URL(request.originalUrl, oauth.HOME));
  renewSession(request, response, session);
  response.redirect(303, next);
});

app.get('/', async (request, response) => {
  const { session, query } = request;
  if (!session?.grant) return response.page(pages.welcome());
  const place = placeOf(query);
  response.page(pages.nearby(session.person, place, await nearest(session, place, 10)));
});

// Everything below is for people who are signed in.
app.use((request, response, next) => (request.session?.grant ? next() : response.redirect(303, '/')));
app.use(express.urlencoded());
// Ids go into the addresses of API calls: nothing but an id may, or a link here could lead the app to another endpoint.
app.param('id', (_, __, next, id) => next(/^\w+$/.test(id) ? undefined : 'route'));

app.get('/artworks/:id', async ({ session, params }, response) => {
  response.page(pages.artwork(await api(session, 'GET', `/api/markers/${params.id}`)));
});

app.post('/artworks/:id/edits', async ({ session, params, body }, response) => {
  const edit = await api(session, 'POST', '/api/edits', {
    type: 'update',
    targetType: 'artwork',
    targetId: params.id,
    baseVersion: Number(body.version), // what the person saw: if it changed meanwhile, the API says so (409)
    changes: { ...(body.status && { status: body.status }), ...(body.year && { year: Number(body.year) }) },
    comment: body.comment,
  });
  response.done(`Thank you! Your suggestion is ${edit.status}: others will look at it.`, `/artworks/${params.id}`);
});

app.get('/artists/:id', async ({ session, params }, response) => {
  const artist = await api(session, 'GET', `/api/artists/${params.id}`);
  response.page(pages.artist(artist, await all(session, `/api/artists/${params.id}/artworks`)));
});

app.post('/artworks/:id/keep', async ({ session, params }, response) => {
  const walk = (await findWalk(session)) ?? (await createWalk(session));
  await api(session, 'POST', `/api/collections/${walk.id}/items`, { items: [{ markerId: params.id }] });
  response.done('It is on your walk.', '/walk');
});

app.post('/artworks/:id/drop', async ({ session, params }, response) => {
  const walk = await findWalk(session);
  if (walk) await api(session, 'DELETE', `/api/collections/${walk.id}/items/${params.id}`);
  response.done('It is off your walk.', '/walk');
});

app.get('/walk', async ({ session }, response) => {
  const walk = await findWalk(session);
  response.page(pages.walk(walk ? await all(session, `/api/collections/${walk.id}`) : []));
});

app.get('/edits', async ({ session }, response) => {
  response.page(pages.edits(await all(session, '/api/edits/mine')));
});

app.post('/edits/:id/accept', async ({ session, params }, response) => {
  await api(session, 'POST', `/api/edits/${params.id}/accept`, {});
  response.done('It is accepted.', '/edits');
});

app.get('/access', ({ session }, response) => {
  response.page(pages.access(session.grant, [...oauth.FIRST_SCOPES, ...oauth.LATER_SCOPES]));
});

app.post('/refresh', async ({ session }, response) => {
  await oauth.refresh(session.grant);
  response.done('Here is a new pair of tokens. The old refresh token is spent.', '/access');
});

app.post('/sign-out', async (request, response) => {
  const { grant } = request.session;
  endSession(request, response);
  await oauth.revoke(grant); // first here, then at the service, which sends the person back to our front page
  response.redirect(303, oauth.signOutUrl(grant).href);
});

app.use(() => {
  throw Object.assign(new oauth.Problem('There is no such page.'), { status: 404 });
});

app.use((error, request, response, _next) => {
  if (error instanceof oauth.SignInAgain) {
    endSession(request, response);
    request.session = undefined;
  }
  // Ours, or one with which the service refused an authorization or a token (RFC 6749 §4.1.2.1, §5.2).
  const sentence = error instanceof oauth.Problem ? error.message : error.error_description;
  if (!sentence) console.error(error.stack);
  const { status = sentence ? 400 : 502, details, missingScope } = error;
  const [signedIn, back] = [request.session?.grant, backFrom(request)];
  response.status(status).page(pages.problem({ sentence, details, missingScope, signedIn, back }));
});

/** A place to look around: what was asked for, or the first city of the demo. */
function placeOf({ lat, lon }) {
  const place = { lat: Number(lat), lon: Number(lon) };
  return lat && lon && Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180 ? place : { lat: 52.1, lon: 5.02 };
}

/** The page on which a person was when something went wrong. */
function backFrom({ method, originalUrl, headers }) {
  if (method === 'GET') return originalUrl.startsWith('/callback') ? '/' : originalUrl;
  const { pathname, search } = new URL(headers.referer ?? '/', oauth.HOME);
  return `${pathname}${search}`;
}

/** Whether a path leads nowhere but here: an app that sends people anywhere helps deceivers (RFC 9700 §4.11.1). */
function isOwnPath(path) {
  return typeof path === 'string' && /^\/([\w?][\w/?&=.,%-]*)?$/.test(path);
}

app.listen(Number(oauth.PORT), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`Mural Walk is at ${oauth.HOME}`);
});
