import type { SetCookie } from 'cookie';
import { hash } from 'node:crypto';
import { type ComponentChildren, Fragment, h, type VNode } from 'preact';
import { render } from 'preact-render-to-string';
import type { Language } from '../i18n/language.js';

/** A page as a handler returns it. */
export interface View {
  title: string;
  /** Language of the title, if it is not the language of the page. */
  titleLanguage?: Language;
  body: ComponentChildren;
  /** HTML that follows `body`: a part that was rendered before. */
  renderedBody?: RenderedBody;
  /** HTTP status; 200 by default. */
  status?: number;
  /** A picture above the title, in the whole width of the page. */
  banner?: VNode | undefined;
  /** Hides the navigation on pages that ask for a decision. */
  hideNavigation?: boolean;
  /**
   * URI of an app to which a form of the page can redirect; the Content-Security-Policy must allow
   * it.
   */
  formRedirectUri?: string | undefined;
  /** Path of a script of this service, below `BASE_URL`. Without it, the page can run no script. */
  script?: string;
  /** Loads the script that adds buttons to show passwords and to copy values. */
  isEnhanced?: boolean;
  /** Lets the browser store the page and revalidate it by its entity tag. */
  isCacheable?: boolean;
  headers?: Record<string, string>;
  cookies?: SetCookie[];
}

/** A part of a page that is the same in every request. */
class RenderedBody {
  readonly digest: string;
  private lastPage: { page: string; bytes: Buffer } | undefined;

  /** @param html in UTF-8 */
  constructor(private readonly html: Buffer) {
    this.digest = hash('sha256', html);
  }

  /**
   * Inserts the part at the end of the main element. The last result is kept, because the rest of a
   * page is the same for most visitors.
   * @returns the page in UTF-8
   */
  insertInto(page: string): Buffer {
    if (this.lastPage?.page !== page) {
      const end = page.indexOf('</main>');
      const bytes = Buffer.concat([Buffer.from(page.slice(0, end)), this.html, Buffer.from(page.slice(end))]);
      this.lastPage = { page, bytes };
    }
    return this.lastPage.bytes;
  }
}

/** Views whose bodies are rendered once, because they are the same in every request. */
export class RenderedViews {
  private readonly viewsByKey = new Map<string, View>();

  /** Returns the view of a key, such as the language. @param create runs for the first request */
  async get(key: string, create: () => Promise<View>): Promise<View> {
    let view = this.viewsByKey.get(key);
    if (!view) {
      const { body, ...rest } = await create();
      const html = Buffer.from(render(h(Fragment, null, body)));
      view = { ...rest, body: null, renderedBody: new RenderedBody(html) };
      this.viewsByKey.set(key, view);
    }
    return view;
  }
}

/**
 * A file as a handler of a page returns it. The browser saves it and does not store it in a cache.
 */
export class Download {
  constructor(
    readonly filename: string,
    readonly contentType: string,
    readonly content: string,
  ) {}
}
