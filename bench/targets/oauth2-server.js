import OAuth2Server from '@node-oauth/oauth2-server';
import express from 'express';
import { openJsonStore } from './json-store.js';
import { CHAIN_COUNT, CLIENT, createEs256Signer, announceReady } from './target-protocol.js';

const store = await openJsonStore();
const { jwt } = createEs256Signer();
const client = { id: CLIENT.id, grants: ['refresh_token'] };
const user = { id: 'bench' };
const scope = ['markers:read', 'edits:write'];
const expiresIn = (seconds) => new Date(Date.now() + seconds * 1000);

const server = new OAuth2Server({
  accessTokenLifetime: 3600,
  model: {
    getClient: async (id, secret) => id === CLIENT.id && secret === CLIENT.secret && client,
    generateAccessToken: async () => jwt({ sub: user.id, client_id: client.id, scope: scope.join(' '), exp: 3600 }),
    getRefreshToken: async (refreshToken) => {
      const stored = await store.get(refreshToken);
      return stored && { refreshToken, refreshTokenExpiresAt: new Date(stored.expiresAt), scope, client, user };
    },
    revokeToken: ({ refreshToken }) => store.remove(refreshToken),
    saveToken: async (token) => {
      await store.put(token.refreshToken, null, { expiresAt: token.refreshTokenExpiresAt });
      return { ...token, client, user };
    },
  },
});

const app = express();
app.disable('x-powered-by').disable('etag');
app.post('/token', express.urlencoded({ extended: false }), async (req, res) => {
  const response = new OAuth2Server.Response(res);
  try {
    await server.token(new OAuth2Server.Request(req), response);
    res.set(response.headers).json(response.body);
  } catch (error) {
    res.status(error.code ?? 500).json({ error: error.name });
  }
});
const tokens = Array.from({ length: CHAIN_COUNT }, (_, index) => `first-${index}`);
for (const token of tokens) await store.put(token, null, { expiresAt: expiresIn(2_592_000) });
const httpServer = app.listen(0, '127.0.0.1', () =>
  announceReady({ url: `http://127.0.0.1:${httpServer.address().port}/token`, client: CLIENT, form: true, tokens }),
);
