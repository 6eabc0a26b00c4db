import { Body, Post } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Public } from '../../http/public.decorator.js';
import { Redirect } from '../../http/redirect.js';
import { HtmlController } from '../html-controller.decorator.js';
import { chooseLanguage } from './language-choice.js';

/** Remembers the language that a person chose at the end of a page. */
@HtmlController('language')
export class LanguageController {
  constructor(private readonly settings: Settings) {}

  @Post()
  @Public('no-token')
  choose(@Body() form: URLSearchParams): Redirect {
    return chooseLanguage(this.settings, form);
  }
}
