import type { Request } from 'express';
import type { Settings } from '../config/settings.js';
import { type Language, MESSAGES_BY_LANGUAGE, negotiateLanguage } from '../i18n/language.js';
import type { Messages } from '../i18n/messages.js';

/** The account that is signed in, as far as the pages show it. */
export interface Viewer {
  username: string;
  name: string;
  /** The language that the person chose; null for the language of the browser. */
  language: Language | null;
}

/** Data that every page is rendered with. */
export interface ViewContext {
  language: Language;
  messages: Messages;
  /** Path of `BASE_URL`, the prefix of every path of this service; empty if there is none. */
  basePath: string;
  /** Address of the people who run the service, if the operator set one: an https or mailto URL. */
  contact?: string | undefined;
  /** Undefined if the request has no session. */
  viewer?: Viewer | undefined;
}

/** Request of a page. A guard sets the viewer; the page interceptor sets the view context. */
export interface PageRequest extends Request {
  viewer?: Viewer | undefined;
  viewContext?: ViewContext;
}

/** Creates the view context of a request. */
export function createViewContext(request: PageRequest, { basePath, CONTACT: contact }: Settings): ViewContext {
  const language = negotiateLanguage(request);
  return { language, messages: MESSAGES_BY_LANGUAGE[language], basePath, contact, viewer: request.viewer };
}
