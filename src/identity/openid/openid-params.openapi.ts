import { MESSAGES_BY_LANGUAGE } from '../../platform/i18n/language.js';
import { optionalParam } from '../../platform/openapi/parameters.js';

/** The ID token in examples. */
export const EXAMPLE_ID_TOKEN = 'eyJhbGciOiJSUzI1NiIs…';

/** The parameter `state` of the authorization and logout endpoints. */
export const STATE_PARAM = optionalParam(
  'Opaque value of the app. The redirect to the app returns it unchanged.',
  'c0e1f9d2',
);

/** The parameter `ui_locales` of the authorization and logout endpoints. */
export const UI_LOCALES_PARAM = optionalParam(
  `Preferred languages of the pages, separated by spaces: ${Object.keys(MESSAGES_BY_LANGUAGE).join(', ')}.`,
  'fr',
);
