import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoScale } from '../../src/demo/demo-scale.js';
import { DemoService } from '../../src/demo/demo.service.js';
import { Marker } from '../../src/markers/marker.entity.js';
import { type ImportFollower, MarkersImport } from '../../src/markers/markers-import.js';
import { newArtist, newToken } from '../support/factories.js';
import { Service } from '../support/service.js';

const nobody: ImportFollower = { reached: () => undefined, refused: () => undefined };

describe('What an operator brings in', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
    await service.get(DemoService).load();
  });
  afterAll(() => service.stop());

  const file = (name: string, count: number): string =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: Array.from({ length: count }, (_, at) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [at % 180, 10] },
        properties: at % 10 === 3 ? {} : { title: `${name} ${at}` },
      })),
    });
  const titled = (name: string): Promise<number> =>
    service.database
      .createQueryBuilder(Marker, 'marker')
      .where('marker.title LIKE :name', { name: `${name} %` })
      .getCount();

  it('goes on where it was stopped: nothing twice, nothing left out, each refusal once', async () => {
    const text = file('Stopped', 650);
    const refused: number[] = [];
    const follow = { reached: () => undefined, refused: (number: number) => void refused.push(number) };
    const stopping = {
      ...follow,
      reached: (done: number) => {
        if (done >= 400) throw new Error('The power went out.');
      },
    };
    await expect(service.get(MarkersImport).run(text, stopping)).rejects.toThrow('The power went out.');
    expect(await titled('Stopped')).toBe(360);
    expect(await service.get(MarkersImport).run(text, follow)).toEqual({ imported: 225, skipped: 25, before: 400 });
    expect(await titled('Stopped')).toBe(585);
    expect(new Set(refused).size).toBe(65);
    expect(refused).toHaveLength(65);
  });

  it('refuses a place that is by somebody', async () => {
    const artist = await newArtist(service);
    const properties = { title: 'Gallery', placeType: 'gallery', artistIds: [artist.id] };
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 1] }, properties };
    const reasons: string[] = [];
    const follow = { ...nobody, refused: (_: number, reason: string) => void reasons.push(reason) };
    const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] });
    expect(await service.get(MarkersImport).run(text, follow)).toEqual({ imported: 0, skipped: 1 });
    expect(reasons).toEqual(['it is a place, and places are by no artist']);
  });

  it('does nothing the second time', async () => {
    const text = file('Twice', 20);
    expect(await service.get(MarkersImport).run(text, nobody)).toEqual({ imported: 18, skipped: 2 });
    expect(await service.get(MarkersImport).run(text, nobody)).toEqual({ imported: 0, skipped: 0, before: 20 });
    expect(await titled('Twice')).toBe(18);
  });

  it('comes once where two import the same file at once, and the one that comes too late says so', async () => {
    const text = file('Raced', 450);
    const results = await Promise.allSettled([1, 2].map(() => service.get(MarkersImport).run(text, nobody)));
    await service.get(MarkersImport).run(text, nobody);
    expect(await titled('Raced')).toBe(405);
    for (const result of results)
      if (result.status === 'rejected') expect(String(result.reason)).toContain('another process');
  });

  it('is found at once', async () => {
    await service.get(MarkersImport).run(file('Findable', 5), nobody);
    const token = await newToken(service, ['markers:read']);
    const { body } = await service.call('GET', '/api/markers?q=findable&sort=id', { token });
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual([
      'Findable 0',
      'Findable 1',
      'Findable 2',
      'Findable 4',
    ]);
  });

  it('demo --scale: brings the made-up markers to a number, the same ones each time, and no more', async () => {
    const scale = service.get(DemoScale);
    expect(await scale.load(30, () => undefined)).toEqual({ loaded: 30, before: 0 });
    expect(await scale.load(50, () => undefined)).toEqual({ loaded: 20, before: 30 });
    expect(await scale.load(50, () => undefined)).toEqual({ loaded: 0, before: 50 });
    const rows = await service.database
      .createQueryBuilder(Marker, 'marker')
      .where(`marker.id LIKE 'mrk_01JDEM00000000000001______'`)
      .orderBy('marker.id')
      .getMany();
    expect(rows).toHaveLength(50);
    for (const { latE7, lonE7 } of rows) {
      expect(Math.abs(latE7)).toBeLessThanOrEqual(90e7);
      expect(Math.abs(lonE7)).toBeLessThanOrEqual(180e7);
    }
  });
});
