import { describe, expect, it } from '@jest/globals';
import { validateRedirectUri } from '../../src/identity/clients/redirect-uri.js';

describe.each(['confidential', 'public'] as const)('Redirect URI of a %s client', (clientType) => {
  it.each([
    'https://app.example.org/callback',
    'https://app.example.org/callback?from=map',
    'http://127.0.0.1:8080/callback',
    'http://[::1]/callback',
    'http://localhost:3000/',
    'https://app.example.org/@person/callback?mail=a@example.org',
  ])('may be %s', (uri) => expect(validateRedirectUri(uri, clientType)).toBeUndefined());

  it.each([
    '',
    '/callback',
    'app.example.org/callback',
    'https:app.example.org',
    'http://app.example.org/callback',
    'http://127.0.0.1.example.org/',
    'https://app.example.org/#',
    'https://app.example.org/#fragment',
    'https://user@app.example.org/',
    'https://@app.example.org/',
    'https://:@app.example.org/',
    'http://user@127.0.0.1/callback',
    'com.example.app://user@host/callback',
    'https://app.example.org/a b',
    'https://app.example.org/*',
    'https://*.example.org/callback',
    'https://app.example.org/callback?to=*',
    'com.example.app:/*',
    'https://app.example.org\\@evil.example/',
    'https://app.example.org/\\evil.example',
    'https:\\\\app.example.org/',
    'https:///app.example.org/',
    'com.example.app:\\callback',
    'com.example.app:/callback#fragment',
    'https://app.example.org/\u0000',
    'https://app.example.org/\u007f',
    'https://app.example.org/\tcallback',
    'javascript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'myapp:/callback',
  ])('must not be %j', (uri) => expect(validateRedirectUri(uri, clientType)).toEqual(expect.any(String)));
});

it('allows a private-use scheme with a dot to a public client only', () => {
  expect(validateRedirectUri('com.example.app:/callback', 'confidential')).toBe('redirectUriPrivateUse');
  expect(validateRedirectUri('com.example.app:/callback', 'public')).toBeUndefined();
});
