import { type Language, type Messages, MESSAGES_BY_LANGUAGE } from '../../platform/i18n/language.js';
import { type Scope, SCOPE_ACCESS } from './scopes.js';

/** A kind of action that one or more scopes allow. */
type Action = keyof Messages['scopes']['actions'];

const ACTION_BY_SCOPE: Record<Scope, Action> = {
  openid: 'knowIdentity',
  profile: 'knowIdentity',
  email: 'seeEmail',
  'markers:read': 'readMap',
  'artists:read': 'readMap',
  'edits:read': 'seeEdits',
  'collections:read': 'seeCollections',
  'edits:write': 'suggestEdits',
  'edits:review': 'reviewEdits',
  'collections:write': 'changeCollections',
};

/** Returns the meaning of a scope in a language. */
export function describeScope(scope: Scope, language: Language): string {
  return MESSAGES_BY_LANGUAGE[language].scopes.meanings[scope];
}

/** Returns the hint of a scope in a language, in the second person. */
export function getScopeHint(scope: Scope, language: Language): string {
  return MESSAGES_BY_LANGUAGE[language].scopes.hints[scope];
}

/** Returns the actions that the scopes allow as infinitives, and whether each changes something. */
export function listActions(scopes: Scope[], language: Language): { text: string; isWrite: boolean }[] {
  const { actions } = MESSAGES_BY_LANGUAGE[language].scopes;
  const isWrite = new Map(scopes.map((scope) => [ACTION_BY_SCOPE[scope], SCOPE_ACCESS[scope] === 'write']));
  return [...isWrite].map(([action, writes]) => ({ text: actions[action], isWrite: writes }));
}

/**
 * Returns the actions that the scopes allow as one list of infinitives, which follow the verb of
 * the sentence `consent.summary`: `know who you are and see the map`.
 */
export function summarizeScopes(scopes: Scope[], language: Language): string {
  const phrases = listActions(scopes, language).map(({ text }) => text);
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(phrases);
}
