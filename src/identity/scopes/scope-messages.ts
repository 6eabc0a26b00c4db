import type { Language } from '../../platform/i18n/language.js';
import { type Scope, SCOPES } from './scopes.js';

/** The meaning of each scope in each language, as the pages show it. */
const SCOPE_MESSAGES: Record<Language, Record<Scope, string>> = {
  en: SCOPES,
  es: {
    openid: 'el servicio conoce la identidad de la persona',
    profile: 'se pueden ver el nombre, el nombre de usuario y la foto de perfil',
    email: 'se puede ver la dirección de correo electrónico',
    'edits:read': 'se pueden ver los cambios sugeridos por la persona',
    'edits:write': 'se pueden sugerir cambios en obras y artistas en nombre de la persona',
    'edits:review':
      'se pueden aceptar, rechazar y deshacer cambios de otras personas, si la persona tiene permiso para hacerlo',
    'collections:read': 'se pueden ver las colecciones de la persona, incluidas las privadas',
    'collections:write': 'se pueden crear, cambiar y eliminar colecciones, y añadirles obras',
    'markers:read': 'se pueden buscar y consultar obras y otros lugares del mapa',
    'artists:read': 'se pueden buscar y consultar artistas y sus obras',
  },
  fr: {
    openid: 'l’identité de la personne est connue du service',
    profile: 'le nom, le nom d’utilisateur et la photo de profil peuvent être consultés',
    email: 'l’adresse e-mail peut être consultée',
    'edits:read': 'les modifications suggérées par la personne peuvent être consultées',
    'edits:write': 'des modifications d’œuvres et d’artistes peuvent être suggérées au nom de la personne',
    'edits:review':
      'les modifications d’autres personnes peuvent être acceptées, refusées et annulées, si la personne en a le droit',
    'collections:read': 'les collections de la personne peuvent être consultées, y compris les collections privées',
    'collections:write':
      'des collections peuvent être créées, modifiées et supprimées, et des œuvres peuvent y être ajoutées',
    'markers:read': 'les œuvres et les autres lieux de la carte peuvent être recherchés et consultés',
    'artists:read': 'les artistes et leurs œuvres peuvent être recherchés et consultés',
  },
  de: {
    openid: 'die Identität der Person ist dem Dienst bekannt',
    profile: 'Name, Benutzername und Profilbild können eingesehen werden',
    email: 'die E-Mail-Adresse kann eingesehen werden',
    'edits:read': 'die von der Person vorgeschlagenen Änderungen können eingesehen werden',
    'edits:write': 'Änderungen zu Kunstwerken und Kunstschaffenden können im Namen der Person vorgeschlagen werden',
    'edits:review':
      'Änderungen anderer können angenommen, abgelehnt und rückgängig gemacht werden, sofern die Person das selbst darf',
    'collections:read': 'die Sammlungen der Person können eingesehen werden, auch private',
    'collections:write': 'Sammlungen können angelegt, geändert und gelöscht und Kunstwerke hinzugefügt werden',
    'markers:read': 'Kunstwerke und andere Orte auf der Karte können gesucht und abgerufen werden',
    'artists:read': 'Kunstschaffende und ihre Kunstwerke können gesucht und abgerufen werden',
  },
  pt: {
    openid: 'a identidade da pessoa é conhecida pelo serviço',
    profile: 'é possível ver o nome, o nome de usuário e a foto de perfil',
    email: 'é possível ver o endereço de e-mail',
    'edits:read': 'é possível ver as alterações sugeridas pela pessoa',
    'edits:write': 'é possível sugerir alterações em obras e artistas em nome da pessoa',
    'edits:review': 'é possível aceitar, rejeitar e desfazer alterações de outras pessoas, se a pessoa tiver permissão',
    'collections:read': 'é possível ver as coleções da pessoa, inclusive as privadas',
    'collections:write': 'é possível criar, alterar e apagar coleções e adicionar obras a elas',
    'markers:read': 'é possível pesquisar e consultar obras e outros lugares do mapa',
    'artists:read': 'é possível pesquisar e consultar artistas e suas obras',
  },
};

/** The hint of each scope in each language: the meaning in the second person. */
const SCOPE_HINTS: Record<Language, Record<Scope, string>> = {
  en: {
    openid: 'It can tell which account is yours.',
    profile: 'It can see your name, username and profile picture.',
    email: 'It can see your e-mail address.',
    'edits:read': 'It can see the changes that you suggested.',
    'edits:write': 'It can suggest changes to artworks and artists in your name.',
    'edits:review': 'It can accept, reject and undo other people’s changes, if you are allowed to do that yourself.',
    'collections:read': 'It can see your collections, including private ones.',
    'collections:write': 'It can create, change and delete your collections, and add artworks to them.',
    'markers:read': 'It can search and look up artworks and other places on the map.',
    'artists:read': 'It can search and look up artists and their artworks.',
  },
  es: {
    openid: 'La aplicación puede saber cuál es tu cuenta.',
    profile: 'La aplicación puede ver tu nombre, tu nombre de usuario y tu foto de perfil.',
    email: 'La aplicación puede ver tu dirección de correo electrónico.',
    'edits:read': 'La aplicación puede ver los cambios que has sugerido.',
    'edits:write': 'La aplicación puede sugerir en tu nombre cambios en obras y artistas.',
    'edits:review':
      'La aplicación puede aceptar, rechazar y deshacer cambios de otras personas, si tú también tienes permiso para hacerlo.',
    'collections:read': 'La aplicación puede ver tus colecciones, incluidas las privadas.',
    'collections:write': 'La aplicación puede crear, cambiar y eliminar tus colecciones, y añadirles obras.',
    'markers:read': 'La aplicación puede buscar y consultar obras y otros lugares del mapa.',
    'artists:read': 'La aplicación puede buscar y consultar artistas y sus obras.',
  },
  fr: {
    openid: 'L’application peut savoir quel compte est le vôtre.',
    profile: 'L’application peut voir votre nom, votre nom d’utilisateur et votre photo de profil.',
    email: 'L’application peut voir votre adresse e-mail.',
    'edits:read': 'L’application peut voir les modifications que vous avez suggérées.',
    'edits:write': 'L’application peut suggérer en votre nom des modifications d’œuvres et d’artistes.',
    'edits:review':
      'L’application peut accepter, refuser et annuler les modifications d’autres personnes, si vous en avez vous-même le droit.',
    'collections:read': 'L’application peut voir vos collections, y compris les privées.',
    'collections:write': 'L’application peut créer, modifier et supprimer vos collections, et y ajouter des œuvres.',
    'markers:read': 'L’application peut rechercher et consulter les œuvres et les autres lieux de la carte.',
    'artists:read': 'L’application peut rechercher et consulter les artistes et leurs œuvres.',
  },
  de: {
    openid: 'Die App erkennt, welches Konto deins ist.',
    profile: 'Die App kann deinen Namen, deinen Benutzernamen und dein Profilbild sehen.',
    email: 'Die App kann deine E-Mail-Adresse sehen.',
    'edits:read': 'Die App kann die Änderungen sehen, die du vorgeschlagen hast.',
    'edits:write': 'Die App kann in deinem Namen Änderungen zu Kunstwerken und Kunstschaffenden vorschlagen.',
    'edits:review':
      'Die App kann Änderungen anderer annehmen, ablehnen und rückgängig machen, sofern du selbst das darfst.',
    'collections:read': 'Die App kann deine Sammlungen sehen, auch die privaten.',
    'collections:write': 'Die App kann deine Sammlungen anlegen, ändern und löschen und ihnen Kunstwerke hinzufügen.',
    'markers:read': 'Die App kann Kunstwerke und andere Orte auf der Karte suchen und abrufen.',
    'artists:read': 'Die App kann Kunstschaffende und ihre Kunstwerke suchen und abrufen.',
  },
  pt: {
    openid: 'O app pode saber qual conta é a sua.',
    profile: 'O app pode ver seu nome, seu nome de usuário e sua foto de perfil.',
    email: 'O app pode ver seu endereço de e-mail.',
    'edits:read': 'O app pode ver as alterações que você sugeriu.',
    'edits:write': 'O app pode sugerir alterações em obras e artistas em seu nome.',
    'edits:review':
      'O app pode aceitar, rejeitar e desfazer alterações de outras pessoas, se você também tiver permissão para isso.',
    'collections:read': 'O app pode ver suas coleções, inclusive as privadas.',
    'collections:write': 'O app pode criar, alterar e apagar suas coleções e adicionar obras a elas.',
    'markers:read': 'O app pode pesquisar e consultar obras e outros lugares do mapa.',
    'artists:read': 'O app pode pesquisar e consultar artistas e suas obras.',
  },
};

/** Returns the meaning of a scope in a language. */
export function describeScope(scope: Scope, language: Language): string {
  return SCOPE_MESSAGES[language][scope];
}

/** Returns the hint of a scope in a language, in the second person. */
export function getScopeHint(scope: Scope, language: Language): string {
  return SCOPE_HINTS[language][scope];
}
