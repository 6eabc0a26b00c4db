import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { EntityVersion } from '../../src/map/history/entity-version.entity.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { createAccount, createMarker } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock } from '../support/fake-clock.js';
import { RecordFixture } from '../support/record-fixture.js';

const UNDONE = 'Undone.';
const CHANGED = 'Nothing was undone: something changed since.';
const [FIRST, OTHER] = [0, 1] as const;

describe('Undo', () => {
  let record: RecordFixture;
  let moderatorToken: string;

  beforeAll(async () => {
    record = await RecordFixture.start();
    await record.createPerson();
    moderatorToken = await record.issueToken(FIRST, await createAccount(record.server, { role: 'moderator' }));
  });
  beforeEach(() => record.createPerson());
  afterEach(restoreClock);
  afterAll(() => record.server.stop());

  const findEdit = (id: string): Promise<Edit> => record.server.entityManager.findOneByOrFail(Edit, { id });
  const decide = (id: string, action: string, token = moderatorToken) =>
    record.server.request('POST', `/api/edits/${id}/${action}`, { token, body: { comment: 'A reason.' } });
  /** Suggests years of different artworks. @returns the ids of the edits */
  const suggestMany = async (app: 0 | 1, count: number): Promise<string[]> => {
    const ids = [];
    while (ids.length < count) ids.push(await record.suggestYear(app, 2001, (await createMarker(record.server)).id));
    return ids;
  };

  describe('of suggestions', () => {
    it('withdraws an open one, as the person', async () => {
      const id = await record.suggestYear(FIRST, 2001);
      expect(await record.undo(FIRST)).toBe(UNDONE);
      expect(await findEdit(id)).toMatchObject({ status: 'withdrawn', decidedById: record.account.id });
      expect((await record.listLines(FIRST)).map(({ action }) => action)).toEqual(['edit.suggested']);
    });

    it.each([
      ['accept', 'Accepted'],
      ['reject', 'Rejected'],
    ])('is not offered after a decision: %s', async (action, status) => {
      const [id] = await suggestMany(FIRST, 1);
      await decide(id!, action);
      const { html } = await record.openRecord(FIRST);
      expect(html).toContain(` · ${status}`);
      expect(html).not.toContain('>Undo<');
      expect(await record.undo(FIRST)).toBe(CHANGED);
      expect((await findEdit(id!)).status).not.toBe('withdrawn');
    });

    it('withdraws the open ones of one app with one button', async () => {
      const ids = await suggestMany(FIRST, 3);
      const [other] = await suggestMany(OTHER, 1);
      await decide(ids[0]!, 'accept');
      expect((await record.openRecord(FIRST)).html).toContain('Withdraw 2 open suggestions');
      expect(await record.press(FIRST, 'suggestions')).toBe('2 suggestions are withdrawn.');
      const statuses = await Promise.all([...ids, other!].map(async (id) => (await findEdit(id)).status));
      expect(statuses).toEqual(['accepted', 'withdrawn', 'withdrawn', 'open']);
      expect((await record.openRecord(FIRST)).html).not.toMatch(/Withdraw \d/);
      expect((await record.openRecord(OTHER)).html).toContain('Withdraw 1 open suggestion<');
    });
  });

  describe('of decisions', () => {
    beforeEach(() => record.createPerson(4, 'moderator'));

    const suggestAsOther = async (): Promise<string> => {
      const token = await record.issueToken(FIRST, await createAccount(record.server));
      const { id: targetId } = await createMarker(record.server, { year: 1999 });
      const body = { type: 'update', targetType: 'artwork', targetId, baseVersion: 1, changes: { year: 2001 } };
      return (await record.server.request('POST', '/api/edits', { token, body })).body.id as string;
    };
    const findYear = async (id: string): Promise<number | null> => {
      const { targetId } = await findEdit(id);
      return (await record.server.entityManager.findOneByOrFail(Marker, { id: targetId! })).year;
    };

    it('reverts an accepted edit, as the person and through no app', async () => {
      const id = await suggestAsOther();
      await decide(id, 'accept', record.tokens[FIRST]);
      expect(await findYear(id)).toBe(2001);
      expect(await record.undo(FIRST)).toBe(UNDONE);
      expect(await findYear(id)).toBe(1999);
      const { status, revertedBy, targetId } = await findEdit(id);
      expect(status).toBe('reverted');
      expect(await findEdit(revertedBy!)).toMatchObject({ appId: null, authorId: record.account.id });
      const [version] = await record.server.entityManager.find(EntityVersion, {
        where: { targetId: targetId! },
        order: { version: 'DESC' },
      });
      expect(version).toMatchObject({ authorId: record.account.id, editId: revertedBy });
      const { body } = await record.send(FIRST, 'GET', `/edits/${revertedBy}`);
      expect(body.edit).toMatchObject({ client: null, author: { id: record.account.id } });
    });

    it('is not offered when the field was changed since', async () => {
      const id = await suggestAsOther();
      await decide(id, 'accept', record.tokens[FIRST]);
      const { targetId } = await findEdit(id);
      const later = await record.suggestYear(OTHER, 2010, targetId!);
      await decide(later, 'accept');
      expect((await record.openRecord(FIRST)).html).not.toContain('>Undo<');
      expect(await record.undo(FIRST)).toBe(CHANGED);
      expect(await findYear(id)).toBe(2010);
    });

    it.each(['reject', 'revert'])('is not offered for a final one: %s', async (action) => {
      const id = await suggestAsOther();
      if (action === 'revert') await decide(id, 'accept');
      await decide(id, action, record.tokens[FIRST]);
      expect((await record.openRecord(FIRST)).html).not.toContain('>Undo<');
      expect(await record.undo(FIRST)).toBe(CHANGED);
    });
  });

  describe('of everything, with "Remove access and undo"', () => {
    it('ends the access, withdraws suggestions, and undoes what nothing has changed since', async () => {
      const [kept, id] = [await record.createCollection(OTHER), await record.createCollection(FIRST, record.markerIds)];
      await record.send(FIRST, 'POST', `/collections/${kept}`, { name: 'Taken', description: 'Over.' });
      await record.send(OTHER, 'POST', `/collections/${kept}`, { name: 'Mine again' });
      await record.addItems(FIRST, kept, record.markerIds.slice(0, 2));
      const [edit] = await suggestMany(FIRST, 1);
      const message = await record.press(FIRST, 'access-and-changes');
      expect(message).toMatch(/^Undone: 4\. Left as they are, because they were changed since: 1, listed below\./);
      expect(message).toContain('was removed');
      record.tokens[0] = record.tokens[1];
      expect(await record.findCollection(id)).toBeNull();
      expect(await record.findCollection(kept)).toEqual({ name: 'Mine again', markerIds: [], notes: [] });
      expect((await findEdit(edit!)).status).toBe('withdrawn');
    });

    it('leaves changes that are older than 30 days', async () => {
      const id = await record.createCollection(FIRST);
      advanceClock(31 * DAY_MS);
      record.tokens = [await record.issueToken(FIRST), await record.issueToken(OTHER)];
      await record.browser.signIn(record.account);
      await record.send(FIRST, 'POST', `/collections/${id}`, { name: 'Owls' });
      expect(await record.press(FIRST, 'access-and-changes')).toContain('Undone: 1.');
      record.tokens[0] = record.tokens[1];
      expect((await record.findCollection(id))?.name).toBe('Foxes');
    });

    it('undoes a long record in batches, and does the rest when it is pressed again', async () => {
      const id = await record.createCollection(OTHER);
      for (let count = 0; count < 120; count++)
        await record.send(FIRST, 'POST', `/collections/${id}`, { name: `Name ${count}` });
      expect(await record.press(FIRST, 'access-and-changes')).toContain('Undone: 120.');
      record.tokens[0] = record.tokens[1];
      expect((await record.findCollection(id))?.name).toBe('Foxes');
      expect(await record.press(FIRST, 'access-and-changes')).toContain('Undone: 0.');
    });
  });

  it('is listed by day, 50 lines on a page, with a link to the target of each line', async () => {
    const id = await record.createCollection(FIRST);
    for (let count = 0; count < 55; count++)
      await record.send(FIRST, 'POST', `/collections/${id}`, { name: `Name ${count}` });
    const edit = await record.suggestYear(FIRST, 2001);
    const { html } = await record.openRecord(FIRST);
    expect(html.match(/<h3>/g)).toHaveLength(1);
    expect(html.match(/>Undo</g)).toHaveLength(50);
    expect(html).toContain(`href="/account/edits/${edit}"`);
    expect(html).toContain(`href="/collections/${id}"`);
    const next = /rel="next" href="([^"]*)"/.exec(html)![1]!.replaceAll('&amp;', '&');
    expect((await record.browser.get(next)).html.match(/>Undo</g)).toHaveLength(7);
    const editPage = await record.browser.get(`/account/edits/${edit}`);
    expect(editPage.html).toMatch(/<dt>Status<\/dt><dd>Open<\/dd>.*<dt>Year<\/dt><dd>– → 2001<\/dd>/s);
  });
});
