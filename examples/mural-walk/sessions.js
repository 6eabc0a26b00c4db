// The sessions, in the memory of this process. Tokens stay on the server; the browser gets a random
// session id.
import { randomBytes } from 'node:crypto';

const sessions = new Map();
const SESSION_LIFETIME_MS = 8 * 3600_000;

export function findSession(request) {
  const session = sessions.get(readSessionId(request));
  return session?.until > Date.now() ? session : undefined;
}

/** Creates a session, or gives it a new id. A new id at each sign-in prevents session fixation. */
export function renewSession(request, response, session = { pending: new Map() }) {
  for (const [id, { until }] of sessions) if (until < Date.now()) sessions.delete(id);
  sessions.delete(readSessionId(request));
  const id = randomBytes(32).toString('base64url');
  sessions.set(id, Object.assign(session, { until: Date.now() + SESSION_LIFETIME_MS }));
  // With SameSite=Lax, the browser omits the cookie in a POST from another site, but includes it in
  // the redirect to /callback. An app with https also needs `secure: true` and the name prefix
  // __Host-.
  response.cookie('mural_walk', id, { httpOnly: true, sameSite: 'lax' });
  return session;
}

export function endSession(request, response) {
  sessions.delete(readSessionId(request));
  response.clearCookie('mural_walk');
}

function readSessionId(request) {
  return /(?:^|; )mural_walk=([\w-]+)/.exec(request.headers.cookie)?.[1];
}
