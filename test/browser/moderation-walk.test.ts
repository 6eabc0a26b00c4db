import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { App } from '../../src/identity/apps/app.entity.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { BrowserScenario } from '../support/browser-scenario.js';
import { createAccount, createMarker, issueTokens } from '../support/factories.js';

/** The folder of the screenshots of the steps. Without it, the test takes none. */
const SCREENSHOT_FOLDER = process.env['WALK_SCREENSHOTS'];

describe('A moderator', () => {
  const scenario = BrowserScenario.use({ name: 'Poster Robot' });

  /** Lets the app suggest years for each of 40 people, 500 in total. */
  const suggest = async (): Promise<void> => {
    const { server } = scenario.environment;
    const { app } = scenario.app.registration;
    const { id: targetId } = await createMarker(server);
    for (let person = 0; person < 40; person++) {
      const token = (await issueTokens(server, { app, account: await createAccount(server) })).access_token;
      for (let year = 1990; year < 2002 + (person % 2); year++) {
        const edit = { type: 'update', targetType: 'artwork', targetId, baseVersion: 1, changes: { year } };
        await server.request('POST', '/api/edits', { token, body: edit });
      }
    }
  };

  const takeScreenshot = async (name: string): Promise<void> => {
    if (!SCREENSHOT_FOLDER) return;
    await scenario.browser.page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`) });
  };

  it('stops an app with 500 suggestions of 40 people, and rejects them', async () => {
    await suggest();
    const { browser, app } = scenario;
    const { entityManager } = scenario.environment.server;
    const { id } = app.registration.app;
    expect(await entityManager.countBy(Edit, { appId: id, status: 'open' })).toBe(500);

    await browser.goto('/sign-in?return_to=/account');
    await browser.signIn(await createAccount(scenario.environment.server, { role: 'moderator' }));
    await browser.clickLink('Moderation');
    await takeScreenshot('moderation');
    await browser.clickLink('Poster Robot');
    await takeScreenshot('app');
    await browser.clickButton('Disable app');
    await takeScreenshot('disable');
    await browser.clickButton('Disable app');
    await browser.clickButton('Reject all open');
    await browser.fillFields({ Reason: 'These posters are advertisements.' });
    await takeScreenshot('reject');
    await browser.clickButton('Reject all open');
    expect(await browser.text()).toContain('Open: 0 · Accepted: 0 · Rejected: 500');
    await takeScreenshot('cleaned-up');

    expect(await entityManager.countBy(Edit, { appId: id, status: 'rejected' })).toBe(500);
    expect((await entityManager.findOneByOrFail(App, { id })).disabledAt).not.toBeNull();
  });
});
