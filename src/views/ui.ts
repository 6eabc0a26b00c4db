import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Language, languageOf, LANGUAGES } from '../words/language.js';
import type { Messages } from '../words/messages.js';

/** Who looks at a page. */
export interface Viewer {
  username: string;
  name: string;
}

/** What every page is made with. */
export interface Ui {
  language: Language;
  messages: Messages;
  /** The path of `BASE_URL`, before each of our own addresses; '' for none. */
  base: string;
  /** Who is signed in. */
  viewer?: Viewer | undefined;
}

/** A request as pages see it: what stands before a handler notes who looks at it. */
export interface PageRequest extends Request {
  viewer?: Viewer | undefined;
  ui?: Ui;
}

export function uiOf(request: PageRequest, base: string): Ui {
  const language = languageOf(request);
  return { language, messages: LANGUAGES[language], base, viewer: request.viewer };
}

/** The `Ui` of this request, in a handler's parameters. */
export const PageUi = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<PageRequest>().ui,
);
