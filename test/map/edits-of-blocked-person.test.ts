import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { EditWithdrawalsService } from '../../src/map/edits/suggest/edit-withdrawals.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Cli } from '../support/cli.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist, createMarker } from '../support/factories.js';
import type { ResponseBody } from '../support/test-server.js';

/** The most open edits that one person can have: those of a moderator. */
const MAX_OPEN_EDITS = 1000;

const NEW_ARTWORK = {
  type: 'create',
  targetType: 'artwork',
  changes: { title: 'New Wall', location: { lat: 52.1, lon: 5 } },
};

describe('accounts block --withdraw-edits', () => {
  let edits: EditsFixture;
  let cli: Cli;
  let author: Account;
  let token: string;

  beforeAll(async () => {
    edits = await EditsFixture.start();
    cli = new Cli(edits.server.settings.DATABASE_URL);
  });
  afterAll(() => edits.server.stop());
  beforeEach(async () => {
    await edits.createArtwork();
    author = await createAccount(edits.server);
    token = await edits.issueAccessToken(author);
  });

  const blockArgs = (...options: string[]): string[] => [
    ...['accounts', 'block', author.username, '--reason', 'Spam.', ...options],
  ];
  const withdrawingBlock = (): Promise<ResponseBody> => cli.runJson(...blockArgs('--withdraw-edits'));
  const suggest = (body: Record<string, unknown>): Promise<string> => edits.suggestEdit(body, token);
  const suggestAll = async (): Promise<string[]> => {
    const artist = await createArtist(edits.server);
    const onArtist = { targetType: 'artist', targetId: artist.id, baseVersion: artist.version };
    return [
      await suggest(edits.buildUpdate({ year: 2020 })),
      await suggest(edits.buildDeletion()),
      await suggest(NEW_ARTWORK),
      await suggest({ type: 'update', ...onArtist, changes: { name: 'Other name' } }),
    ];
  };
  const findEdits = (ids: string[]): Promise<Edit[]> =>
    edits.server.entityManager.find(Edit, { where: ids.map((id) => ({ id })) });
  const listStatuses = async (ids: string[]): Promise<string[]> => (await findEdits(ids)).map(({ status }) => status);
  const countOpenEdits = async (): Promise<number> => (await edits.findMarker()).openEditCount;
  const isBlocked = async (): Promise<boolean> =>
    (await edits.server.entityManager.findOneByOrFail(Account, { id: author.id })).blockedAt !== null;

  it('withdraws every open edit of the person, and prints the account with their number', async () => {
    const ids = await suggestAll();
    const until = '2100-01-31T08:00:00.000Z';
    expect(await cli.runJson(...blockArgs('--withdraw-edits', '--until', until))).toMatchObject({
      id: author.id,
      blocked_reason: 'Spam.',
      blocked_until: until,
      withdrawn_edits: ids.length,
    });
    expect(await listStatuses(ids)).toEqual(ids.map(() => 'withdrawn'));
    expect(await countOpenEdits()).toBe(0);
    for (const { decidedById, decidedAt, updatedAt } of await findEdits(ids))
      expect({ decidedById, decidedAt }).toEqual({ decidedById: author.id, decidedAt: updatedAt });
    for (const id of ids) expectApiError(await edits.post(`/${id}/accept`, edits.moderatorToken), 409, 'edit_not_open');
    const [event] = await cli.runJson('audit', '--account', author.username);
    expect(event).toMatchObject({
      type: 'account.blocked',
      detail: `Spam. (until ${until}) Withdrawn suggestions: ${ids.length}.`,
      by_operator: true,
    });
  });

  it('keeps decided edits and the edits of other people', async () => {
    const rejected = await suggest(edits.buildUpdate({ year: 2019, title: 'Rejected' }));
    await edits.post(`/${rejected}/reject`, edits.moderatorToken, { comment: 'Not right.' });
    const accepted = await suggest(edits.buildUpdate({ year: 2021 }));
    await edits.post(`/${accepted}/accept`, edits.moderatorToken);
    edits.artwork = await edits.findMarker();
    const others = await edits.suggestEdit(edits.buildUpdate({ year: 2022 }));
    const open = await suggest(edits.buildUpdate({ year: 2023 }));
    expect(await withdrawingBlock()).toMatchObject({ withdrawn_edits: 1 });
    for (const [id, status] of [
      [rejected, 'rejected'],
      [accepted, 'accepted'],
      [others, 'open'],
      [open, 'withdrawn'],
    ] as const)
      expect({ id, statuses: await listStatuses([id]) }).toEqual({ id, statuses: [status] });
    expect(await countOpenEdits()).toBe(1);
    expect((await edits.findMarker()).year).toBe(2021);
  });

  it('withdraws nothing without the option, and the rest when it is repeated', async () => {
    const ids = await suggestAll();
    expect(await cli.runJson(...blockArgs())).not.toHaveProperty('withdrawn_edits');
    expect(await listStatuses(ids)).toEqual(ids.map(() => 'open'));
    expect(await withdrawingBlock()).toMatchObject({ withdrawn_edits: ids.length });
    expect(await withdrawingBlock()).toMatchObject({ withdrawn_edits: 0 });
  });

  it('changes nothing for a wrong command', async () => {
    const ids = await suggestAll();
    const { username } = author;
    await cli.expectFailure(2, /--reason/, 'accounts', 'block', username, '--withdraw-edits');
    await cli.expectFailure(2, /--reason/, 'accounts', 'block', username, '--reason', ' ', '--withdraw-edits');
    await cli.expectFailure(2, /--until/, ...blockArgs('--withdraw-edits', '--until', '2001-01-01'));
    await cli.expectFailure(1, /no account/, 'accounts', 'block', 'unknown', '--reason', 'Spam.', '--withdraw-edits');
    expect(await listStatuses(ids)).toEqual(ids.map(() => 'open'));
    expect(await isBlocked()).toBe(false);
  });

  it('neither blocks nor withdraws if its transaction fails', async () => {
    const ids = await suggestAll();
    const blocked = edits.server.get(AccountsService).block(author.username, 'Spam.', null, async (tx, { id }) => {
      expect(await edits.server.get(EditWithdrawalsService).withdrawAll(tx, id)).toHaveLength(ids.length);
      throw new Error('The process ends here.');
    });
    await expect(blocked).rejects.toThrow('The process ends here.');
    expect(await listStatuses(ids)).toEqual(ids.map(() => 'open'));
    expect(await countOpenEdits()).toBe(2);
    expect(await isBlocked()).toBe(false);
  });

  it('leaves no edit open while the person suggests and reviewers decide', async () => {
    const ids = await suggestAll();
    const [, responses] = await Promise.all([
      withdrawingBlock(),
      Promise.all([
        ...ids.map((id) => edits.post(`/${id}/accept`, edits.moderatorToken)),
        ...[1990, 1991, 1992].map((year) => edits.post('', token, edits.buildUpdate({ year }))),
      ]),
    ]);
    for (const { status } of responses) expect([200, 201, 403, 409, 410]).toContain(status);
    expect(await edits.server.entityManager.countBy(Edit, { authorId: author.id, status: 'open' })).toBe(0);
    expect(await countOpenEdits()).toBe(0);
    expectApiError(await edits.post('', token, NEW_ARTWORK), 403, 'not_allowed', 'account_blocked');
  });

  it(`withdraws ${MAX_OPEN_EDITS} open edits`, async () => {
    const [edit] = await findEdits([await suggest(edits.buildUpdate({ year: 1994 }))]);
    const markers = [edits.artwork];
    while (markers.length < 20) markers.push(await createMarker(edits.server));
    const copies = Array.from({ length: MAX_OPEN_EDITS - 1 }, (_, index) => ({
      ...edit!,
      id: generateId('edt'),
      targetId: markers[index % markers.length]!.id,
    }));
    await edits.server.get(TransactionService).run(async (tx) => {
      for (let start = 0; start < copies.length; start += 100) await tx.insert(Edit, copies.slice(start, start + 100));
      for (const { targetId } of copies) await tx.increment(Marker, { id: targetId }, 'openEditCount', 1);
    });
    expect(await withdrawingBlock()).toMatchObject({ withdrawn_edits: MAX_OPEN_EDITS });
    for (const { id } of markers) expect((await edits.findMarker(id)).openEditCount).toBe(0);
  });
});
