import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { SeededRandom } from '../support/seeded-random.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist, createMarker } from '../support/factories.js';
import type { ResponseBody } from '../support/test-server.js';
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

const random = new SeededRandom(SEED);

describe('POST /api/edits/evaluate-permissions', () => {
  let edits: EditsFixture;
  let account: Account;
  let count = 0;

  beforeAll(async () => {
    edits = await EditsFixture.start({ withOtherRegion: true, authorRole: 'moderator' });
    account = await createAccount(edits.server);
  });
  beforeEach(() => edits.createArtwork());
  afterEach(() => restoreClock());
  afterAll(() => edits.server.stop());

  async function updateTarget(entity: typeof Artist | typeof Marker, id: string, columns: object): Promise<void> {
    await edits.server.get(TransactionService).run((tx) => tx.update(entity as typeof Marker, { id }, columns));
  }

  function assignRole(role: Account['role'], regions: string[], blockedAt: Date | null = null): Promise<void> {
    return edits.updateAccount(account.id, { role, regions, blockedAt });
  }

  async function evaluate(token: string, ...items: object[]): Promise<ResponseBody[]> {
    const { status, body } = await edits.post('/evaluate-permissions', token, { items });
    expect(status).toBe(200);
    return body.data as ResponseBody[];
  }

  /**
   * Suggests a random edit.
   * @returns its id, and a function that builds the same edit for the current version
   */
  async function createRandomEdit(
    token: string,
    action: string,
  ): Promise<{ id: string; again: () => Promise<object>; what: string }> {
    const targetType = random.randomBoolean(0.7) ? 'artwork' : 'artist';
    const type = random.pickOne(['create', 'update', 'update', 'update', 'delete']);
    const moves = targetType === 'artwork' && type === 'update' && random.randomBoolean(0.3);
    const isArtist = targetType === 'artist';
    const location = random.pickOne(LOCATIONS);
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
      : await createMarker(edits.server, { location: random.pickOne(LOCATIONS) });
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
    const locked = random.randomBoolean(0.15);
    const fate = action !== 'revert' && random.randomBoolean(0.2) ? random.pickOne(['conflict', 'gone']) : 'same';
    if (fate === 'conflict' && type === 'update') {
      const other = {
        ...(await body()),
        changes: moves ? { location: LOCATIONS[0] } : { [isArtist ? 'bio' : 'description']: `Theirs ${id}` },
      };
      const response = await edits.post('', edits.authorToken, other);
      if (response.status === 201) await edits.accept(response.body.id as string);
    }
    if (fate === 'gone') await updateTarget(entity, targetId, { deletedAt: new Date() });
    if (locked) await updateTarget(entity, targetId, { lockedAt: new Date() });
    return { id, again: body, what: `${type} ${targetType}${moves ? ' moves' : ''}${locked ? ' locked' : ''} ${fate}` };
  }

  /** Brings an edit into a random state, mostly one in which the action is possible. */
  async function moveToState(id: string, action: string): Promise<string> {
    if (action !== 'revert') {
      if (random.randomBoolean(0.85)) return id;
      await edits.decide(random.pickOne(['accept', 'reject']), id);
      return id;
    }
    if (random.randomBoolean(0.1)) return id;
    const accepted = await edits.decide('accept', id);
    if (accepted.status !== 200 || random.randomBoolean(0.85)) return id;
    const { body } = await edits.decide('revert', id);
    return random.randomBoolean(0.5) ? (body.revertEdit.id as string) : id;
  }

  it('predicts the result of every action, for random roles, apps and edits', async () => {
    const results = { allowed: 0, refused: 0 };
    for (let index = 0; index < CASE_COUNT; index++) {
      const action = random.pickOne(ACTIONS);
      await assignRole('moderator', ['*']);
      const own = random.randomBoolean(action === 'supersede' ? 0.75 : 0.1);
      const {
        id: first,
        again,
        what,
      } = await createRandomEdit(own ? await edits.issueAccessToken(account) : edits.authorToken, action);
      const id = await moveToState(first, action);
      const [role, regions] = [
        random.pickOne(['member', 'trusted', 'trusted', 'moderator', 'moderator'] as const),
        random.pickOne(REGION_ASSIGNMENTS),
      ];
      await assignRole(role, regions, random.randomBoolean(0.08) ? new Date() : null);
      const old = random.randomBoolean(0.2);
      if (old) advanceClock(31 * DAY_MS);
      const scopes: Scope[] = random.randomBoolean(0.88) ? ['edits:review'] : [];
      const requests = await edits.issueAccessToken(account, ['edits:write', ...scopes]);
      const acting = await edits.issueAccessToken(
        account,
        action === 'supersede' ? ['edits:write', ...scopes] : ['openid', ...scopes],
      );
      const newSecret = action === 'supersede' ? { ...(await again()), supersedes: id } : null;
      const [evaluation] = await evaluate(requests, { editId: id });
      const response = await (newSecret ? edits.post('', acting, newSecret) : edits.decide(action, id, acting));
      restoreClock();
      const allowed = evaluation.found && evaluation.actions[action].allowed;
      const [expected, context] = [newSecret ? 201 : 200, { at: index, action, what, own, old, role, regions, scopes }];
      expect({ ...context, went: response.status === expected, body: response.body }).toEqual({
        ...context,
        went: allowed,
        body: response.body,
      });
      const { person, reason } = evaluation.found ? evaluation.actions[action] : { person: true };
      // To an account that is not the author, the response reveals less than the evaluation.
      if (!person && (newSecret || scopes.length > 0) && reason !== 'not_author') {
        expect({ ...context, reason: response.body.reason ?? response.body.code }).toEqual({ ...context, reason });
      }
      results[allowed ? 'allowed' : 'refused']++;
    }
    expect(results.allowed).toBeGreaterThan(CASE_COUNT / 5);
    expect(results.refused).toBeGreaterThan(CASE_COUNT / 5);
  }, 120_000);

  it('returns the same permissions as the views', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 20; index++)
      ids.push(
        await moveToState(
          (await createRandomEdit(edits.authorToken, random.pickOne(ACTIONS))).id,
          random.pickOne(ACTIONS),
        ),
      );
    for (const token of [
      edits.moderatorToken,
      edits.authorToken,
      await edits.issueAccessToken(edits.authorAccount, ['edits:read', 'edits:write']),
    ]) {
      const evaluation = await evaluate(token, ...ids.map((editId) => ({ editId })));
      const { body } = await edits.post('/views', token, { ids, include: ['permissions'] });
      expect(body.missing).toEqual(evaluation.filter(({ found }) => !found).map(({ editId }) => editId as string));
      const expected = evaluation
        .filter(({ found }) => found)
        .map(({ actions }) =>
          ACTIONS.map((action) => {
            const { allowed, reason } = actions[action];
            return { action, allowed, ...(reason && { reason }) };
          }),
        );
      expect(body.data.map(({ permissions }: ResponseBody) => permissions)).toEqual(expected);
    }
  });

  it('evaluates targets and drafts: the permission of the account, and the missing scope of the app', async () => {
    await assignRole('moderator', ['reg_halvenstad']);
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
    const requests = await edits.issueAccessToken(account);
    expect((await evaluate(requests, items[0]!))[0].actions).toMatchObject({ reviewUpdates: yes, reviewDeletes: yes });
    await assignRole('trusted', ['reg_halvenstad']);
    const no = { allowed: false, person: false, app: true };
    const [trusted] = await evaluate(requests, items[0]!);
    expect(trusted.actions).toMatchObject({ reviewUpdates: yes, reviewDeletes: { ...no, reason: 'role_too_low' } });
    await assignRole('trusted', ['reg_elsewhere']);
    expect((await evaluate(requests, items[0]!))[0].actions.reviewUpdates).toEqual({
      ...no,
      reason: 'region_not_assigned',
    });
    await assignRole('moderator', ['*'], new Date());
    const blocked = (await evaluate(requests, ...items)).flatMap(({ actions }) => Object.values(actions as object));
    expect(blocked).toEqual(Array(5).fill({ ...no, reason: 'account_blocked' }));
  });

  it('does not find places, deleted targets and unknown ids', async () => {
    const place = await createMarker(edits.server, { placeType: 'gallery' });
    await updateTarget(Marker, edits.artwork.id, { deletedAt: new Date() });
    const items = [place.id, edits.artwork.id, 'nonsense'].map((targetId) => ({ targetType: 'artwork', targetId }));
    expect(await evaluate(edits.moderatorToken, ...items)).toEqual(items.map((item) => ({ ...item, found: false })));
  });

  it.each([
    { editId: null },
    { targetType: 'artwork', targetId: null },
    { editId: null, targetType: 'artist', type: 'create' },
  ])('rejects %j', async (item) => {
    expectApiError(
      await edits.post('/evaluate-permissions', edits.authorToken, { items: [item] }),
      400,
      'invalid_request',
    );
  });

  it('does not find an artist by the id of an artwork in the same request', async () => {
    const targetId = edits.artwork.id;
    const items = ['artwork', 'artist'].map((targetType) => ({ targetType, targetId }));
    const found = (await evaluate(edits.moderatorToken, ...items)).map((item) => item.found as boolean);
    expect(found).toEqual([true, false]);
  });
});
