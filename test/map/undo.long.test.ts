import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UndoService } from '../../src/app/connected-apps/undo.service.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { createAccount } from '../support/factories.js';
import { RecordFixture } from '../support/record-fixture.js';
import { RecordModel } from '../support/record-model.js';
import { SeededRandom, TEST_SEED } from '../support/seeded-random.js';
import type { TestResponse } from '../support/test-server.js';

const STEP_COUNT = 2_000;
const MARKER_COUNT = 8;
const APPS = [0, 1] as const;

describe(`After ${STEP_COUNT} random steps of apps, a person and a reviewer (TEST_SEED=${TEST_SEED})`, () => {
  const random = new SeededRandom(TEST_SEED);
  const model = new RecordModel();
  const collections: string[] = [];
  const edits: string[] = [];
  /** The years of the artworks by id. */
  const years = new Map<string, number | null>();
  let record: RecordFixture;
  let reviewerToken: string;
  let undoneCount = 0;

  beforeAll(async () => {
    record = await RecordFixture.start();
    await record.createPerson(MARKER_COUNT);
    for (const id of record.markerIds) years.set(id, (await findMarker(id)).year);
    reviewerToken = await record.issueToken(0, await createAccount(record.server, { role: 'moderator' }));
    for (let step = 0; step < STEP_COUNT; step++) {
      await pickStep()();
      if (step % 100 === 0) await expectCollectionsToEqualModel();
    }
  });
  afterAll(() => record.server.stop());

  const findMarker = (id: string): Promise<Marker> => record.server.entityManager.findOneByOrFail(Marker, { id });
  const key = (app: 0 | 1) => ({ accountId: record.account.id, appId: record.apps[app].app.id });

  function pickStep(): () => Promise<void> {
    const steps = [
      create,
      change,
      change,
      add,
      add,
      add,
      remove,
      remove,
      setNote,
      deleteOne,
      suggest,
      review,
      undo,
      undo,
      undo,
    ];
    return random.pickOne(steps);
  }

  /** Sends a write of a random app, and adds it to the model if it has a line. */
  async function write(
    collectionId: string | undefined,
    send: (app: 0 | 1, path: string) => Promise<TestResponse>,
    toParts: () => Record<string, unknown>,
  ): Promise<TestResponse> {
    const app = random.pickOne(APPS);
    const before = (await record.listLines(app))[0]?.id;
    const response = await send(app, `/collections/${collectionId ?? ''}`.replace(/\/$/, ''));
    const line = (await record.listLines(app))[0];
    if (line && line.id !== before) model.write(line.id, app, line.targetId, toParts());
    return response;
  }

  async function create(): Promise<void> {
    if (collections.length > 12) return;
    const name = `Name ${random.next()}`;
    const { body } = await write(
      undefined,
      (app, path) => record.send(app, 'POST', path, { name }),
      () => ({ exists: true, name, description: null }),
    );
    collections.push(body.id as string);
  }

  async function change(): Promise<void> {
    const field = random.pickOne(['name', 'description']);
    const value = `Text ${random.next()}`;
    await write(
      random.pickOne(collections),
      (app, path) => record.send(app, 'POST', path, { [field]: value }),
      () => ({ [field]: value }),
    );
  }

  async function add(): Promise<void> {
    const id = random.pickOne(collections);
    const markerIds = [random.pickOne(record.markerIds), random.pickOne(record.markerIds)];
    const missing = markerIds.filter((markerId) => !model.find(id ?? '')?.get(`item ${markerId}`));
    await write(
      id,
      (app) => record.addItems(app, id, markerIds),
      () => Object.fromEntries(missing.map((markerId) => [`item ${markerId}`, '–'])),
    );
  }

  async function remove(): Promise<void> {
    const id = random.pickOne(collections);
    const markerIds = [random.pickOne(record.markerIds), random.pickOne(record.markerIds)];
    const contained = markerIds.filter((markerId) => model.find(id ?? '')?.get(`item ${markerId}`));
    await write(
      id,
      (app, path) => record.send(app, 'DELETE', `${path}/items?markerIds=${markerIds.join(',')}`),
      () => Object.fromEntries(contained.map((markerId) => [`item ${markerId}`, null])),
    );
  }

  async function setNote(): Promise<void> {
    const markerId = random.pickOne(record.markerIds);
    const note = `Note ${random.next()}`;
    await write(
      random.pickOne(collections),
      (app, path) => record.send(app, 'POST', `${path}/items/${markerId}`, { note }),
      () => ({ [`item ${markerId}`]: note }),
    );
  }

  async function deleteOne(): Promise<void> {
    if (!random.randomBoolean(0.3)) return;
    await write(
      random.pickOne(collections),
      (app, path) => record.send(app, 'DELETE', path),
      () => ({ exists: false }),
    );
  }

  async function suggest(): Promise<void> {
    const target = random.pickOne(record.markerIds);
    const id = await record.suggestYear(random.pickOne(APPS), 1950 + Math.floor(random.next() * 70), target);
    if (id) edits.push(id);
  }

  /** A reviewer accepts, rejects or reverts an edit. */
  async function review(): Promise<void> {
    const id = random.pickOne(edits);
    if (!id) return;
    const action = random.pickOne(['accept', 'accept', 'reject', 'revert']);
    const { status } = await record.server.request('POST', `/api/edits/${id}/${action}`, {
      token: reviewerToken,
      body: { comment: 'A reason.' },
    });
    const { targetId, changes } = await record.server.entityManager.findOneByOrFail(Edit, { id });
    if (status === 200 && action !== 'reject') {
      years.set(targetId!, changes[0]![action === 'accept' ? 'to' : 'from'] as number | null);
    }
  }

  /** The person undoes one of the last lines of an app; the result must be that of the model. */
  async function undo(): Promise<void> {
    const app = random.pickOne(APPS);
    const lines = (await record.listLines(app)).slice(0, 30);
    const line = random.pickOne(lines);
    if (!line) return;
    const result = await record.server.get(UndoService).undo(key(app), line.id);
    if (line.undoneAt) return expect(result).toBe('undone');
    if (line.targetVersion === null) return;
    const isUndone = model.undo(line.id);
    expect({ line: line.action, result }).toEqual({ line: line.action, result: isUndone ? 'undone' : 'changed' });
    if (isUndone) undoneCount++;
  }

  async function expectCollectionsToEqualModel(): Promise<void> {
    for (const id of collections) {
      const found = await record.findCollection(id);
      const expected = model.find(id);
      if (!expected) expect(found).toBeNull();
      else expect(found && toParts(found)).toEqual(fromModel(expected));
    }
  }

  it('the collections equal the model', async () => {
    await expectCollectionsToEqualModel();
    expect(collections.filter((id) => model.find(id)).length).toBeGreaterThan(0);
    expect(undoneCount).toBeGreaterThan(STEP_COUNT / 40);
  });

  it('the map has the accepted values', async () => {
    for (const [id, year] of years) expect({ id, year: (await findMarker(id)).year }).toEqual({ id, year });
  });

  it('a line is undone exactly if it is in the model', async () => {
    const lines = [...(await record.listLines(0)), ...(await record.listLines(1))];
    for (const { id, undoneAt } of lines) {
      const isUndone = undoneAt !== null;
      expect({ id, isUndone: model.isUndone(id) ?? isUndone }).toEqual({ id, isUndone });
    }
    const withdrawn = await record.server.entityManager.countBy(Edit, { status: 'withdrawn' });
    expect(lines.filter(({ action, undoneAt }) => action === 'edit.suggested' && undoneAt)).toHaveLength(withdrawn);
  });
});

/** Returns the name and the artworks of a collection with their notes. */
function toParts({ name, markerIds, notes }: { name: string; markerIds: string[]; notes: unknown[] }): object {
  return { name, items: new Map(markerIds.map((markerId, index) => [markerId, notes[index] ?? '–'])) };
}

function fromModel(parts: Map<string, unknown>): object {
  const items = [...parts].filter(([part, value]) => part.startsWith('item ') && value !== null);
  return { name: parts.get('name'), items: new Map(items.map(([part, value]) => [part.slice(5), value])) };
}
