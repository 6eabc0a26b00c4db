import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/identity/accounts/account.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { EditsFixture } from '../support/edits-fixture.js';
import { createAccount } from '../support/factories.js';

describe('The page of the own role', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start({ withOtherRegion: true });
    await edits.createArtwork();
  });
  afterAll(() => edits.server.stop());

  const open = async (role: Role, regions: string[] = []): Promise<string> => {
    const account = await createAccount(edits.server, { role, regions });
    const { html } = await (await openSignedInBrowser(edits.server, account)).get('/account/role');
    return html;
  };

  it('needs a session, and is linked from the account with the name of the role', async () => {
    expect((await new BrowserClient(edits.server).get('/account/role')).location).toMatch(/^\/sign-in/);
    const browser = await openSignedInBrowser(edits.server, await createAccount(edits.server));
    expect((await browser.get('/account')).html).toMatch(/href="\/account\/role">What you may do<\/a>.*Member/);
  });

  it('says what a member may do, and no more', async () => {
    const html = await open('member');
    expect(html).toContain('<h1>What you may do</h1>');
    expect(html).toContain('You are a member.');
    expect(html).toContain('Suggest changes to artworks and artists');
    expect(html).toContain('In the last hour: 0 of 30');
    expect(html).toContain('Open: 0 of 50');
    expect(html).not.toContain('Your role is valid');
    expect(html).not.toContain('Accept or reject');
    expect(html).not.toContain('/moderation');
  });

  it('names the regions of a trusted member', async () => {
    const html = await open('trusted', ['reg_halvenstad', 'reg_elsewhere']);
    expect(html).toContain('You are a trusted member. Your role is valid in Halvenstad and Elsewhere.');
    expect(html).toContain('Accept or reject what others suggest: new artworks and changes to them');
    expect(html).toContain('In the last hour: 0 of 600');
    expect(html).toContain('Open: 0 of 200');
    expect(html).not.toContain('block people');
  });

  it('links a moderator of the whole map to the moderation', async () => {
    const html = await open('moderator', ['*']);
    expect(html).toContain('You are a moderator. Your role is valid on the whole map.');
    expect(html).toContain('href="/moderation"');
    expect(html).toContain('Disable apps');
    expect(await open('moderator', ['reg_halvenstad'])).not.toContain('Disable apps');
    const artists = 'Accept or reject what others suggest about artists';
    expect(await open('trusted', ['*'])).toContain(artists);
    expect(await open('trusted', ['reg_halvenstad'])).not.toContain(artists);
  });

  it('counts suggestions', async () => {
    const account = await createAccount(edits.server);
    await edits.suggestEdit(edits.buildUpdate({ year: 2020 }), await edits.issueAccessToken(account));
    const { html } = await (await openSignedInBrowser(edits.server, account)).get('/account/role');
    expect(html).toContain('In the last hour: 1 of 30');
    expect(html).toContain('Open: 1 of 50');
  });
});
