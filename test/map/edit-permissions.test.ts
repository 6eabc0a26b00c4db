import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist, createMarker } from '../support/factories.js';
import type { TestResponse, ResponseBody } from '../support/test-server.js';
import { restoreClock, DAY_MS, advanceClock } from '../support/fake-clock.js';

const CASE_COUNT = 250;
const SEED = 20_260_701;
const LOCATIONS = [
  { lat: 52.1, lon: 5.01 },
  { lat: 52.1, lon: 6.1 },
  { lat: 10, lon: 10 },
];
const REGION_ASSIGNMENTS = [['reg_halvenstad'], ['reg_elsewhere'], ['reg_halvenstad', 'reg_elsewhere'], ['*'], ['*']];
const ACTIONS = ['supersede', 'accept', 'reject', 'revert'] as const;

/** mulberry32: the same numbers from the same seed. */
function createSeededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = createSeededRandom(SEED);
const pickRandom = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const randomBoolean = (of: number): boolean => random() < of;

describe('What evaluate-permissions says', () => {
  let edits: EditsFixture;
  let account: Account;
  let count = 0;

  beforeAll(async () => {
    edits = await EditsFixture.start();
    await edits.server.get(RegionsService).findOrCreate('Elsewhere', [6, 52, 6.4, 52.3]);
    account = await createAccount(edits.server);
    await write(Account, edits.authorAccount.id, { role: 'moderator' });
  });
  beforeEach(() => edits.createArtwork());
  afterEach(() => restoreClock());
  afterAll(() => edits.server.stop());

  async function write(entity: typeof Account | typeof Artist | typeof Marker, id: string, row: object): Promise<void> {
    await edits.server.get(TransactionService).run((tx) => tx.update(entity as typeof Account, { id }, row));
  }

  async function become(role: Account['role'], regions: string[], blockedAt: Date | null = null): Promise<void> {
    await write(Account, account.id, { role, regions, blockedAt });
  }

  const decide = (action: string, id: string, token = edits.moderatorToken): Promise<TestResponse> =>
    edits.post(`/${id}/${action}`, token, { comment: 'A reason.' });

  async function done(action: string, id: string): Promise<ResponseBody> {
    const { status, body } = await decide(action, id);
    expect({ status, code: body.code }).toEqual({ status: 200 });
    return body;
  }

  async function evaluate(token: string, ...items: object[]): Promise<ResponseBody[]> {
    const { status, body } = await edits.post('/evaluate-permissions', token, { items });
    expect(status).toBe(200);
    return body.data as ResponseBody[];
  }

  /** A suggestion of some kind, and how the same is said of what is there now. */
  async function someEdit(
    token: string,
    action: string,
  ): Promise<{ id: string; again: () => Promise<object>; what: string }> {
    const targetType = randomBoolean(0.7) ? 'artwork' : 'artist';
    const type = pickRandom(['create', 'update', 'update', 'update', 'delete']);
    const moves = targetType === 'artwork' && type === 'update' && randomBoolean(0.3);
    const isArtist = targetType === 'artist';
    const location = pickRandom(LOCATIONS);
    const changes = (): object | undefined => {
      const text = `New ${++count}`;
      if (type === 'delete') return undefined;
      if (moves) return { location: { ...location, lat: location.lat + ++count / 1000 } };
      if (type === 'create') return isArtist ? { name: text } : { title: text, location };
      return isArtist ? { bio: text } : { description: text };
    };
    if (type === 'create') {
      const id = await edits.suggestEdit({ type, targetType, changes: changes() }, token);
      return {
        id,
        again: () => Promise.resolve({ type, targetType, changes: changes() }),
        what: `${type} ${targetType}`,
      };
    }
    const { id: targetId } = isArtist
      ? await createArtist(edits.server)
      : await createMarker(edits.server, { location: pickRandom(LOCATIONS) });
    const entity = isArtist ? Artist : Marker;
    const now = (): Promise<{ version: number }> =>
      edits.server.entityManager.findOneByOrFail(entity, { id: targetId });
    const body = async (): Promise<Record<string, unknown>> => ({
      type,
      targetType,
      targetId,
      baseVersion: (await now()).version,
      changes: changes(),
    });
    const id = await edits.suggestEdit(await body(), token);
    const locked = randomBoolean(0.15);
    const fate = action !== 'revert' && randomBoolean(0.2) ? pickRandom(['conflict', 'gone']) : 'same';
    if (fate === 'conflict' && type === 'update') {
      const other = {
        ...(await body()),
        changes: moves ? { location: LOCATIONS[0] } : { [isArtist ? 'bio' : 'description']: `Theirs ${id}` },
      };
      const answer = await edits.post('', edits.authorToken, other);
      if (answer.status === 201) await done('accept', answer.body.id as string);
    }
    if (fate === 'gone') await write(entity, targetId, { deletedAt: new Date() });
    if (locked) await write(entity, targetId, { lockedAt: new Date() });
    return { id, again: body, what: `${type} ${targetType}${moves ? ' moves' : ''}${locked ? ' locked' : ''} ${fate}` };
  }

  /** Takes an edit to some state, more often to one in which the action could go through. */
  async function bring(id: string, action: string): Promise<string> {
    if (action !== 'revert') {
      if (randomBoolean(0.85)) return id;
      await decide(pickRandom(['accept', 'reject']), id);
      return id;
    }
    if (randomBoolean(0.1)) return id;
    const accepted = await decide('accept', id);
    if (accepted.status !== 200 || randomBoolean(0.85)) return id;
    const { body } = await decide('revert', id);
    return randomBoolean(0.5) ? (body.revertEdit.id as string) : id;
  }

  it('is what happens, for any person, app, edit and action', async () => {
    const told = { allowed: 0, refused: 0 };
    for (let at = 0; at < CASE_COUNT; at++) {
      const action = pickRandom(ACTIONS);
      await become('moderator', ['*']);
      const own = randomBoolean(action === 'supersede' ? 0.75 : 0.1);
      const {
        id: first,
        again,
        what,
      } = await someEdit(own ? await edits.issueAccessToken(account) : edits.authorToken, action);
      const id = await bring(first, action);
      const [role, regions] = [
        pickRandom(['member', 'trusted', 'trusted', 'moderator', 'moderator'] as const),
        pickRandom(REGION_ASSIGNMENTS),
      ];
      await become(role, regions, randomBoolean(0.08) ? new Date() : null);
      const old = randomBoolean(0.2);
      if (old) advanceClock(31 * DAY_MS);
      const scopes: Scope[] = randomBoolean(0.88) ? ['edits:review'] : [];
      const asking = await edits.issueAccessToken(account, ['edits:write', ...scopes]);
      const acting = await edits.issueAccessToken(
        account,
        action === 'supersede' ? ['edits:write', ...scopes] : ['openid', ...scopes],
      );
      const fresh = action === 'supersede' ? { ...(await again()), supersedes: id } : null;
      const [said] = await evaluate(asking, { editId: id });
      const answer = await (fresh ? edits.post('', acting, fresh) : decide(action, id, acting));
      restoreClock();
      const allowed = said.found && said.actions[action].allowed;
      const [wanted, context] = [fresh ? 201 : 200, { at, action, what, own, old, role, regions, scopes }];
      expect({ ...context, went: answer.status === wanted, body: answer.body }).toEqual({
        ...context,
        went: allowed,
        body: answer.body,
      });
      const { person, reason } = said.found ? said.actions[action] : { person: true };
      // Of who is no author, a call says less: that there is no such edit of theirs.
      if (!person && (fresh || scopes.length > 0) && reason !== 'not_author') {
        expect({ ...context, reason: answer.body.reason ?? answer.body.code }).toEqual({ ...context, reason });
      }
      told[allowed ? 'allowed' : 'refused']++;
    }
    expect(told.allowed).toBeGreaterThan(CASE_COUNT / 5);
    expect(told.refused).toBeGreaterThan(CASE_COUNT / 5);
  }, 120_000);

  it('is what views show', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 20; at++)
      ids.push(await bring((await someEdit(edits.authorToken, pickRandom(ACTIONS))).id, pickRandom(ACTIONS)));
    for (const token of [
      edits.moderatorToken,
      edits.authorToken,
      await edits.issueAccessToken(edits.authorAccount, ['edits:read', 'edits:write']),
    ]) {
      const said = await evaluate(token, ...ids.map((editId) => ({ editId })));
      const { body } = await edits.post('/views', token, { ids, include: ['permissions'] });
      expect(body.missing).toEqual(said.filter(({ found }) => !found).map(({ editId }) => editId as string));
      const wanted = said
        .filter(({ found }) => found)
        .map(({ actions }) =>
          ACTIONS.map((action) => {
            const { allowed, reason } = actions[action];
            return { action, allowed, ...(reason && { reason }) };
          }),
        );
      expect(body.data.map(({ permissions }: ResponseBody) => permissions)).toEqual(wanted);
    }
  });

  it('of a target and a draft: what the person may, and which scope the app lacks', async () => {
    await become('moderator', ['reg_halvenstad']);
    const items = [
      { targetType: 'artwork', targetId: edits.artwork.id },
      { targetType: 'artist', type: 'create' },
    ];
    const yes = { allowed: true, person: true, app: true };
    const lacks = { allowed: false, person: true, app: false, reason: 'missing_scope', requiredScope: 'edits:review' };
    const writing = await edits.issueAccessToken(account, ['edits:write']);
    expect(await evaluate(writing, ...items)).toEqual([
      {
        ...items[0],
        found: true,
        actions: { suggestUpdate: yes, suggestDelete: yes, reviewUpdates: lacks, reviewDeletes: lacks },
      },
      { ...items[1], found: true, actions: { suggestCreate: yes } },
    ]);
    const asking = await edits.issueAccessToken(account);
    expect((await evaluate(asking, items[0]!))[0].actions).toMatchObject({ reviewUpdates: yes, reviewDeletes: yes });
    await become('trusted', ['reg_halvenstad']);
    const no = { allowed: false, person: false, app: true };
    const [trusted] = await evaluate(asking, items[0]!);
    expect(trusted.actions).toMatchObject({ reviewUpdates: yes, reviewDeletes: { ...no, reason: 'role_too_low' } });
    await become('trusted', ['reg_elsewhere']);
    expect((await evaluate(asking, items[0]!))[0].actions.reviewUpdates).toEqual({
      ...no,
      reason: 'region_not_assigned',
    });
    await become('moderator', ['*'], new Date());
    const blocked = (await evaluate(asking, ...items)).flatMap(({ actions }) => Object.values(actions as object));
    expect(blocked).toEqual(Array(5).fill({ ...no, reason: 'account_blocked' }));
  });

  it('finds no place, nothing deleted and nothing unknown', async () => {
    const place = await createMarker(edits.server, { placeType: 'gallery' });
    await write(Marker, edits.artwork.id, { deletedAt: new Date() });
    const items = [place.id, edits.artwork.id, 'nonsense'].map((targetId) => ({ targetType: 'artwork', targetId }));
    expect(await evaluate(edits.moderatorToken, ...items)).toEqual(items.map((item) => ({ ...item, found: false })));
  });

  it.each([
    { editId: null },
    { targetType: 'artwork', targetId: null },
    { editId: null, targetType: 'artist', type: 'create' },
  ])('refuses %j', async (item) => {
    expectApiError(
      await edits.post('/evaluate-permissions', edits.authorToken, { items: [item] }),
      400,
      'invalid_request',
    );
  });

  it('finds no artist by the id of an artwork, though the artwork is asked about as well', async () => {
    const targetId = edits.artwork.id;
    const items = ['artwork', 'artist'].map((targetType) => ({ targetType, targetId }));
    const found = (await evaluate(edits.moderatorToken, ...items)).map((item) => item.found as boolean);
    expect(found).toEqual([true, false]);
  });
});
