import { describe, expect, it } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { redactSecrets } from '../../src/platform/logging/redact-secrets.js';

const HIDDEN_VALUE = 'hidden-value_1.2~3';
const JWT = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3IifQ.${'s'.repeat(86)}`;

describe('A redacted text', () => {
  it.each([
    ['a secret of ours', generateSecret('sam_secret')],
    ['one that is cut short', generateSecret('sam_refresh').slice(0, 30)],
    ['one in an address that is encoded', `https%3A%2F%2Fa.example%2F%3Fx%3D${generateSecret('sam_code')}`],
    ['a JWT', JWT],
    ['one that is cut before its first dot', `of ${JWT.slice(0, 20)}`],
    ['a parameter', `https://a.example/?code=${HIDDEN_VALUE}&x=shown`],
    ['the first field of a form', `password=${HIDDEN_VALUE}&x=shown`],
    ['a parameter of an encoded address', `next=https%3A%2F%2Fa.example%2F%3Ftoken%3D${HIDDEN_VALUE}%26x%3Dshown`],
    ['a member of JSON', `{"client_secret":"${HIDDEN_VALUE}","x":"shown"}`],
    ['one of JSON in a string', JSON.stringify(JSON.stringify({ code_verifier: HIDDEN_VALUE, x: 'shown' }))],
    ['HTTP Basic', `Authorization: Basic ${Buffer.from(`app_x:${HIDDEN_VALUE}`).toString('base64')}`],
  ])('lacks %s', (_, text) => {
    const left = redactSecrets(text);
    expect(left).toContain('[redacted]');
    expect(left).not.toMatch(/hidden-value|[\w-]{24,}/);
    expect(left.includes('shown')).toBe(text.includes('shown'));
  });

  it.each([
    'The redirect_uri is not registered, exactly so.',
    'state of the map: eyJ',
    'POST /api/oauth/token 200 3.1 ms',
  ])('keeps %s', (text) => expect(redactSecrets(text).replace('eyJ[redacted]', 'eyJ')).toBe(text));

  it('takes no longer than its length, whatever it holds', () => {
    for (const part of ['eyJ', '?code', 'sam_code_', 'Basic ', '%3f', '\\', '"token":'])
      redactSecrets(part.repeat(1_000_000));
  });
});
