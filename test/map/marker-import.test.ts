import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GeneratedMarkersService } from '../../src/app/demo/generated-markers.service.js';
import { DemoService } from '../../src/app/demo/demo.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { type ImportListener, MarkersImportService } from '../../src/map/markers/markers-import.service.js';
import { createArtist, issueAccessToken } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

const SILENT_LISTENER: ImportListener = { onProgress: () => undefined, onSkipped: () => undefined };

describe('Marker import', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
    await server.get(DemoService).load();
  });
  afterAll(() => server.stop());

  const file = (name: string, count: number): string =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: Array.from({ length: count }, (_, index) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [index % 180, 10] },
        properties: index % 10 === 3 ? {} : { title: `${name} ${index}` },
      })),
    });
  const titled = (name: string): Promise<number> =>
    server.entityManager
      .createQueryBuilder(Marker, 'marker')
      .where('marker.title LIKE :name', { name: `${name} %` })
      .getCount();

  it('resumes after an interruption without duplicates, gaps and repeated messages', async () => {
    const text = file('Stopped', 650);
    const rejection: number[] = [];
    const clickLink = { onProgress: () => undefined, onSkipped: (number: number) => void rejection.push(number) };
    const stopping = {
      ...clickLink,
      onProgress: (done: number) => {
        if (done >= 400) throw new Error('The power went out.');
      },
    };
    await expect(server.get(MarkersImportService).importGeoJson(text, stopping)).rejects.toThrow('The power went out.');
    expect(await titled('Stopped')).toBe(360);
    expect(await server.get(MarkersImportService).importGeoJson(text, clickLink)).toEqual({
      imported: 225,
      skipped: 25,
      before: 400,
    });
    expect(await titled('Stopped')).toBe(585);
    expect(new Set(rejection).size).toBe(65);
    expect(rejection).toHaveLength(65);
  });

  it('rejects a place with artists', async () => {
    const artist = await createArtist(server);
    const properties = { title: 'Gallery', placeType: 'gallery', artistIds: [artist.id] };
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 1] }, properties };
    const reasons: string[] = [];
    const clickLink = { ...SILENT_LISTENER, onSkipped: (_: number, reason: string) => void reasons.push(reason) };
    const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] });
    expect(await server.get(MarkersImportService).importGeoJson(text, clickLink)).toEqual({ imported: 0, skipped: 1 });
    expect(reasons).toEqual(['artistIds must not be set for a place']);
  });

  it('skips a file that was imported before', async () => {
    const text = file('Twice', 20);
    expect(await server.get(MarkersImportService).importGeoJson(text, SILENT_LISTENER)).toEqual({
      imported: 18,
      skipped: 2,
    });
    expect(await server.get(MarkersImportService).importGeoJson(text, SILENT_LISTENER)).toEqual({
      imported: 0,
      skipped: 0,
      before: 20,
    });
    expect(await titled('Twice')).toBe(18);
  });

  it('imports a file once when two imports are concurrent, and reports it to the second one', async () => {
    const text = file('Raced', 450);
    const results = await Promise.allSettled(
      [1, 2].map(() => server.get(MarkersImportService).importGeoJson(text, SILENT_LISTENER)),
    );
    await server.get(MarkersImportService).importGeoJson(text, SILENT_LISTENER);
    expect(await titled('Raced')).toBe(405);
    for (const result of results)
      if (result.status === 'rejected') expect(String(result.reason)).toContain('Another process');
  });

  it('makes markers searchable at once', async () => {
    await server.get(MarkersImportService).importGeoJson(file('Findable', 5), SILENT_LISTENER);
    const token = await issueAccessToken(server, ['markers:read']);
    const { body } = await server.request('GET', '/api/markers?q=findable&sort=id', { token });
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual([
      'Findable 0',
      'Findable 1',
      'Findable 2',
      'Findable 4',
    ]);
  });

  it('demo --scale: creates markers up to a number, the same ones in each run', async () => {
    const scale = server.get(GeneratedMarkersService);
    expect(await scale.load(30, () => undefined)).toEqual({ loaded: 30, before: 0 });
    expect(await scale.load(50, () => undefined)).toEqual({ loaded: 20, before: 30 });
    expect(await scale.load(50, () => undefined)).toEqual({ loaded: 0, before: 50 });
    const rows = await server.entityManager
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
