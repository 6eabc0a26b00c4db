import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist } from '../support/factories.js';
import type { ResponseBody, TestResponse } from '../support/test-server.js';

describe('The edits of an artwork or artist', () => {
  let edits: EditsFixture;
  /** Access token of a member who suggested nothing. */
  let token: string;

  beforeAll(async () => {
    edits = await EditsFixture.start();
    token = await issue(['edits:read']);
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  const issue = async (scopes: Scope[]): Promise<string> =>
    edits.issueAccessToken(await createAccount(edits.server), scopes);
  const view = (filter: object, by = token, rest: object = {}): Promise<TestResponse> =>
    edits.post('/views', by, { filter: { which: 'target', targetId: edits.artwork.id, ...filter }, ...rest });
  const list = async (filter: object = {}, by = token): Promise<ResponseBody[]> => {
    const { status, body } = await view(filter, by);
    expect({ status, missing: body.missing }).toEqual({ status: 200, missing: [] });
    return body.data.map(({ edit }: ResponseBody) => edit);
  };
  const suggest = (title: string): Promise<string> =>
    edits.suggestEdit({ ...edits.buildUpdate({ title }), comment: `Comment on ${title}.` });

  it('are read by everyone with edits:read, latest first, without withdrawn ones', async () => {
    const rejected = await suggest('One');
    await edits.decide('reject', rejected);
    const withdrawn = await suggest('Two');
    await edits.post(`/${withdrawn}/withdraw`, edits.authorToken);
    const open = await suggest('Three');
    const found = await list();
    expect(found.map(({ id, status }) => ({ id, status }))).toEqual([
      { id: open, status: 'open' },
      { id: rejected, status: 'rejected' },
    ]);
    expect(await list({ status: ['withdrawn'] })).toEqual([]);
    expect((await list({ status: ['withdrawn', 'open'], targetType: 'artwork' })).map(({ id }) => id)).toEqual([open]);
    expect(await list({ targetType: 'artist' })).toEqual([]);
  });

  it('have their comments, except rejected ones', async () => {
    await edits.decide('reject', await suggest('Advertisement'));
    await edits.accept(await suggest('Right'));
    const [accepted, rejected] = await list();
    expect(accepted).toMatchObject({ comment: 'Comment on Right.', decisionComment: 'A reason.' });
    expect(rejected).toMatchObject({ status: 'rejected', comment: null, decisionComment: null });
    const [, own] = await list({}, edits.authorToken);
    expect(own!.comment).toBeNull();
  });

  it('say only to their reviewers that an author is blocked', async () => {
    const author = await createAccount(edits.server);
    const suggestion = edits.buildUpdate({ year: 2020 });
    await edits.suggestEdit(suggestion, await edits.issueAccessToken(author));
    await edits.updateAccount(author.id, { blockedAt: new Date(), blockedReason: 'Spam.' });
    const isBlocked = async (by: string): Promise<boolean> =>
      (await view({}, by)).body.data[0].authorBlocked as boolean;
    expect([await isBlocked(token), await isBlocked(edits.moderatorToken)]).toEqual([false, true]);
  });

  it('explain openEditCount', async () => {
    await suggest('One');
    await suggest('Two');
    expect(await list({ status: ['open'] })).toHaveLength((await edits.findMarker()).openEditCount);
  });

  it('are those of an artist, and none of an unknown target', async () => {
    const { id: targetId, version } = await createArtist(edits.server);
    const update = { type: 'update', targetType: 'artist', targetId, baseVersion: version };
    const id = await edits.suggestEdit({ ...update, changes: { bio: 'A crew.' } });
    expect((await list({ targetId })).map((edit) => edit.id)).toEqual([id]);
    expect(await list({ targetId: 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).toEqual([]);
    expect(await list({ targetId: 'x' })).toEqual([]);
  });

  it('are paged', async () => {
    const ids = [await suggest('One'), await suggest('Two'), await suggest('Three')];
    const first = (await view({}, token, { limit: 2 })).body;
    const second = (await view({}, token, { limit: 2, cursor: first.page.nextCursor })).body;
    const found = [...first.data, ...second.data].map(({ edit }: ResponseBody) => edit.id as string);
    expect(found).toEqual(ids.reverse());
    expect(second.page.nextCursor).toBeNull();
  });

  it('need a target and edits:read', async () => {
    expectApiError(await view({ targetId: undefined }), 400, 'invalid_request');
    expectApiError(await view({ targetId: null }), 400, 'invalid_request');
    const { status, body } = await view({}, await issue(['edits:write', 'edits:review']));
    expect({ status, body }).toEqual({
      status: 403,
      body: { error: 'This app needs the edits:read scope to do that.' },
    });
  });

  it.each([{ authorId: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, { clientId: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV' }])(
    'cannot be selected by %j, which is for reviewers',
    async (filter) => {
      expectApiError(await view(filter), 400, 'invalid_request');
    },
  );

  it('do not make an edit of another person readable by its id', async () => {
    const id = await suggest('One');
    expectApiError(await edits.get(`/${id}`, token), 404, 'not_found');
  });
});
