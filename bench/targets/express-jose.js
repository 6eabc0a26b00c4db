import express from 'express';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { createEs256Signer, announceReady, SMALL_RESPONSE } from './target-protocol.js';

const { jwk, jwt } = createEs256Signer();
const { d: _, ...publicJwk } = jwk;
const keys = createLocalJWKSet({ keys: [publicJwk] });
const expected = { issuer: 'bench', audience: 'bench', typ: 'at+jwt', algorithms: ['ES256'] };

const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/guarded', async (req, res) => {
  try {
    const { payload } = await jwtVerify(req.get('authorization').slice('Bearer '.length), keys, expected);
    if (!payload.scope.split(' ').includes('markers:read')) return void res.status(403).json({ error: 'scope' });
    res.json(SMALL_RESPONSE);
  } catch {
    res.status(401).json({ error: 'token' });
  }
});
const exp = Math.floor(Date.now() / 1000) + 3600;
const tokens = Array.from({ length: 64 }, (_, index) =>
  jwt({ iss: 'bench', aud: 'bench', sub: `usr_${index}`, scope: 'markers:read', exp }),
);
const server = app.listen(0, '127.0.0.1', () =>
  announceReady({ url: `http://127.0.0.1:${server.address().port}/guarded`, tokens }),
);
