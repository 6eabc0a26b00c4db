import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { DeletionService } from '../../src/identity/accounts/deletion/deletion.service.js';
import { ExportService } from '../../src/identity/accounts/export/export.service.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { StoredAppIcon } from '../../src/identity/apps/stored-app-icon.entity.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { drawPicture, drawRotatedJpeg } from '../support/test-pictures.js';

describe('The icon of an app', () => {
  const fixture = OAuthFixture.use({ app: (_, { id: ownerId }) => ({ ownerId }) });

  const getPath = (action = ''): string => `/developer/apps/${fixture.app.app.id}${action}`;
  const upload = (bytes: Uint8Array, browser = fixture.browser): Promise<PageResponse> =>
    browser.postMultipart(getPath('/icon'), { picture: new Blob([new Uint8Array(bytes)]) });
  const readIcon = async (): Promise<string | null> =>
    (await fixture.server.entityManager.findOneByOrFail(App, { id: fixture.app.app.id })).icon;
  const countIcons = (): Promise<number> =>
    fixture.server.entityManager.countBy(StoredAppIcon, { appId: fixture.app.app.id });
  const uploadValid = async (): Promise<string> => {
    expect((await upload(await drawPicture().png().toBuffer())).location).toBe(`${getPath()}?saved`);
    return (await readIcon())!;
  };

  it('is encoded again, without metadata, and served without authentication', async () => {
    expect((await upload(await drawRotatedJpeg())).status).toBe(303);
    const response = await fetch(fixture.server.url + (await readIcon()));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    const metadata = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect(metadata).toMatchObject({ format: 'webp', width: 256, height: 256 });
    expect(metadata).not.toHaveProperty('exif');
  });

  it('takes the place of the monogram on the consent page, the connected apps and the page of the app', async () => {
    const icon = await uploadValid();
    const consent = await fixture.authorize();
    await fixture.authorizeApp();
    for (const { html } of [
      consent,
      await fixture.browser.get('/account/apps'),
      await fixture.browser.get(getPath()),
    ]) {
      expect(html).toContain(`<img class="app-icon" src="${icon}" alt`);
      expect(html).not.toContain('monogram');
    }
  });

  it('is replaced, and the old address returns 404', async () => {
    const old = await uploadValid();
    const icon = await uploadValid();
    expect(icon).not.toBe(old);
    expect(await countIcons()).toBe(1);
    expect((await fetch(fixture.server.url + old)).status).toBe(404);
  });

  it('is removed', async () => {
    const icon = await uploadValid();
    expect(
      (await fixture.browser.submitForm(await fixture.browser.get(getPath()), getPath('/icon/remove'))).status,
    ).toBe(303);
    expect([await readIcon(), await countIcons()]).toEqual([null, 0]);
    expect((await fetch(fixture.server.url + icon)).status).toBe(404);
    expect((await fixture.browser.get(getPath())).html).toContain('monogram');
  });

  it.each<[string, () => Uint8Array | Promise<Uint8Array>, string]>([
    ['an SVG file', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'is not a PNG, JPEG or WebP'],
    ['a GIF file', () => drawPicture().gif().toBuffer(), 'is not a PNG, JPEG or WebP'],
    ['more than 2 MiB', () => Buffer.alloc(2 * 1024 * 1024 + 1), 'larger than 2 MB'],
    ['a broken picture', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'is damaged'],
    ['nothing', () => Buffer.alloc(0), 'Choose a picture.'],
  ])('rejects %s, and keeps the old icon', async (_, create, message) => {
    const icon = await uploadValid();
    const { status, html } = await upload(await create());
    expect(status).toBe(422);
    expect(html).toContain(message);
    expect(await readIcon()).toBe(icon);
  });

  it('cannot be changed by others, by a blocked owner, or from another site', async () => {
    const icon = await uploadValid();
    const picture = await drawPicture().png().toBuffer();
    const other = await fixture.openOtherBrowser();
    expect((await upload(picture, other)).status).toBe(404);
    expect((await other.post(getPath('/icon/remove'), {})).status).toBe(404);
    expect((await upload(picture, new BrowserClient(fixture.server))).location).toMatch(/^\/sign-in/);
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await fixture.browser.post(getPath('/icon/remove'), {}, headers)).status).toBe(403);
    await fixture.server.get(AccountsService).block(fixture.account.username, 'Spam.');
    expect((await upload(picture)).status).toBe(403);
    expect((await fixture.browser.post(getPath('/icon/remove'), {})).status).toBe(403);
    expect(await readIcon()).toBe(icon);
  });

  it.each(['x', '..%2Fstyle.css', 'A'.repeat(43)])('is not found at /app-icons/%s', async (id) => {
    expect((await fetch(`${fixture.server.url}/app-icons/${id}`)).status).toBe(404);
  });

  it('is in the export of the owner, and is deleted with the account', async () => {
    const icon = await uploadValid();
    const data = await fixture.server.get(ExportService).export(fixture.account.id);
    expect(data).toMatchObject({
      own_apps: [{ icon: { content_type: 'image/webp', content_base64: expect.stringMatching(/^UklGR/) } }],
    });
    await fixture.server.get(DeletionService).delete(fixture.account);
    expect([await readIcon(), await countIcons()]).toEqual([null, 0]);
    expect((await fetch(fixture.server.url + icon)).status).toBe(404);
  });
});
