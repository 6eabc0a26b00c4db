import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { createAccount } from '../support/factories.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';

describe('Withdrawal of an edit', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  afterAll(() => edits.server.stop());
  beforeEach(() => edits.createArtwork());

  const countOpenEdits = async (): Promise<number> =>
    (await edits.server.entityManager.findOneByOrFail(Marker, { id: edits.artwork.id })).openEditCount;

  it('closes the own open edit, and leaves the target as it is', async () => {
    const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
    expect(await countOpenEdits()).toBe(1);
    const { status, body } = await edits.post(`/${id}/withdraw`, edits.authorToken);
    expect({ status, body }).toEqual({ status: 200, body: { id, status: 'withdrawn', version: 1 } });
    expect(await countOpenEdits()).toBe(0);
    const { edit } = (await edits.get(`/${id}`, edits.authorToken)).body;
    expect(edit).toMatchObject({ status: 'withdrawn', decidedBy: { id: edits.authorAccount.id } });
  });

  it('allows the same suggestion again', async () => {
    const update = edits.buildUpdate({ year: 2021 });
    const id = await edits.suggestEdit(update);
    await edits.post(`/${id}/withdraw`, edits.authorToken);
    await edits.suggestEdit(update);
  });

  it('has no version for a creation', async () => {
    const id = await edits.suggestEdit({
      type: 'create',
      targetType: 'artwork',
      changes: { title: 'New Wall', location: { lat: 52.1, lon: 5 } },
    });
    expect((await edits.post(`/${id}/withdraw`, edits.authorToken)).body.version).toBeNull();
  });

  it('does not find the edit of another person, also for a moderator', async () => {
    const id = await edits.suggestEdit(edits.buildUpdate({ year: 2022 }));
    const otherToken = await edits.issueAccessToken(await createAccount(edits.server));
    for (const token of [otherToken, edits.moderatorToken]) {
      expectApiError(await edits.post(`/${id}/withdraw`, token), 404, 'not_found');
    }
    expectApiError(await edits.post('/edt_01ARZ3NDEKTSV4RRFFQ69G5FAV/withdraw', edits.authorToken), 404, 'not_found');
    expect(await countOpenEdits()).toBe(1);
  });

  it('is 409 for an edit that is not open', async () => {
    const id = await edits.suggestEdit(edits.buildUpdate({ year: 2023 }));
    await edits.post(`/${id}/withdraw`, edits.authorToken);
    expectApiError(await edits.post(`/${id}/withdraw`, edits.authorToken), 409, 'edit_not_open');
    const accepted = await edits.suggestEdit(edits.buildUpdate({ year: 2024 }));
    await edits.post(`/${accepted}/accept`, edits.moderatorToken);
    expectApiError(await edits.post(`/${accepted}/withdraw`, edits.authorToken), 409, 'edit_not_open');
    expectApiError(await edits.post(`/${id}/accept`, edits.moderatorToken), 409, 'edit_not_open');
  });

  it('happens once when it is sent twice at the same time', async () => {
    const id = await edits.suggestEdit(edits.buildUpdate({ year: 2025 }));
    const responses = await Promise.all([1, 2, 3].map(() => edits.post(`/${id}/withdraw`, edits.authorToken)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await countOpenEdits()).toBe(0);
  });

  it('rejects members of the body', async () => {
    const id = await edits.suggestEdit(edits.buildUpdate({ year: 2018 }));
    const response = await edits.post(`/${id}/withdraw`, edits.authorToken, { comment: 'Sorry.' });
    expectApiError(response, 400, 'invalid_request');
    expect(response.body.details).toEqual([expect.objectContaining({ path: 'comment', code: 'unknown_member' })]);
    expect((await edits.post(`/${id}/withdraw`, edits.authorToken, {})).status).toBe(200);
  });

  it('is 403 without the scope, and for a blocked person', async () => {
    const id = await edits.suggestEdit(edits.buildUpdate({ year: 2026 }));
    const readOnly = await edits.issueAccessToken(edits.authorAccount, ['edits:read']);
    expect((await edits.post(`/${id}/withdraw`, readOnly)).status).toBe(403);
    await edits.updateAccount(edits.authorAccount.id, { blockedAt: new Date(), blockedReason: 'Spam.' });
    expectApiError(await edits.post(`/${id}/withdraw`, edits.authorToken), 403, 'not_allowed', 'account_blocked');
    await edits.updateAccount(edits.authorAccount.id, { blockedAt: null, blockedReason: null });
    expect(await countOpenEdits()).toBe(1);
  });
});
