import { interpolate } from '../../platform/i18n/interpolate.js';
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

/** Returns what an app can do with a scope, as one sentence for the person, without a full stop. */
export function describeScope(scope: Scope, language: Language, appName: string): string {
  return interpolate(MESSAGES_BY_LANGUAGE[language].scopes.meanings[scope], { app: appName });
}

/**
 * Returns what the scopes let an app see, as nouns, and what they let it change, as verbs in the
 * third person.
 */
export function listActions(scopes: Scope[], language: Language): { text: string; isWrite: boolean }[] {
  const { actions } = MESSAGES_BY_LANGUAGE[language].scopes;
  const isWrite = new Map(scopes.map((scope) => [ACTION_BY_SCOPE[scope], SCOPE_ACCESS[scope] === 'write']));
  return [...isWrite].map(([action, writes]) => ({ text: actions[action], isWrite: writes }));
}
