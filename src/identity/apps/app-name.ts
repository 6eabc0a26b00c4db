import type { FieldError } from '../../platform/i18n/invalid-fields-error.js';
import { MESSAGES_BY_LANGUAGE } from '../../platform/i18n/language.js';
import { isName } from '../../platform/validation/text.decorator.js';
import { computeNameSkeleton } from './name-skeleton.js';

/** A script, or scripts that one language writes together, as in UTS #39 §5.1. */
const SCRIPTS = [
  ...['Arab', 'Armn', 'Beng', 'Cyrl', 'Deva', 'Ethi', 'Geor', 'Grek', 'Gujr', 'Guru', 'Hebr', 'Khmr', 'Knda', 'Laoo'],
  ...['Latn', 'Mlym', 'Mymr', 'Orya', 'Sinh', 'Taml', 'Telu', 'Thaa', 'Thai', 'Tibt'],
  // The limited-use scripts of UAX #31 table 7.
  ...['Adlm', 'Bali', 'Bamu', 'Batk', 'Cakm', 'Cans', 'Cham', 'Cher', 'Hmnp', 'Java', 'Kali', 'Lana', 'Lepc', 'Limb'],
  ...['Lisu', 'Mand', 'Mtei', 'Newa', 'Nkoo', 'Olck', 'Osge', 'Plrd', 'Rohg', 'Saur', 'Sund', 'Sylo', 'Syrc', 'Tale'],
  ...['Talu', 'Tavt', 'Tfng', 'Vaii', 'Wcho', 'Yiii'],
  'Hani Hira Kana',
  'Hani Hang',
  'Hani Bopo',
];

/** Matches a name of one script. Digits, punctuation, symbols and common marks fit each script. */
const ONE_SCRIPT = SCRIPTS.map((scripts) => {
  const classes = ['Zyyy', 'Zinh', ...scripts.split(' ')].map((script) => String.raw`\p{scx=${script}}`);
  return new RegExp(`^[${classes.join('')}]*$`, 'u');
});

/** Characters that a reader does not see. Emoji and some scripts need the joiners and selectors. */
const HIDDEN = /(?!\p{Join_Control}|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** More marks on one letter than a language has. They cover the lines around the name. */
const STACKED_MARKS = /[\p{Mn}\p{Me}]{4}/u;

/** The skeletons of the service's own names. */
const SERVICE_NAME_SKELETONS = Object.values(MESSAGES_BY_LANGUAGE).map(({ site }) => computeNameSkeleton(site));

/**
 * Returns the rule that the name of an app breaks, or undefined. A name has visible characters of
 * one script (UTS #39 §5.2) and does not contain the service's name.
 */
export function findBrokenAppNameRule(name: string): FieldError['code'] | undefined {
  if (!isName(name) || HIDDEN.test(name) || STACKED_MARKS.test(name.normalize('NFD'))) return 'nameInvalid';
  if (!ONE_SCRIPT.some((pattern) => pattern.test(name))) return 'nameScripts';
  const skeleton = computeNameSkeleton(name);
  return SERVICE_NAME_SKELETONS.some((service) => skeleton.includes(service)) ? 'nameReserved' : undefined;
}
