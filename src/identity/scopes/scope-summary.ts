import type { Language } from '../../platform/i18n/language.js';
import type { Scope } from './scopes.js';

/** A kind of action that one or more scopes allow. */
type Action =
  | 'knowIdentity'
  | 'seeEmail'
  | 'readMap'
  | 'seeEdits'
  | 'seeCollections'
  | 'suggestEdits'
  | 'reviewEdits'
  | 'changeCollections';

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

/** Infinitives that follow the verb of the sentence `consent.summary`. */
const ACTION_MESSAGES: Record<Language, Record<Action, string>> = {
  en: {
    knowIdentity: 'know who you are',
    seeEmail: 'see your e-mail address',
    readMap: 'see the map',
    seeEdits: 'see your suggestions',
    seeCollections: 'see your collections',
    suggestEdits: 'suggest changes in your name',
    reviewEdits: 'decide on other people’s suggestions',
    changeCollections: 'change your collections',
  },
  es: {
    knowIdentity: 'saber quién eres',
    seeEmail: 'ver tu correo electrónico',
    readMap: 'consultar el mapa',
    seeEdits: 'ver tus propuestas',
    seeCollections: 'ver tus colecciones',
    suggestEdits: 'sugerir cambios en tu nombre',
    reviewEdits: 'decidir sobre las propuestas de otras personas',
    changeCollections: 'cambiar tus colecciones',
  },
  fr: {
    knowIdentity: 'savoir qui vous êtes',
    seeEmail: 'voir votre adresse e-mail',
    readMap: 'consulter la carte',
    seeEdits: 'voir vos propositions',
    seeCollections: 'voir vos collections',
    suggestEdits: 'suggérer des modifications en votre nom',
    reviewEdits: 'se prononcer sur les propositions d’autres personnes',
    changeCollections: 'modifier vos collections',
  },
  de: {
    knowIdentity: 'deine Identität erfahren',
    seeEmail: 'deine E-Mail-Adresse sehen',
    readMap: 'die Karte ansehen',
    seeEdits: 'deine Vorschläge sehen',
    seeCollections: 'deine Sammlungen sehen',
    suggestEdits: 'in deinem Namen Änderungen vorschlagen',
    reviewEdits: 'über Vorschläge anderer entscheiden',
    changeCollections: 'deine Sammlungen ändern',
  },
  pt: {
    knowIdentity: 'saber quem você é',
    seeEmail: 'ver seu e-mail',
    readMap: 'consultar o mapa',
    seeEdits: 'ver suas sugestões',
    seeCollections: 'ver suas coleções',
    suggestEdits: 'sugerir alterações em seu nome',
    reviewEdits: 'decidir sobre as sugestões de outras pessoas',
    changeCollections: 'alterar suas coleções',
  },
};

/** Returns the actions that the scopes allow as one list: `know who you are and see the map`. */
export function summarizeScopes(scopes: Scope[], language: Language): string {
  const actions = new Set(scopes.map((scope) => ACTION_BY_SCOPE[scope]));
  const phrases = [...actions].map((action) => ACTION_MESSAGES[language][action]);
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(phrases);
}
