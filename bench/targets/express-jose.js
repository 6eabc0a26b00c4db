import express from 'express';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { es256, ready, SMALL } from './target.js';

const { jwk, jwt } = es256();
const { d: _, ...publicHalf } = jwk;
const keys = createLocalJWKSet({ keys: [publicHalf] });
const expected = { issuer: 'bench', audience: 'bench', typ: 'at+jwt', algorithms: ['ES256'] };

const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/guarded', async (req, res) => {
  try {
    const { payload } = await jwtVerify(req.get('authorization').slice('Bearer '.length), keys, expected);
    if (!payload.scope.split(' ').includes('markers:read')) return void res.status(403).json({ error: 'scope' });
    res.json(SMALL);
  } catch {
    res.status(401).json({ error: 'token' });
  }
});
const exp = Math.floor(Date.now() / 1000) + 3600;
const tokens = Array.from({ length: 64 }, (_, at) =>
  jwt({ iss: 'bench', aud: 'bench', sub: `usr_${at}`, scope: 'markers:read', exp }),
);
const listening = app.listen(0, '127.0.0.1', () =>
  ready({ url: `http://127.0.0.1:${listening.address().port}/guarded`, tokens }),
);
