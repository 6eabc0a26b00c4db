import type { Request } from 'express';
import type { Settings } from '../config/settings.js';
import { type Language, type Messages, MESSAGES_BY_LANGUAGE } from '../i18n/language.js';
import { negotiateLanguage, negotiateLocale } from '../i18n/request-language.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

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
  /** Language tag with a region, which formats dates. */
  locale: string;
  messages: Messages;
  /** `BASE_URL`, which is the issuer. */
  baseUrl: string;
  /** Path of `BASE_URL`, the prefix of every path of this service; empty if there is none. */
  basePath: string;
  /** Path of the shown page, below `basePath`. */
  path: string;
  /** Address of the page, or of the page with the form to which it responds, if that is known. */
  returnTo?: string | undefined;
  /** Address of the people who run the service, if the operator set one: an https or mailto URL. */
  contact?: string | undefined;
  /** https URL of the privacy policy, if the operator set one. */
  privacyPolicy?: string | undefined;
  /** https URL of the page that shows the state of the service, if the operator set one. */
  statusPage?: string | undefined;
  /** License, attribution and terms of the data, as far as the operator set them. */
  license: DataLicense;
  /** Undefined if the request has no session. */
  viewer?: Viewer | undefined;
}

/** The license of the data. */
export interface DataLicense {
  /** Id of the license, and the address of its text. */
  id?: string | undefined;
  url?: string | undefined;
  attribution?: string | undefined;
  termsUrl?: string | undefined;
}

/** Request of a page. A guard sets the viewer; the page interceptor sets the view context. */
export interface PageRequest extends Request {
  viewer?: Viewer | undefined;
  viewContext?: ViewContext;
}

/** Creates the view context of a request. */
export function createViewContext(request: PageRequest, settings: Settings): ViewContext {
  const {
    BASE_URL: baseUrl,
    basePath,
    CONTACT: contact,
    PRIVACY_POLICY: privacyPolicy,
    STATUS_PAGE: statusPage,
    DATA_LICENSE: id,
    ATTRIBUTION: attribution,
    TERMS_URL: termsUrl,
  } = settings;
  const { originalUrl, method, viewer } = request;
  const language = negotiateLanguage(request);
  return {
    language,
    locale: negotiateLocale(request, language),
    messages: MESSAGES_BY_LANGUAGE[language],
    baseUrl,
    basePath,
    path: originalUrl.split('?')[0]!.slice(basePath.length),
    returnTo: method === 'GET' ? originalUrl : findFormPage(request, baseUrl),
    contact,
    privacyPolicy,
    statusPage,
    license: { id, url: settings.licenseUrl, attribution, termsUrl },
    viewer,
  };
}

/** Returns the address of the page of this service from which a form was sent. */
function findFormPage(request: PageRequest, baseUrl: string): string | undefined {
  const referer = request.get('Referer');
  return referer?.startsWith(`${baseUrl}/`) ? referer : undefined;
}

/** Injects the ViewContext of the request into a handler parameter. */
export const CurrentViewContext = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<PageRequest>().viewContext,
);
