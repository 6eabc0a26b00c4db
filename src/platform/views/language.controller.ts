import { Body, Post } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Redirect } from '../http/redirect.js';
import { removeParam } from '../http/request-url.js';
import { isLanguage } from '../i18n/language.js';
import { buildLanguageCookie } from '../i18n/request-language.js';
import { HtmlController } from './html-controller.decorator.js';
import { PageError } from './error-pages.js';

/** Remembers the language that a person chose at the end of a page. */
@HtmlController('language')
export class LanguageController {
  constructor(private readonly settings: Settings) {}

  /**
   * Redirects to the page on which the language was chosen, with the cookie that stores it.
   * @throws PageError 400 if the language is unknown
   */
  @Post()
  choose(@Body() form: URLSearchParams): Redirect {
    const language = form.get('language') ?? '';
    if (!isLanguage(language)) throw new PageError(400, 'invalidRequest');
    const cookies = [buildLanguageCookie(this.settings, language)];
    return new Redirect(resolveReturnUrl(this.settings, form.get('return_to') ?? ''), cookies);
  }
}

/**
 * Returns the path and query of a page of this service, without the language of an earlier choice;
 * the home page for any other address.
 */
function resolveReturnUrl({ BASE_URL, basePath }: Settings, returnTo: string): string {
  const { origin } = new URL(BASE_URL);
  const url = URL.canParse(returnTo, origin) ? new URL(returnTo, origin) : null;
  const isOwnPage = url?.origin === origin && url.pathname.startsWith(`${basePath}/`);
  // A path with two slashes would be the address of another site.
  if (!url || !isOwnPage || url.pathname.startsWith('//')) return `${basePath}/`;
  const query = removeParam(url.search.slice(1), 'ui_locales');
  return url.pathname + (query && `?${query}`);
}
