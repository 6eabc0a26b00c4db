// Who is signed in, in the memory of this process. Tokens stay on the server; the browser gets a random name for them.
import { randomBytes } from 'node:crypto';

const sessions = new Map();
const SESSION_LIFETIME_MS = 8 * 3600_000;

export function findSession(request) {
  const session = sessions.get(readSessionId(request));
  return session?.until > Date.now() ? session : undefined;
}

/**
 * Gives a session a new name, or begins one. That happens at every sign-in, so that a name which somebody slipped into
 * the browser before is worth nothing after it.
 */
export function renewSession(request, response, session = { pending: new Map() }) {
  for (const [id, { until }] of sessions) if (until < Date.now()) sessions.delete(id);
  sessions.delete(readSessionId(request));
  const id = randomBytes(32).toString('base64url');
  sessions.set(id, Object.assign(session, { until: Date.now() + SESSION_LIFETIME_MS }));
  // Lax: other sites cannot post with it, and still it comes along when the service sends the person back to /callback.
  // Where an app is reached by https, `secure: true` and a name that begins with __Host- belong here too.
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
