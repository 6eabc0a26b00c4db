import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LANGUAGE_NAMES } from '../../src/platform/i18n/language.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';
import { signInNewMember } from './page-state-actions.js';
import { usePageStates } from './page-state-context.js';

const SCOPE = 'openid profile markers:read collections:read collections:write';

/** The five scopes with the longest sentences. */
const LONGEST_SCOPE = 'markers:read collections:read collections:write edits:write edits:review';

/** Most words of the page in English. */
const MAX_WORDS = 110;

/** Most words of the page in another language. */
const MAX_TRANSLATED_WORDS = 130;

/** Fonts of Linux and Android. Those that are not installed are skipped. */
const FONTS = ['DejaVu Sans', 'Roboto', 'Liberation Sans'];

const SCREENS = [
  { width: 1400, height: 900, maxBottom: 640 },
  { width: 360, height: 740, maxBottom: 900 },
];

describe('The consent page with five scopes', () => {
  const context = usePageStates();
  let app: ClientApp;

  beforeAll(async () => {
    app = await ClientApp.start(context.environment.server, {
      name: 'WallWalk Five',
      homePage: 'https://wallwalk.example',
      ownerId: context.developer.id,
    });
  });
  afterAll(() => app.stop());

  const open = async (locale: string, scope = SCOPE): Promise<BrowserPage> => {
    const browser = await context.environment.openPage({ locale }, [app]);
    await signInNewMember(browser, context);
    await browser.goto(app.startAuthorization({ scope }));
    return browser;
  };

  it.each([SCOPE, LONGEST_SCOPE])('ends both buttons high enough on each screen, in each font: %s', async (scope) => {
    for (const locale of Object.keys(LANGUAGE_NAMES)) {
      const browser = await open(locale, scope);
      const fonts = await findInstalledFonts(browser);
      expect(fonts.length).toBeGreaterThan(0);
      for (const font of fonts) {
        await setFont(browser, font);
        for (const { width, height, maxBottom } of SCREENS) {
          await browser.page.setViewportSize({ width, height });
          for (const decision of ['allow', 'deny']) {
            const box = (await browser.page.locator(`[value=${decision}]`).boundingBox())!;
            const where = { locale, font, width, decision };
            expect({ ...where, isHigh: box.y + box.height <= maxBottom }).toEqual({ ...where, isHigh: true });
          }
        }
      }
    }
  });

  it('has a header of one line in a wide window, in each language and font', async () => {
    for (const locale of Object.keys(LANGUAGE_NAMES)) {
      const browser = await open(locale);
      await browser.page.setViewportSize({ width: 1400, height: 900 });
      for (const font of await findInstalledFonts(browser)) {
        await setFont(browser, font);
        const middles = await browser.page
          .locator('.consent-header :is(strong, a, span)')
          .evaluateAll((all) => all.map((part) => part.getBoundingClientRect()).map(({ y, height }) => y + height / 2));
        const spread = Math.max(...middles) - Math.min(...middles);
        expect({ locale, font, isOneLine: spread < 5 }).toEqual({ locale, font, isOneLine: true });
      }
    }
  });

  it.each(Object.keys(LANGUAGE_NAMES))('has few words in %s', async (locale) => {
    const maxWords = locale === 'en' ? MAX_WORDS : MAX_TRANSLATED_WORDS;
    const text = await (await open(locale)).text();
    expect({ text, isShort: text.split(/\s+/).length <= maxWords }).toEqual({ text, isShort: true });
  });

  it('has a thicker border around Allow than around Deny, in forced colors', async () => {
    const { page } = await open('en');
    await page.emulateMedia({ forcedColors: 'active' });
    const readWidth = (decision: string): Promise<string> =>
      page.locator(`[value=${decision}]`).evaluate((button) => getComputedStyle(button).borderTopWidth);
    expect([await readWidth('allow'), await readWidth('deny')]).toEqual(['3px', '1px']);
  });

  it('has a border only around the scopes that change something, in forced colors too', async () => {
    const { page } = await open('en');
    for (const forcedColors of ['none', 'active'] as const) {
      await page.emulateMedia({ forcedColors });
      const borders = await page.locator('main fieldset').evaluateAll((all) =>
        all.map((fieldset) => {
          const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(fieldset);
          return { width: borderTopWidth, isVisible: borderTopColor !== backgroundColor };
        }),
      );
      expect(borders).toEqual([
        { width: '0px', isVisible: true },
        { width: '2px', isVisible: true },
      ]);
    }
  });
});

/** Returns the fonts that are installed: text in any other has the width of the fallback. */
function findInstalledFonts({ page }: BrowserPage): Promise<string[]> {
  return page.evaluate((fonts) => {
    const drawing = document.createElement('canvas').getContext('2d')!;
    const measure = (font: string): number => {
      drawing.font = `40px ${font}`;
      return drawing.measureText('Kunstwerke an der Mauer, iiiii').width;
    };
    return fonts.filter((font) => measure(`'${font}', monospace`) !== measure('monospace'));
  }, FONTS);
}

/** Sets the font of the text. The policy of the page allows no style tag. */
async function setFont({ page }: BrowserPage, font: string): Promise<void> {
  await page.evaluate((family) => (document.body.style.fontFamily = `'${family}'`), font);
}
