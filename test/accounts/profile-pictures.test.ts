import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ProfilePicture } from '../../src/identity/accounts/profile/profile-picture.entity.js';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { createAccount, issueAccessToken } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { buildPngBomb, drawPicture, drawRotatedJpeg } from '../support/test-pictures.js';
import { TestServer } from '../support/test-server.js';

const PROFILE_PATH = '/account/profile';
const MAX_BYTES = 2 * 1024 * 1024;

describe('Profile pictures', () => {
  const fixture = OAuthFixture.use();

  const readAccount = (): Promise<Account> =>
    fixture.server.entityManager.findOneByOrFail(Account, { id: fixture.account.id });
  const countPictures = (): Promise<number> =>
    fixture.server.entityManager.countBy(ProfilePicture, { accountId: fixture.account.id });
  const save = (fields: Record<string, string | Blob>, headers = {}): Promise<PageResponse> =>
    fixture.browser.postMultipart(PROFILE_PATH, { name: 'Mila Vos', language: '', ...fields }, headers);
  const upload = async (bytes: Uint8Array, type = 'image/png'): Promise<PageResponse> =>
    save({ picture: new Blob([new Uint8Array(bytes)], { type }) });
  const uploadValid = async (): Promise<string> => {
    expect((await upload(await drawPicture().png().toBuffer())).location).toBe(`${PROFILE_PATH}?done=saved`);
    return (await readAccount()).picture!;
  };
  const expectPictureError = async (response: PageResponse, message: string): Promise<void> => {
    expect(response.status).toBe(422);
    expect(response.html).toContain(`<p class="field-error" id="picture-error">${message}</p>`);
    expect(response.html).toContain('value="Mila Vos"');
    expect({ pictures: await countPictures(), account: await readAccount() }).toMatchObject({
      pictures: 0,
      account: { name: fixture.account.name, picture: null },
    });
  };
  const { fieldErrors } = MESSAGES_BY_LANGUAGE.en;

  describe('reject', () => {
    it('a file of 2 MiB and one byte, and accepts one of 2 MiB', async () => {
      const picture = await drawPicture().jpeg().toBuffer();
      const padded = Buffer.concat([picture, Buffer.alloc(MAX_BYTES + 1 - picture.length)]);
      await expectPictureError(await upload(padded), fieldErrors.pictureTooLarge);
      expect((await upload(padded.subarray(0, MAX_BYTES))).status).toBe(303);
    });
    it.each<[string, () => Uint8Array | Promise<Uint8Array>, keyof typeof fieldErrors]>([
      ['an SVG file', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'pictureTypeInvalid'],
      ['a GIF file', () => drawPicture().gif().toBuffer(), 'pictureTypeInvalid'],
      ['a TIFF file', () => drawPicture().tiff().toBuffer(), 'pictureTypeInvalid'],
      ['an AVIF file', () => drawPicture(64, 64).avif({ effort: 0 }).toBuffer(), 'pictureTypeInvalid'],
      ['an HTML page', () => Buffer.from('<script>alert(1)</script>'), 'pictureTypeInvalid'],
      ['a signature without content', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'pictureBroken'],
      ['a GIF file behind the signature of a JPEG', async () => disguise('\xff\xd8\xff'), 'pictureBroken'],
      ['a PNG of 20,000 × 20,000 pixels', () => buildPngBomb(20_000, 20_000), 'pictureTooManyPixels'],
      ['a PNG with one pixel row too many', () => buildPngBomb(30_000, 1001), 'pictureTooManyPixels'],
    ])('%s, and keeps the other fields', async (_, create, code) => {
      await expectPictureError(await upload(await create()), fieldErrors[code]);
    });

    it.each(['png', 'jpeg', 'webp'] as const)('a truncated %s file', async (format) => {
      const noise = await sharp({
        create: { width: 300, height: 300, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
      } as never)
        .toFormat(format)
        .toBuffer();
      await expectPictureError(await upload(noise.subarray(0, noise.length / 2)), fieldErrors.pictureBroken);
    });
  });

  it.each(['png', 'jpeg', 'webp'] as const)('stores a %s picture as WebP of 256 × 256 pixels', async (format) => {
    expect((await upload(await drawPicture().toFormat(format).toBuffer(), 'application/octet-stream')).status).toBe(
      303,
    );
    const { content, contentType } = await fixture.server.entityManager.findOneByOrFail(ProfilePicture, {
      accountId: fixture.account.id,
    });
    expect(contentType).toBe('image/webp');
    expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
  });

  it('turns a picture upright, and removes its location and all other metadata', async () => {
    const original = await drawRotatedJpeg();
    expect(await sharp(original).metadata()).toMatchObject({ orientation: 6, exif: expect.anything() });
    expect((await upload(original)).status).toBe(303);
    const [{ content }] = (await fixture.server.entityManager.findBy(ProfilePicture, {})).slice(-1) as [ProfilePicture];
    const metadata = await sharp(content).metadata();
    expect(metadata).not.toHaveProperty('exif');
    expect(metadata).not.toHaveProperty('orientation');
    expect(content.includes('secret-owner')).toBe(false);
    const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
    const bottom = (info.height - 20) * info.width * info.channels + 100 * info.channels;
    expect(data[2]!).toBeLessThan(100); // the upper left corner is red
    expect(data[bottom + 2]!).toBeGreaterThan(100); // the lower edge is blue
  });

  it('drops a document that is hidden behind a picture', async () => {
    const polyglot = Buffer.concat([await drawPicture().png().toBuffer(), Buffer.from('<script>alert(1)</script>')]);
    expect((await upload(polyglot)).status).toBe(303);
    const response = await fetch(fixture.server.url + (await readAccount()).picture!);
    expect(Buffer.from(await response.arrayBuffer()).includes('script')).toBe(false);
  });

  it('stores the first frame of an animated picture', async () => {
    const frames = await Promise.all([
      drawPicture(64, 64).png().toBuffer(),
      drawPicture(64, 64).negate().png().toBuffer(),
    ]);
    const animated = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await upload(animated)).status).toBe(303);
    const [picture] = await fixture.server.entityManager.findBy(ProfilePicture, { accountId: fixture.account.id });
    expect((await sharp(picture!.content).metadata()).pages ?? 1).toBe(1);
  });

  it('processes many uploads at the same time', async () => {
    const bytes = await drawPicture(2000, 2000).png().toBuffer();
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await upload(bytes)).status));
    expect(new Set(statuses)).toEqual(new Set([303]));
    expect(await countPictures()).toBe(1);
  });

  it('serves the picture to apps from an address that cannot be guessed, and caches it forever', async () => {
    const path = await uploadValid();
    expect(path).toMatch(/^\/pictures\/[\w-]{43}$/);
    const { status, headers } = await fetch(fixture.server.url + path);
    expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
      status: 200,
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(headers.get('set-cookie')).toBeNull();
    for (const unknown of [`${path.slice(0, -1)}~`, '/pictures/x', '/pictures/%00', `/pictures/${'A'.repeat(43)}`]) {
      const response = await fetch(fixture.server.url + unknown);
      expect([unknown, response.status, response.headers.get('cache-control')]).toEqual([unknown, 404, 'no-store']);
    }
  });

  it('ends the address of a picture that was replaced or removed', async () => {
    const first = await uploadValid();
    const second = await uploadValid();
    expect((await fetch(fixture.server.url + first)).status).toBe(404);
    expect((await fixture.browser.get(PROFILE_PATH)).html).toContain(`<img src="${second}"`);
    const page = await fixture.browser.get(PROFILE_PATH);
    const { location } = await fixture.browser.submitForm(page, `${PROFILE_PATH}/remove-picture`);
    expect((await fixture.browser.get(location!)).html).toContain('Your picture is removed.');
    expect((await fetch(fixture.server.url + second)).status).toBe(404);
    expect(await readAccount()).toMatchObject({ picture: null, name: 'Mila Vos' });
  });
});

describe('Profile pictures in other settings', () => {
  it('are limited to 30 uploads per hour for one person', async () => {
    const server = await TestServer.start({ RATE_LIMITS: 'on' });
    const { account, browser } = await signInNewPerson(server);
    const picture = new Blob(['GIF89a']);
    const form = { name: account.name, language: '', picture };
    for (let count = 0; count < 30; count++) await browser.postMultipart(PROFILE_PATH, form);
    expect((await browser.postMultipart(PROFILE_PATH, form)).html).toContain(
      MESSAGES_BY_LANGUAGE.en.fieldErrors.pictureTooOften,
    );
    expect((await browser.postMultipart(PROFILE_PATH, { name: 'Mila', language: '' })).status).toBe(303);
    await server.stop();
  });

  it('have an address below the path of BASE_URL', async () => {
    const server = await TestServer.start({ BASE_URL: 'https://map.example.org/street' });
    const { account, browser } = await signInNewPerson(server, '/street');
    const picture = new Blob([new Uint8Array(await drawPicture().png().toBuffer())]);
    await browser.postMultipart(`/street${PROFILE_PATH}`, { name: 'Mila', language: '', picture });
    const token = await issueAccessToken(server, ['openid', 'profile'], account);
    const { body } = await server.request('GET', '/street/api/oauth/userinfo', { token });
    expect(body.picture).toMatch(/^https:\/\/map\.example\.org\/street\/pictures\/[\w-]{43}$/);
    const path = new URL(body.picture as string).pathname;
    expect((await fetch(server.url + path)).status).toBe(200);
    expect((await browser.get(`/street${PROFILE_PATH}`)).html).toContain(`<img src="${path}"`);
    await server.stop();
  });
});

async function signInNewPerson(
  server: TestServer,
  basePath = '',
): Promise<{ account: Account; browser: BrowserClient }> {
  const account = await createAccount(server);
  const browser = new BrowserClient(server);
  await browser.post(`${basePath}/sign-in`, { username: account.username, password: 'correct horse' });
  return { account, browser };
}

async function disguise(signature: string): Promise<Buffer> {
  return Buffer.concat([Buffer.from(signature, 'latin1'), await drawPicture().gif().toBuffer()]);
}
