import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MarkersImportService } from '../../src/map/markers/markers-import.service.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createMarker } from '../support/factories.js';
import type { ResponseBody, TestResponse } from '../support/test-server.js';

const FOX = { url: 'https://images.example/fox.jpg', credit: 'Mila Vos', license: 'CC-BY-4.0' };
const OWL = {
  url: 'https://images.example/owl.jpg',
  credit: 'Tevita',
  license: 'CC0-1.0',
  takenAt: '2020-02-29',
  alt: 'An owl.',
};
const COMPLETE = { takenAt: null, alt: null };

describe('Photos of an artwork', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  afterAll(() => edits.server.stop());
  beforeEach(() => edits.createArtwork());

  const suggest = async (changes: object): Promise<TestResponse> =>
    edits.post('', edits.authorToken, edits.buildUpdate(changes as Record<string, unknown>, await edits.findMarker()));
  const read = async (): Promise<ResponseBody> =>
    (await edits.server.request('GET', `/api/markers/${edits.artwork.id}`, { token: edits.authorToken })).body;

  it('are edited with credit and license, and imageUrl is the URL of the first', async () => {
    expect(await read()).toMatchObject({ photos: [], imageUrl: null });
    const id = await edits.createAcceptedEdit({ photos: [FOX, OWL] });
    expect(await read()).toMatchObject({ photos: [{ ...FOX, ...COMPLETE }, OWL], imageUrl: FOX.url });
    const { diff, summary } = (await edits.get(`/${id}`, edits.authorToken)).body;
    expect(diff).toEqual([
      {
        field: 'photos',
        label: 'Photos',
        from: [],
        to: [{ ...FOX, ...COMPLETE }, OWL],
        current: expect.anything(),
        state: 'alreadyApplied',
      },
    ]);
    expect(summary).toMatch(/^Photos: – → https:\/\/images\.example\/fox\.jpg \(Mila/);
    await edits.createAcceptedEdit({ photos: [OWL] });
    expect(await read()).toMatchObject({ photos: [OWL], imageUrl: OWL.url });
    for (const photos of [[], null]) {
      await edits.createAcceptedEdit({ photos: [FOX] });
      await edits.createAcceptedEdit({ photos });
      expect(await read()).toMatchObject({ photos: [], imageUrl: null });
    }
  });

  it('are reverted and conflict like other fields', async () => {
    const other = await edits.suggestEdit(edits.buildUpdate({ photos: [OWL] }));
    const id = await edits.createAcceptedEdit({ photos: [FOX] });
    const moderator = await edits.createModerator();
    expectApiError(await edits.decide('accept', other, moderator), 409, 'edit_conflict');
    expect((await edits.decide('revert', id, moderator)).status).toBe(200);
    expect((await read()).photos).toEqual([]);
  });

  it('show an imageUrl as a photo without credit and license, which may stay', async () => {
    await edits.createAcceptedEdit({ imageUrl: FOX.url });
    const legacy = { url: FOX.url, credit: null, license: null };
    expect((await read()).photos).toEqual([{ ...legacy, ...COMPLETE }]);
    await edits.createAcceptedEdit({ photos: [legacy, OWL] });
    expect((await read()).photos).toEqual([{ ...legacy, ...COMPLETE }, OWL]);
    await edits.createAcceptedEdit({ imageUrl: 'https://images.example/new.jpg' });
    expect((await read()).photos.map(({ url }: ResponseBody) => url as string)).toEqual([
      'https://images.example/new.jpg',
      OWL.url,
    ]);
    await edits.createAcceptedEdit({ imageUrl: null });
    expect(await read()).toMatchObject({ photos: [OWL], imageUrl: OWL.url });
  });

  it.each([
    ['changes.photos', Array.from({ length: 11 }, (_, index) => ({ ...FOX, url: `${FOX.url}?${index}` }))],
    ['changes.photos', [FOX, FOX]],
    ['changes.photos', 'none'],
    ['changes.photos.0.url', [{ ...FOX, url: 'http://images.example/fox.jpg' }]],
    ['changes.photos.0.url', [{ ...FOX, url: `https://images.example/${'x'.repeat(2000)}` }]],
    ['changes.photos.1.credit', [OWL, { url: FOX.url, license: FOX.license }]],
    ['changes.photos.0.credit', [{ ...FOX, credit: 'x'.repeat(201) }]],
    ['changes.photos.0.credit', [{ ...FOX, credit: null }]],
    ['changes.photos.0.license', [{ url: FOX.url, credit: FOX.credit }]],
    ['changes.photos.0.license', [{ ...FOX, license: null }]],
    ['changes.photos.0.license', [{ ...FOX, license: 'all rights reserved' }]],
    ['changes.photos.0.takenAt', [{ ...FOX, takenAt: '2021-02-29' }]],
    ['changes.photos.0.takenAt', [{ ...FOX, takenAt: '2999-01-01' }]],
    ['changes.photos.0.takenAt', [{ ...FOX, takenAt: '2020-02-29T10:00:00Z' }]],
    ['changes.photos.0.alt', [{ ...FOX, alt: 'x'.repeat(201) }]],
    ['changes.photos.0.width', [{ ...FOX, width: 100 }]],
  ])('reject an error in %s', async (path, photos) => {
    const response = await suggest({ photos });
    expectApiError(response, 400, 'invalid_request');
    expect(response.body.details[0].path).toBe(path);
  });

  it('cannot be changed together with imageUrl', async () => {
    const response = await suggest({ photos: [FOX], imageUrl: FOX.url });
    expectApiError(response, 400, 'invalid_request');
    expect(response.body.details[0]).toMatchObject({ path: 'changes.imageUrl', code: 'not_together' });
  });

  it('accept a URL of 2,000 characters', async () => {
    const url = `https://images.example/${'x'.repeat(1977)}`;
    await edits.createAcceptedEdit({ photos: [{ ...FOX, url }] });
    expect((await read()).imageUrl).toBe(url);
  });

  it('are imported', async () => {
    const properties = { title: 'Imported', photos: [OWL], imageUrl: OWL.url };
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [5, 52] }, properties };
    const file = JSON.stringify({ type: 'FeatureCollection', features: [feature] });
    const skipped: string[] = [];
    const listener = {
      onProgress: () => undefined,
      onSkipped: (_: number, reason: string) => void skipped.push(reason),
    };
    const result = await edits.server.get(MarkersImportService).importGeoJson(file, listener);
    expect([result.imported, skipped]).toEqual([1, []]);
    const { body } = await edits.server.request('GET', '/api/markers?q=imported', { token: edits.authorToken });
    expect(body.data[0].photos).toEqual([OWL]);
  });

  it('are not affected by an edit of another field', async () => {
    edits.artwork = await createMarker(edits.server, { photos: [{ ...FOX, ...COMPLETE }] });
    await edits.createAcceptedEdit({ year: 2001 });
    expect((await read()).photos).toEqual([{ ...FOX, ...COMPLETE }]);
  });
});
