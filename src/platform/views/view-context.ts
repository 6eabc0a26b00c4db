import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Language, negotiateLanguage, MESSAGES_BY_LANGUAGE } from '../i18n/language.js';
import type { Messages } from '../i18n/messages.js';

/** Who looks at a page. */
export interface Viewer {
  username: string;
  name: string;
}

/** What every page is made with. */
export interface ViewContext {
  language: Language;
  messages: Messages;
  /** The path of `BASE_URL`, before each of our own addresses; '' for none. */
  basePath: string;
  /** Who is signed in. */
  viewer?: Viewer | undefined;
}

/** A request as pages see it: what stands before a handler notes who looks at it. */
export interface PageRequest extends Request {
  viewer?: Viewer | undefined;
  viewContext?: ViewContext;
}

export function createViewContext(request: PageRequest, base: string): ViewContext {
  const language = negotiateLanguage(request);
  return { language, messages: MESSAGES_BY_LANGUAGE[language], basePath: base, viewer: request.viewer };
}

/** The `Ui` of this request, in a handler's parameters. */
export const CurrentViewContext = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<PageRequest>().viewContext,
);
