import { describe, expect, it } from '@jest/globals';
import { validateRedirectUri } from '../../src/identity/apps/redirect-uri.js';

describe.each(['confidential', 'public'] as const)('Redirect URI of a %s client', (clientType) => {
  it.each([
    'https://app.example.org/callback',
    'https://app.example.org/callback?from=map',
    'http://127.0.0.1:8080/callback',
    'http://[::1]/callback',
    'http://localhost:3000/',
    'http://localhost:3000',
    'https://app.example.org',
    'https://app.example.org?from=map',
    'https://app.example.org:8443/callback?',
    'https://App.Example.org/Callback',
    'HTTP://LOCALHOST/callback',
    'https://xn--strae-oqa.example/caf%C3%A9',
    'https://127.0.0.1/callback',
    'https://app.example.org/a..b/callback?path=../c',
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
    'http://0x7f.example.org/',
    'http://localhost./callback',
    'org..example:/callback',
    'org.:/callback',
    'org.example.:/callback',
  ])('must not be %j', (uri) => expect(validateRedirectUri(uri, clientType)).toBeDefined());

  it.each([
    'https://app.example.org/a b',
    'https://app.example.org/\tcallback',
    'https://app.example.org/\u202egro.live',
    'https://app.\u200bexample.org/',
    'https://app.example.org/?to=\u2066x\u2069',
    'https://app.example.org/\u00ad',
    '\ufeffhttps://app.example.org/',
    'https://app.example.org/\u{e0041}',
    'https://app.example.org/\u115f',
    'https://app.example.org/\ufe0f',
    'https://app.example.org/\ud800',
    'com.example.app:/\u202ecallback',
    'com.example\u200b.app:/callback',
    'com.example.app://\u2060callback/',
  ])('has no space or invisible character, unlike %j', (uri) => {
    const error = validateRedirectUri(uri, clientType);
    expect(error?.code).toBe('redirectUriInvisible');
    expect(error?.value).toMatch(/^[\x20-\x7e\ufffd]+$/);
  });

  it.each([
    'https://a..b/',
    'https://.example.org/',
    'https://app.example.org./callback',
    'https://app%2e.example.org/',
    'https://app。。example.org/',
  ])('has no empty label in its host, unlike %s', (uri) => {
    expect(validateRedirectUri(uri, clientType)).toEqual({ code: 'redirectUriHost', value: uri });
  });

  it.each([
    ['https://0x7f.1/', 'https://127.0.0.1/'],
    ['https://2130706433/callback', 'https://127.0.0.1/callback'],
    ['http://127.1/callback', 'http://127.0.0.1/callback'],
    ['http://0177.0.0.1/', 'http://127.0.0.1/'],
    ['http://[0:0:0:0:0:0:0:1]/', 'http://[::1]/'],
    ['https://ａｐｐ.example.org/', 'https://app.example.org/'],
    ['https://app。example.org/', 'https://app.example.org/'],
    ['https://\u212aey.example.org/', 'https://key.example.org/'],
    ['https://straße.example/', 'https://xn--strae-oqa.example/'],
    ['https://ex%61mple.org/', 'https://example.org/'],
    ['https://app.example.org:443/', 'https://app.example.org/'],
    ['https://app.example.org:08443/', 'https://app.example.org:8443/'],
    ['https://app.example.org:/', 'https://app.example.org/'],
    ['http://localhost:80/', 'http://localhost/'],
    ['https://app.example.org/a/../callback', 'https://app.example.org/callback'],
    ['https://app.example.org/%2e%2E/callback', 'https://app.example.org/callback'],
    ['https://app.example.org/café', 'https://app.example.org/caf%C3%A9'],
    ['https://app.example.org/{tenant}', 'https://app.example.org/%7Btenant%7D'],
  ])('is not %s, which browsers rewrite to %s', (uri, suggestion) => {
    expect(validateRedirectUri(uri, clientType)).toEqual({ code: 'redirectUriRewritten', value: uri, suggestion });
    expect(validateRedirectUri(suggestion, clientType)).toBeUndefined();
  });
});

describe('Redirect URI with a private-use scheme', () => {
  it.each([
    'com.example.app:/callback',
    'com.example.app:callback',
    'com.example.app://callback',
    'com.example.app:///callback?from=map',
    'com.example.MyApp://Callback/Path',
  ])('may be %s for a public client', (uri) => expect(validateRedirectUri(uri, 'public')).toBeUndefined());

  it.each([
    ['com.example.app://a..b/callback', 'redirectUriHost'],
    ['com.example.app://.b', 'redirectUriHost'],
    ['com..example:/callback', 'redirectUriScheme'],
    ['com.example.app:/a/../callback', 'redirectUriRewritten'],
    ['com.example.app:/ｃallback', 'redirectUriRewritten'],
    ['com.example.app://straße/callback', 'redirectUriRewritten'],
    ['com.ｅxample.app:/callback', 'redirectUriInvalid'],
  ])('is not %s', (uri, code) => expect(validateRedirectUri(uri, 'public')).toMatchObject({ code }));
});

it('allows a private-use scheme with a dot to a public client only', () => {
  expect(validateRedirectUri('com.example.app:/callback', 'confidential')).toMatchObject({
    code: 'redirectUriPrivateUse',
  });
  expect(validateRedirectUri('com.example.app:/callback', 'public')).toBeUndefined();
});
