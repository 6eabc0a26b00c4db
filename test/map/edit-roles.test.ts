import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist, createMarker } from '../support/factories.js';
import { setClock, restoreClock, DAY_MS, advanceClock } from '../support/fake-clock.js';

const ASSIGNED_REGION_LOCATION = { lat: 52.1, lon: 5.01 };
const OTHER_REGION_LOCATION = { lat: 52.1, lon: 6.1 };
const UNASSIGNED_LOCATION = { lat: 10, lon: 10 };
const ASSIGNED_REGION_ID = 'reg_halvenstad';
const OTHER_REGION_ID = 'reg_elsewhere';

type Reviewer = Pick<Account, 'role' | 'regions'> & { blocked?: true };

/** The columns of the table. */
const REVIEWERS: [name: string, person: Reviewer][] = [
  ['a member', { role: 'member', regions: [] }],
  ['a member with regions', { role: 'member', regions: ['*'] }],
  ['a trusted account in the region', { role: 'trusted', regions: [ASSIGNED_REGION_ID] }],
  ['a trusted account in another region', { role: 'trusted', regions: [OTHER_REGION_ID] }],
  ['a trusted account in both regions', { role: 'trusted', regions: [OTHER_REGION_ID, ASSIGNED_REGION_ID] }],
  ['a trusted account in all regions', { role: 'trusted', regions: ['*'] }],
  ['a moderator in the region', { role: 'moderator', regions: [ASSIGNED_REGION_ID] }],
  ['a moderator in another region', { role: 'moderator', regions: [OTHER_REGION_ID] }],
  ['a moderator in both regions', { role: 'moderator', regions: [OTHER_REGION_ID, ASSIGNED_REGION_ID] }],
  ['a moderator in all regions', { role: 'moderator', regions: ['*'] }],
  ['a blocked moderator', { role: 'moderator', regions: ['*'], blocked: true }],
];

const REASONS_BY_CODE: Record<string, string> = {
  r: 'role_too_low',
  g: 'region_not_assigned',
  o: 'too_old',
  b: 'account_blocked',
};

/**
 * The permission of each reviewer in the order of the columns: `+`, or the initial of the reason.
 */
const PERMISSION_TABLE: [what: string, accept: string, revert: string][] = [
  ['an update of an artwork in a region', 'rr +g++ +g++ b', 'rr +g++ +g++ b'],
  ['a creation of an artwork in a region', 'rr +g++ +g++ b', 'rr rrrr +g++ b'],
  ['a deletion of an artwork in a region', 'rr rrrr +g++ b', 'rr rrrr +g++ b'],
  ['an update of an artwork in no region', 'rr ggg+ ggg+ b', 'rr ggg+ ggg+ b'],
  ['a creation of an artwork in no region', 'rr ggg+ ggg+ b', 'rr rrrr ggg+ b'],
  ['a deletion of an artwork in no region', 'rr rrrr ggg+ b', 'rr rrrr ggg+ b'],
  ['a move to another region', 'rr gg++ gg++ b', 'rr gg++ gg++ b'],
  ['a move from another region', 'rr gg++ gg++ b', 'rr gg++ gg++ b'],
  ['a move out of all regions', 'rr ggg+ ggg+ b', 'rr ggg+ ggg+ b'],
  ['a move into a region', 'rr ggg+ ggg+ b', 'rr ggg+ ggg+ b'],
  ['a move within a region', 'rr +g++ +g++ b', 'rr +g++ +g++ b'],
  ['an update of an artist', 'rr ggg+ ++++ b', 'rr ggg+ ++++ b'],
  ['a creation of an artist', 'rr ggg+ ++++ b', 'rr rrrr ++++ b'],
  ['a deletion of an artist', 'rr rrrr ++++ b', 'rr rrrr ++++ b'],
  ['an update of a locked artwork', 'rr rrrr +g++ b', 'rr rrrr +g++ b'],
  ['an update of a locked artist', 'rr rrrr ++++ b', 'rr rrrr ++++ b'],
];

/** Returns one case per cell of the table. */
function buildTableCases(column: 1 | 2): [who: string, what: string, expected: string, person: Reviewer][] {
  return PERMISSION_TABLE.flatMap((row) => buildRowCases(row[0], row[column]));
}

function buildRowCases(what: string, codes: string): [who: string, what: string, expected: string, person: Reviewer][] {
  const row = codes.replaceAll(' ', '');
  if (row.length !== REVIEWERS.length) throw new Error(`${what} has ${row.length} cells.`);
  return REVIEWERS.map(([caller, person], index) => [caller, what, REASONS_BY_CODE[row[index]!] ?? 'may', person]);
}

describe('Role table', () => {
  let edits: EditsFixture;
  let account: Account;
  let count = 0;

  beforeAll(async () => {
    // An author with the role of a moderator may have any number of open edits.
    edits = await EditsFixture.start({ withOtherRegion: true, authorRole: 'moderator' });
    account = await createAccount(edits.server);
  });
  afterEach(() => restoreClock());
  afterAll(() => edits.server.stop());

  /** Assigns the role of the reviewer to the account. @returns an access token */
  async function assignRole({ role, regions, blocked }: Reviewer): Promise<string> {
    await edits.updateAccount(account.id, { role, regions, blockedAt: blocked ? new Date() : null });
    return edits.issueAccessToken(account);
  }

  /** Suggests an edit of a row of the table, with a new target. @returns its id */
  async function suggestRow(what: string, token = edits.authorToken): Promise<string> {
    const targetType = what.includes('artist') ? 'artist' : 'artwork';
    const title = `New ${++count}`;
    const start = /no region|into a region/.test(what)
      ? UNASSIGNED_LOCATION
      : what.includes('from')
        ? OTHER_REGION_LOCATION
        : ASSIGNED_REGION_LOCATION;
    if (what.includes('creation')) {
      const changes = targetType === 'artist' ? { name: title } : { title, location: start };
      return edits.suggestEdit({ type: 'create', targetType, changes }, token);
    }
    const target =
      targetType === 'artist'
        ? await createArtist(edits.server)
        : await createMarker(edits.server, { location: start });
    const about = { targetType, targetId: target.id, baseVersion: 1 };
    if (what.includes('deletion')) return edits.suggestEdit({ ...about, type: 'delete' }, token);
    const changes = what.includes('move')
      ? { location: destination(what) }
      : targetType === 'artist'
        ? { bio: title }
        : { title };
    const id = await edits.suggestEdit({ ...about, type: 'update', changes }, token);
    if (what.includes('locked')) {
      const entity = targetType === 'artist' ? Artist : Marker;
      await edits.server
        .get(TransactionService)
        .run((tx) => tx.update(entity, { id: target.id }, { lockedAt: new Date() }));
    }
    return id;
  }

  function destination(what: string): typeof ASSIGNED_REGION_LOCATION {
    if (what.includes('to another')) return OTHER_REGION_LOCATION;
    if (what.includes('out of')) return UNASSIGNED_LOCATION;
    return what.includes('within') ? { lat: 52.2, lon: 5.1 } : ASSIGNED_REGION_LOCATION;
  }

  async function accepted(what: string, token = edits.authorToken): Promise<string> {
    const id = await suggestRow(what, token);
    await edits.accept(id);
    return id;
  }

  /** Expects success, or the reason and an unchanged status. */
  async function expectAnswer(action: string, id: string, token: string, expected: string): Promise<void> {
    const status = async (): Promise<string> =>
      (
        await edits.server.request('POST', '/api/edits/views', {
          token: await edits.issueAccessToken(edits.authorAccount),
          body: { ids: [id] },
        })
      ).body.data[0]?.edit.status as string;
    const before = await status();
    const response = await edits.decide(action, id, token);
    if (expected === 'may') expect({ status: response.status, code: response.body.code }).toEqual({ status: 200 });
    else {
      expectApiError(response, 403, 'not_allowed', expected);
      expect(await status()).toBe(before);
    }
  }

  it.each(buildTableCases(1))('%s, on accepting %s: %s', async (_, what, expected, person) => {
    await expectAnswer('accept', await suggestRow(what), await assignRole(person), expected);
  });

  it.each(buildTableCases(1).filter(([, what]) => /region|locked/.test(what)))(
    '%s, on rejecting %s: %s',
    async (_, what, expected, person) => {
      await expectAnswer('reject', await suggestRow(what), await assignRole(person), expected);
    },
  );

  it.each(buildTableCases(2))('%s, on reverting %s: %s', async (_, what, expected, person) => {
    await expectAnswer('revert', await accepted(what), await assignRole(person), expected);
  });

  it.each(buildRowCases('a revert', 'rr rrrr +g++ b'))('%s, on reverting %s: %s', async (_, __, expected, person) => {
    const id = await accepted('an update of an artwork in a region');
    const { body } = await edits.post(`/${id}/revert`, edits.moderatorToken);
    const token = await assignRole(person);
    const response = await edits.post(`/${body.revertEdit.id}/revert`, token, { comment: 'A reason.' });
    if (expected === 'may')
      expect(response.body).toMatchObject({ edit: { status: 'reverted' }, target: { version: 4 } });
    else expectApiError(response, 403, 'not_allowed', expected);
  });

  describe('The 30-day limit of trusted accounts', () => {
    it.each(buildRowCases('more than 30 days', 'rr ogoo +g++ b'))(
      '%s, on reverting an update after %s: %s',
      async (_, __, expected, person) => {
        setClock(Date.now());
        const id = await accepted('an update of an artwork in a region');
        advanceClock(30 * DAY_MS + 1);
        await expectAnswer('revert', id, await assignRole(person), expected);
      },
    );

    it('ends exactly 30 days after the update was accepted', async () => {
      setClock(Date.now());
      const id = await accepted('an update of an artwork in a region');
      advanceClock(30 * DAY_MS);
      await expectAnswer('revert', id, await assignRole({ role: 'trusted', regions: [ASSIGNED_REGION_ID] }), 'may');
    });

    it('starts when the update is accepted', async () => {
      setClock(Date.now());
      const id = await suggestRow('an update of an artwork in a region');
      advanceClock(40 * DAY_MS);
      await edits.accept(id, await edits.createModerator());
      await expectAnswer('revert', id, await assignRole({ role: 'trusted', regions: [ASSIGNED_REGION_ID] }), 'may');
    });

    it('does not apply to accept and reject', async () => {
      setClock(Date.now());
      const ids = [await suggestRow('an update of an artwork in a region'), await suggestRow('a move within a region')];
      advanceClock(40 * DAY_MS);
      const token = await assignRole({ role: 'trusted', regions: [ASSIGNED_REGION_ID] });
      await expectAnswer('accept', ids[0]!, token, 'may');
      await expectAnswer('reject', ids[1]!, token, 'may');
    });
  });

  describe('An edit of the account itself', () => {
    const own = REVIEWERS.flatMap(([caller, person]) =>
      ['accept', 'reject', 'revert'].map(
        (action) => [caller, action, person.blocked ? 'account_blocked' : 'own_edit', person] as const,
      ),
    );

    it.each(own)('%s cannot %s: %s', async (_, action, expected, person) => {
      const token = await assignRole({ role: 'moderator', regions: ['*'] });
      const what = 'an update of an artwork in a region';
      const id = await (action === 'revert' ? accepted(what, token) : suggestRow(what, token));
      const response = await edits.decide(action, id, await assignRole(person));
      expectApiError(response, 403, 'not_allowed', expected);
    });

    it('includes a revert of another edit', async () => {
      const id = await accepted('an update of an artwork in a region');
      const token = await assignRole({ role: 'moderator', regions: ['*'] });
      const { body } = await edits.post(`/${id}/revert`, token);
      expectApiError(await edits.post(`/${body.revertEdit.id}/revert`, token), 403, 'not_allowed', 'own_edit');
    });
  });

  it('applies the current role to a token that was issued before', async () => {
    const token = await assignRole({ role: 'moderator', regions: ['*'] });
    await expectAnswer('accept', await suggestRow('an update of an artist'), token, 'may');
    await edits.updateAccount(account.id, { role: 'trusted', regions: [ASSIGNED_REGION_ID] });
    await expectAnswer('accept', await suggestRow('an update of an artist'), token, 'region_not_assigned');
    await edits.updateAccount(account.id, { role: 'member' });
    await expectAnswer('accept', await suggestRow('an update of an artist'), token, 'role_too_low');
  });
});
