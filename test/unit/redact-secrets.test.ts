import { describe, expect, it } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { redactSecrets } from '../../src/platform/logging/redact-secrets.js';

const HIDDEN_VALUE = 'hidden-value_1.2~3';
const JWT = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3IifQ.${'s'.repeat(86)}`;

describe('redactSecrets', () => {
  it.each([
    ['a secret of the service', generateSecret('sam_secret')],
    ['the cookie of a known browser', generateSecret('sam_browser')],
    ['a truncated secret', generateSecret('sam_refresh').slice(0, 30)],
    ['a secret in an encoded address', `https%3A%2F%2Fa.example%2F%3Fx%3D${generateSecret('sam_code')}`],
    ['a JWT', JWT],
    ['a JWT truncated before its first dot', `of ${JWT.slice(0, 20)}`],
    ['a parameter', `https://a.example/?code=${HIDDEN_VALUE}&x=shown`],
    ['the first field of a form', `password=${HIDDEN_VALUE}&x=shown`],
    ['a parameter of an encoded address', `next=https%3A%2F%2Fa.example%2F%3Ftoken%3D${HIDDEN_VALUE}%26x%3Dshown`],
    ['a member of JSON', `{"client_secret":"${HIDDEN_VALUE}","x":"shown"}`],
    ['a member of JSON in a string', JSON.stringify(JSON.stringify({ code_verifier: HIDDEN_VALUE, x: 'shown' }))],
    ['HTTP Basic', `Authorization: Basic ${Buffer.from(`app_x:${HIDDEN_VALUE}`).toString('base64')}`],
  ])('removes %s', (_, text) => {
    const remaining = redactSecrets(text);
    expect(remaining).toContain('[redacted]');
    expect(remaining).not.toMatch(/hidden-value|[\w-]{24,}/);
    expect(remaining.includes('shown')).toBe(text.includes('shown'));
  });

  it.each(['redirect_uri is not registered.', 'state of the map: eyJ', 'POST /api/oauth/token 200 3.1 ms'])(
    'preserves %s',
    (text) => expect(redactSecrets(text).replace('eyJ[redacted]', 'eyJ')).toBe(text),
  );

  it('takes linear time for any text', () => {
    for (const part of ['eyJ', '?code', 'sam_code_', 'Basic ', '%3f', '\\', '"token":'])
      redactSecrets(part.repeat(1_000_000));
  });
});
