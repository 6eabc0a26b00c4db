import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EditsFixture } from '../support/edits-fixture.js';
import type { ResponseBody, TestResponse } from '../support/test-server.js';

const SWAPPED = 'latitude and longitude may be swapped.';

describe('Mistaken names and coordinates', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  afterAll(() => edits.server.stop());

  const send = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
    edits.server.request(method, `/api${path}`, { token: edits.authorToken, ...(body !== undefined && { body }) });
  const getError = async (path: string): Promise<ResponseBody> => (await send('GET', path)).body;

  it.each([
    ['/markers?lat=1&lng=2&radius=5', 'Unknown parameter: lng. Did you mean lon?'],
    ['/markers?longitude=2', 'Unknown parameter: longitude. Did you mean lon?'],
    ['/markers?tags=fox', 'Unknown parameter: tags. Did you mean tag?'],
    ['/artists?ID=art_1', 'Unknown parameter: ID. Did you mean ids?'],
    ['/edits/mine?state=open', 'Unknown parameter: state. Did you mean status?'],
    ['/markers?colour=red', 'Unknown parameter: colour.'],
    ['/markers?toString=1', 'Unknown parameter: toString.'],
    [`/markers?${'x'.repeat(200)}=1`, `Unknown parameter: ${'x'.repeat(100)}.`],
    ['/markers/mrk_1/history?fields=id', 'Unknown parameter: fields.'],
  ])('of the query %s are called a parameter', async (path, error) => {
    const body = await getError(path);
    expect(body).toMatchObject({
      error,
      code: 'invalid_request',
      details: [{ code: 'unknown_member', message: error }],
    });
  });

  it.each([
    ['/collections', { name: 'Doors', visbility: 'public' }, 'Unknown field: visbility. Did you mean visibility?'],
    ['/collections', { name: 'Doors', colour: 1 }, 'Unknown field: colour.'],
    [
      '/edits',
      { type: 'create', targetType: 'artist', changes: { name: 'Mila', alias: ['M'] } },
      'Unknown field: changes.alias. Did you mean changes.aliases?',
    ],
  ])('of a body to %s are called a field', async (path, body, error) => {
    const { status, body: answer } = await send('POST', path, body);
    expect({ status, error: answer.error }).toEqual({ status: 400, error });
  });

  it.each([
    ['/markers?bbox=52,120,52.2,121', true],
    ['/markers?bbox=-10,170,10,-170', true],
    ['/markers/clusters?bbox=52,120,52.2,121&zoom=3', true],
    ['/markers?bbox=120,120,121,121', false],
    ['/markers?bbox=52,120,52.2,119', true],
    ['/markers?bbox=52,200,52.2,201', false],
    ['/markers?bbox=5,53,6,52', false],
    ['/markers?bbox=5,120,6', false],
    ['/markers?lat=120&lon=52&radius=5', true],
    ['/markers?lat=-91&lon=-90&radius=5', true],
    ['/markers?lat=120&lon=100&radius=5', false],
    ['/markers?lat=181&lon=52&radius=5', false],
    ['/markers?lat=120&lon=x&radius=5', false],
    ['/markers?lat=120', false],
  ])('of %s get a hint only if both fit after the swap', async (path, hasHint) => {
    const body = await getError(path);
    expect({ code: body.code, hasHint: body.error.endsWith(SWAPPED) }).toEqual({ code: 'invalid_request', hasHint });
  });

  it.each([
    [{ lat: 120, lon: 52 }, true],
    [{ lat: 120, lon: 100 }, false],
    [{ lat: 52, lon: 181 }, false],
    [{ lat: 120 }, false],
  ])('of the suggested location %j get a hint only if both fit after the swap', async (location, hasHint) => {
    const changes = { title: 'Two Herons', location };
    const { body } = await send('POST', '/edits', { type: 'create', targetType: 'artwork', changes });
    expect(body.details[0]).toMatchObject({ path: expect.stringMatching(/^changes\.location\.l/) });
    expect(body.error.endsWith(SWAPPED)).toBe(hasHint);
  });

  it('of the box of a filter of edits get a hint', async () => {
    const filter = { which: 'mine', bbox: [52, 120, 52.2, 121] };
    expect((await send('POST', '/edits/views', { filter })).body.error).toMatch(SWAPPED);
  });

  it('are readable for scripts of other origins, and so is Location', async () => {
    const headers = { Origin: 'https://app.example.org' };
    const token = edits.authorToken;
    const response = await edits.server.request('POST', '/api/collections', {
      token,
      headers,
      body: { name: 'Doors' },
    });
    expect(response.headers.get('location')).toBe(`/api/collections/${response.body.id}`);
    expect(response.headers.get('access-control-expose-headers')!.split(',')).toContain('Location');
  });
});
