import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_BLOCK } from '../../src/identity/accounts/account.entity.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, issueTokens, registerApp } from '../support/factories.js';
import type { ResponseBody, TestResponse } from '../support/test-server.js';

const UNKNOWN_EDIT_ID = 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const COMMENT = 'An advertisement.';

describe('POST /api/edits/decisions', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start({ authorRole: 'trusted' });
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  const suggest = (year: number): Promise<string> => edits.suggestEdit(edits.buildUpdate({ year }));
  const decide = (body: object, token = edits.moderatorToken): Promise<TestResponse> =>
    edits.post('/decisions', token, body);
  const fetchStatus = async (id: string): Promise<string> =>
    (await edits.get(`/${id}`, edits.authorToken)).body.edit.status;

  it.each([
    ['no ids', { ids: [], decision: 'reject', comment: COMMENT }],
    ['101 ids', { ids: Array(101).fill(UNKNOWN_EDIT_ID), decision: 'reject', comment: COMMENT }],
    ['ids that are no texts', { ids: [1], decision: 'reject', comment: COMMENT }],
    ['no decision', { ids: [UNKNOWN_EDIT_ID], comment: COMMENT }],
    ['an acceptance', { ids: [UNKNOWN_EDIT_ID], decision: 'accept', comment: COMMENT }],
    ['a rejection without a comment', { ids: [UNKNOWN_EDIT_ID], decision: 'reject' }],
    ['a rejection with a comment of two characters', { ids: [UNKNOWN_EDIT_ID], decision: 'reject', comment: 'no' }],
    ['a comment of 1,001 characters', { ids: [UNKNOWN_EDIT_ID], decision: 'revert', comment: 'a'.repeat(1001) }],
  ])('rejects %s, and decides nothing', async (_, body) => {
    expectApiError(await decide(body), 400, 'invalid_request');
  });

  it('needs the scope edits:review', async () => {
    const account = await createAccount(edits.server, { role: 'moderator' });
    const token = await edits.issueAccessToken(account, ['edits:read', 'edits:write']);
    const id = await suggest(2020);
    const { status, body } = await decide({ ids: [id], decision: 'reject', comment: COMMENT }, token);
    expect({ status, error: body.error }).toEqual({
      status: 403,
      error: 'This app needs the edits:review scope to do that.',
    });
    expect(await fetchStatus(id)).toBe('open');
  });

  it('rejects each edit by the same rules as alone, with one answer per id in the order sent', async () => {
    const other = await createAccount(edits.server, { role: 'moderator' });
    const otherToken = await edits.issueAccessToken(other);
    const own = await edits.suggestEdit(edits.buildUpdate({ year: 2001 }), otherToken);
    const [first, second, decided] = [await suggest(2020), await suggest(2021), await suggest(2022)];
    await edits.accept(decided);
    const ids = [second, UNKNOWN_EDIT_ID, own, first, decided, second];
    const { status, body } = await decide({ ids, decision: 'reject', comment: COMMENT }, otherToken);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { id: second, status: 'rejected' },
      { id: UNKNOWN_EDIT_ID, code: 'not_found', error: expect.any(String) },
      { id: own, code: 'not_allowed', reason: 'own_edit', error: expect.any(String) },
      { id: first, status: 'rejected' },
      { id: decided, code: 'edit_not_open', error: expect.any(String) },
    ]);
    const single = await edits.decide('reject', own, otherToken);
    expect({ error: body.data[2].error, code: body.data[2].code }).toEqual({
      error: single.body.error,
      code: single.body.code,
    });
    const { edit } = (await edits.get(`/${first}`, edits.authorToken)).body;
    expect(edit).toMatchObject({ status: 'rejected', decisionComment: COMMENT, decidedBy: { id: other.id } });
  });

  it('reverts accepted edits, and names those that something changed since', async () => {
    const [first, second] = [
      await edits.createAcceptedEdit({ year: 2020 }),
      await edits.suggestEdit(edits.buildUpdate({ title: 'Echo' })),
    ];
    const { body } = await decide({ ids: [first, second], decision: 'revert' });
    expect(body.data).toEqual([
      { id: first, status: 'reverted' },
      { id: second, code: 'edit_not_accepted', error: expect.any(String) },
    ]);
    expect((await edits.findMarker()).year).toBe(2019);
    await edits.createArtwork();
    const older = await edits.createAcceptedEdit({ year: 2021 });
    await edits.createAcceptedEdit({ year: 2022 });
    const conflict = (await decide({ ids: [older], decision: 'revert' })).body.data;
    expect(conflict).toEqual([{ id: older, code: 'revert_conflict', error: expect.any(String) }]);
    expect((await edits.findMarker()).year).toBe(2022);
  });

  it('rejects the whole call of a blocked person with 403', async () => {
    const account = await createAccount(edits.server, { role: 'moderator' });
    const token = await edits.issueAccessToken(account);
    const id = await suggest(2020);
    await edits.updateAccount(account.id, { blockedAt: new Date(), blockedReason: 'Spam.' });
    const response = await decide({ ids: [id], decision: 'reject', comment: COMMENT }, token);
    expectApiError(response, 403, 'not_allowed', 'account_blocked');
    expect(await fetchStatus(id)).toBe('open');
    await edits.updateAccount(account.id, NO_BLOCK);
  });

  describe('The filters of reviewers', () => {
    const findIds = async (filter: object): Promise<string[]> => {
      const body = { filter: { which: 'reviewable', ...filter }, limit: 100 };
      const { status, body: page } = await edits.post('/views', edits.moderatorToken, body);
      expect(status).toBe(200);
      return page.data.map(({ edit }: ResponseBody) => edit.id as string);
    };

    it('select what one author or one app suggested', async () => {
      const app = await registerApp(edits.server);
      const author = await createAccount(edits.server);
      const { access_token: token } = await issueTokens(edits.server, { app: app.app, account: author });
      const byBoth = await edits.suggestEdit(edits.buildUpdate({ year: 2001 }), token);
      const byAuthor = await edits.suggestEdit(edits.buildUpdate({ year: 2002 }), await edits.issueAccessToken(author));
      await suggest(2003);
      expect(await findIds({ authorId: author.id })).toEqual([byBoth, byAuthor]);
      expect(await findIds({ clientId: app.app.id })).toEqual([byBoth]);
      expect(await findIds({ authorId: author.id, clientId: edits.client.app.id })).toEqual([byAuthor]);
      expect(await findIds({ authorId: author.id, createdSince: '2100-01-01T00:00:00Z' })).toEqual([]);
      expect(await findIds({ authorId: 'usr_unknown' })).toEqual([]);
      await decide({ ids: [byBoth], decision: 'reject', comment: COMMENT });
      expect(await findIds({ clientId: app.app.id, status: ['rejected'] })).toEqual([byBoth]);
    });

    it.each(['authorId', 'clientId'])('reject %s with another selection', async (name) => {
      const filter = { which: 'mine', [name]: edits.authorAccount.id };
      expectApiError(await edits.post('/views', edits.authorToken, { filter }), 400, 'invalid_request');
    });
  });
});
