import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewMarker } from '../../src/map/markers/markers.store.js';
import { createArtist } from '../support/factories.js';
import { MapFixture } from '../support/map-fixture.js';
import { type SearchQuery } from '../support/search-oracle.js';

describe('Text search', () => {
  let map: MapFixture;
  let spot = 0;

  beforeAll(async () => {
    map = await MapFixture.start();
  });
  afterAll(() => map.stop());

  /**
   * Moves to a new location for each test, so that a box of one degree has only the test's markers.
   */
  beforeEach(() => {
    spot += 2;
  });
  const first = (): SearchQuery => ({ bbox: [spot, 10, spot + 1, 11].join() });
  const add = (title: string, overrides: Partial<NewMarker> = {}): Promise<{ id: string }> =>
    map.createMarkers({ title, location: { lat: 10.5, lon: spot + 0.5 }, ...overrides }).then(([marker]) => marker!);
  const titles = (query: SearchQuery): Promise<string[]> => map.searchTitles({ ...first(), ...query });
  const expectError = async (query: SearchQuery, path: string): Promise<void> => {
    const { status, body } = await map.search(query);
    expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'invalid_request' });
    expect(body.details).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
  };

  it('matches ASCII input with any diacritics, case and script', async () => {
    for (const title of ['Łódź', 'Große Straße', 'Muñoz', '東京の壁画', 'Ёлка']) await add(title);
    expect(await titles({ q: 'lodz' })).toEqual(['Łódź']);
    expect(await titles({ q: 'STRASSE' })).toEqual(['Große Straße']);
    expect(await titles({ q: 'grosse straße' })).toEqual(['Große Straße']);
    expect(await titles({ q: 'munoz' })).toEqual(['Muñoz']);
    expect(await titles({ q: 'MUN\u0303OZ' })).toEqual(['Muñoz']);
    expect(await titles({ q: 'елк' })).toEqual(['Ёлка']);
    expect(await titles({ q: '壁画' })).toEqual(['東京の壁画']);
    expect(await titles({ q: '画壁' })).toEqual([]);
    expect(await titles({ q: '京' })).toEqual(['東京の壁画']);
  });

  it('searches title, artists, tags, address, description and place type for words', async () => {
    const kettu = await createArtist(map.server, 'Ansa Fox');
    await add('fox');
    await add('a gallery', { placeType: 'fox den' });
    await add('address', { address: 'Fox Lane 3' });
    await add('tags', { tags: ['owl', 'fox'] });
    await add('description', { description: 'It shows a fox.' });
    await add('foxglove');
    await add('a firefox');
    await add('of the artist', { artistIds: [kettu.id] });
    const found = ['fox', 'a gallery', 'address', 'tags', 'description', 'foxglove', 'of the artist'];
    expect(await titles({ q: 'fox' })).toEqual(found);
    expect(await titles({ q: 'artist ansa' })).toEqual(['of the artist']);
  });

  it('does not match letters across two fields in scripts without spaces', async () => {
    await add('壁', { tags: ['画'] });
    await add('赤い壁', { description: '画家' });
    await add('壁画');
    expect(await titles({ q: '壁画' })).toEqual(['壁画']);
    expect(await map.searchTitles({ q: '壁画' })).not.toContain('赤い壁');
  });

  it('requires all terms, the last one as a prefix', async () => {
    await add('red fox wall');
    await add('red wallpaper');
    await add('reddish wall');
    expect(await titles({ q: 'wall red' })).toEqual(['red fox wall', 'reddish wall']);
    expect(await titles({ q: 'red wall' })).toEqual(['red fox wall', 'red wallpaper']);
    expect(await titles({ q: 'red wall fo' })).toEqual(['red fox wall']);
    expect(await titles({ q: 'red wall owl' })).toEqual([]);
  });

  it('treats quotes, asterisks and query operators as text', async () => {
    await add(`Rock'n'roll; DROP TABLE markers`);
    await add('cat or dog');
    await add('50% off_1');
    expect(await titles({ q: '" OR *' })).toEqual(['cat or dog']);
    expect(await titles({ q: `roll'); DROP TABLE markers; --` })).toEqual([`Rock'n'roll; DROP TABLE markers`]);
    for (const q of ['c*', 'cat* NOT dog', 'title:cat', 'NEAR(cat dog)', '^cat', "cat:* & !dog'"]) {
      expect([200, q]).toEqual([(await map.search({ q })).status, q]);
    }
    expect(await titles({ q: 'cat AND dog' })).toEqual([]);
    expect(await titles({ q: ':x \\ ? $1 off' })).toEqual([]);
  });

  it('rejects a text that is empty, too long, or without a letter, digit or emoji', async () => {
    for (const q of ['"*"', '%_', '', 'x'.repeat(201)]) await expectError({ q }, 'q');
    expect((await map.search({ q: '𐌰'.repeat(200) })).status).toBe(200);
  });

  it('accepts 16 words', async () => {
    await add('one two');
    const words = Array.from({ length: 15 }, () => 'one').join(' ');
    expect(await titles({ q: `${words} two` })).toEqual(['one two']);
    expect((await map.search({ q: `${words} one two` })).body).toMatchObject({
      code: 'too_many_words',
      details: [{ path: 'q', code: 'too_many_words' }],
    });
  });

  it('finds emoji, in any skin tone and in sequences', async () => {
    await add('Wave 🌊');
    await add('Hands 👋🏽 up');
    await add('Family 👩‍👩‍👧');
    expect(await titles({ q: '🌊' })).toEqual(['Wave 🌊']);
    expect(await titles({ q: '👋' })).toEqual(['Hands 👋🏽 up']);
    expect(await titles({ q: '👋🏿 up' })).toEqual(['Hands 👋🏽 up']);
    expect(await titles({ q: '👧' })).toEqual(['Family 👩‍👩‍👧']);
    expect(await titles({ q: '🦊' })).toEqual([]);
  });

  it('sorts by title, artist, tag, address and description, as far as they are needed for all words', async () => {
    const artist = await createArtist(map.server, 'Mossy Tower');
    const [description, address] = [{ description: 'A mossy tower.' }, { address: 'Mossy Tower 1' }];
    await add('in the description', description);
    await add('Old tower', { description: 'mossy' });
    await add('in the address', address);
    await add('Old tower with a tag', { tags: ['mossy'] });
    await add('in a tag', { tags: ['Mossy tower'] });
    await add('of the artist', { artistIds: [artist.id] });
    await add('The tower, mossy');
    await add('Mossy towers of old');
    await add('Mossy Tower');
    await add('Mossy tower', { tags: ['later'] });
    const sorted = ['Mossy Tower', 'Mossy tower', 'Mossy towers of old', 'The tower, mossy', 'of the artist'];
    sorted.push('Old tower with a tag', 'in a tag', 'in the address', 'in the description', 'Old tower');
    expect(await map.searchTitles({ q: 'mossy tower', limit: 2 })).toEqual(sorted);
    expect(await titles({ q: 'mossy tower', sort: 'relevance', limit: 1 })).toEqual(sorted);
    expect((await titles({ q: 'mossy tower' }))[0]).toBe('in the description');
    await expectError({ sort: 'relevance' }, 'sort');
  });

  it('sorts equal matches by distance from a point', async () => {
    const of = (title: string, lat: number): Promise<{ id: string }> =>
      add(title, { location: { lat, lon: spot + 0.5 } });
    await of('Peony at the wall', 10.51);
    await of('Peony at the gate', 10.505);
    await of('Peony', 10.52);
    await of('A peony', 10.5);
    const near = { lat: 10.5, lon: spot + 0.5, radius: 5000 };
    const sorted = ['Peony', 'Peony at the gate', 'Peony at the wall', 'A peony'];
    expect(await map.searchTitles({ ...near, q: 'peony', sort: 'relevance', limit: 1 })).toEqual(sorted);
    expect((await map.search({ ...near, q: 'peony', sort: 'relevance' })).body.data[3].distanceMeters).toBe(0);
    expect(await map.searchTitles({ ...near, radius: 900, q: 'peony', sort: 'relevance' })).toEqual([
      ...['Peony at the gate', 'A peony'],
    ]);
  });

  it('finds an artwork by a new name and a new alias of its artist, and no longer by the old name', async () => {
    const { id } = await createArtist(map.server, 'Anonymous Heron');
    await add('Nocturne', { artistIds: [id] });
    await add('Other');
    expect(await titles({ q: 'anonymous heron' })).toEqual(['Nocturne']);
    await map.updateArtist(id, { name: 'Kaptan' });
    expect([await titles({ q: 'heron' }), await titles({ q: 'kaptan' })]).toEqual([[], ['Nocturne']]);
    await map.updateArtist(id, { aliases: ['Señor K.'] });
    expect(await titles({ q: 'senor k' })).toEqual(['Nocturne']);
    await map.updateArtist(id, { aliases: null });
    expect(await titles({ q: 'senor' })).toEqual([]);
  });
});
