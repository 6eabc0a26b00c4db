import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { openJsonStore } from './json-store.js';
import { CHAIN_COUNT, CLIENT, createEs256Signer, announceReady } from './target-protocol.js';

const RESOURCE = 'https://bench.example/api';
const store = await openJsonStore();

class Adapter {
  constructor(name) {
    this.name = name;
  }
  buildKey(id) {
    return `${this.name}:${id}`;
  }
  upsert(id, payload) {
    return store.put(this.buildKey(id), payload.grantId ?? null, payload);
  }
  find(id) {
    return store.get(this.buildKey(id));
  }
  consume(id) {
    return store.consume(this.buildKey(id), Math.floor(Date.now() / 1000));
  }
  async destroy(id) {
    await store.remove(this.buildKey(id));
  }
  revokeByGrantId(grantId) {
    return store.removeGrant(grantId);
  }
}

const provider = new Provider('http://localhost', {
  adapter: Adapter,
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://bench.example/callback'],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [createEs256Signer().jwk] },
  cookies: { keys: ['bench'] },
  scopes: ['offline_access', 'markers:read', 'edits:write'],
  rotateRefreshToken: true,
  ttl: { AccessToken: 3600, RefreshToken: 2_592_000, Grant: 2_592_000 },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'markers:read edits:write',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
});

const client = await provider.Client.find(CLIENT.id);
const scope = 'offline_access markers:read edits:write';
const tokens = [];
for (let index = 0; index < CHAIN_COUNT; index++) {
  const grant = new provider.Grant({ accountId: 'bench', clientId: CLIENT.id });
  grant.addOIDCScope('offline_access');
  grant.addResourceScope(RESOURCE, 'markers:read edits:write');
  const grantId = await grant.save();
  const tokenFields = { accountId: 'bench', client, grantId, scope, resource: RESOURCE, gty: 'authorization_code' };
  tokens.push(await new provider.RefreshToken({ ...tokenFields, rotations: 0 }).save());
}
const server = createServer(provider.callback()).listen(0, '127.0.0.1', () =>
  announceReady({ url: `http://127.0.0.1:${server.address().port}/token`, client: CLIENT, form: true, tokens }),
);
