import { describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliFixture } from '../support/cli.js';

describe('markers import', () => {
  const fixture = CliFixture.use();

  it('imports points, and names the features that it skips', async () => {
    const point = (properties: object, coordinates: unknown = [5, 52], type = 'Point'): object => ({
      type: 'Feature',
      geometry: { type, coordinates },
      properties,
    });
    const features = [
      point({ title: 'Imported', year: 2020, tags: ['fox'] }),
      point({ title: 'A gallery', kind: 'place', placeType: 'gallery' }),
      point({}),
      point({ title: 'On the moon' }, [500, 52]),
      point({ title: 'A line' }, [[1, 2]], 'LineString'),
      point({ title: 'Odd', nonsense: 1 }),
      point({ title: 'By nobody', artistIds: ['art_01ARZ3NDEKTSV4RRFFQ69G5FAV'] }),
      null,
      point({ title: 'Odd kind', kind: 'banana' }),
      point({ title: 'Half a place', kind: 'artwork', placeType: 'gallery' }),
      point({ title: 'Words' }, ['5', '52']),
      { ...point({}), properties: 'words' },
    ];
    const file = join(fixture.folder.path, 'markers.geojson');
    await writeFile(file, `\uFEFF${JSON.stringify({ type: 'FeatureCollection', features })}`);
    const { code, json: output, stderr } = await fixture.cli.run('markers', 'import', file);
    expect({ code, printed: output }).toEqual({ code: 0, printed: { imported: 2, skipped: 10 } });
    for (const number of [3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      expect(stderr).toMatch(new RegExp(`Feature ${number} was skipped`));
    await writeFile(file, '{"type":"Feature"}');
    await fixture.cli.expectFailure(1, /FeatureCollection/, 'markers', 'import', file);
    await writeFile(file, '{');
    await fixture.cli.expectFailure(1, /must be JSON/, 'markers', 'import', file);
    await fixture.cli.expectFailure(1, /no such file/, 'markers', 'import', join(fixture.folder.path, 'nothing'));
  });
});
