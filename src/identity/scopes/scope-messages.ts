import type { Language } from '../../platform/i18n/language.js';
import { type Scope, SCOPES } from './scopes.js';

/** The meaning of each scope in each language, as the pages show it. */
const SCOPE_MESSAGES: Record<Language, Record<Scope, string>> = {
  en: SCOPES,
  es: {
    openid: 'el servicio conoce la identidad de la persona',
    profile: 'se pueden ver el nombre, el nombre de usuario y la imagen de perfil',
    email: 'se puede ver la dirección de correo electrónico',
    'edits:read': 'se pueden ver los cambios sugeridos por la persona',
    'edits:write': 'se pueden sugerir cambios en obras y artistas en nombre de la persona',
    'edits:review': 'se pueden aceptar, rechazar y deshacer cambios ajenos, si la persona tiene permiso para hacerlo',
    'collections:read': 'se pueden ver las colecciones de la persona, también las privadas',
    'collections:write': 'se pueden crear, modificar y eliminar colecciones, y añadirles obras',
    'markers:read': 'se pueden buscar y consultar obras y otros lugares del mapa',
    'artists:read': 'se pueden buscar y consultar artistas y sus obras',
  },
  fr: {
    openid: 'l’identité de la personne est connue du service',
    profile: 'le nom, le nom d’utilisateur et l’image de profil peuvent être vus',
    email: 'l’adresse e-mail peut être vue',
    'edits:read': 'les modifications suggérées par la personne peuvent être vues',
    'edits:write': 'des modifications d’œuvres et d’artistes peuvent être suggérées au nom de la personne',
    'edits:review':
      'les modifications faites par d’autres peuvent être acceptées, refusées et annulées, si la personne en a le droit',
    'collections:read': 'les collections de la personne peuvent être vues, y compris les collections privées',
    'collections:write': 'des collections peuvent être créées, modifiées et supprimées, et des œuvres y être ajoutées',
    'markers:read': 'les œuvres et autres lieux de la carte peuvent être recherchés et consultés',
    'artists:read': 'les artistes et leurs œuvres peuvent être recherchés et consultés',
  },
  de: {
    openid: 'die Identität der Person ist dem Dienst bekannt',
    profile: 'Name, Benutzername und Profilbild können eingesehen werden',
    email: 'die E-Mail-Adresse kann eingesehen werden',
    'edits:read': 'die von der Person vorgeschlagenen Änderungen können eingesehen werden',
    'edits:write': 'Änderungen zu Kunstwerken und Kunstschaffenden können im Namen der Person vorgeschlagen werden',
    'edits:review':
      'Änderungen anderer können angenommen, abgelehnt und rückgängig gemacht werden, sofern die Person das darf',
    'collections:read': 'die Sammlungen der Person können eingesehen werden, auch private',
    'collections:write':
      'Sammlungen können angelegt, geändert und gelöscht werden, und Kunstwerke können hinzugefügt werden',
    'markers:read': 'Kunstwerke und andere Orte auf der Karte können gesucht und abgerufen werden',
    'artists:read': 'Kunstschaffende und ihre Kunstwerke können gesucht und abgerufen werden',
  },
  pt: {
    openid: 'a identidade da pessoa é conhecida pelo serviço',
    profile: 'é possível ver o nome, o nome de usuário e a imagem de perfil',
    email: 'é possível ver o endereço de e-mail',
    'edits:read': 'é possível ver as alterações sugeridas pela pessoa',
    'edits:write': 'é possível sugerir alterações em obras e artistas em nome da pessoa',
    'edits:review': 'é possível aceitar, rejeitar e desfazer alterações de terceiros, se a pessoa tiver permissão',
    'collections:read': 'é possível ver as coleções da pessoa, incluindo as privadas',
    'collections:write': 'é possível criar, alterar e apagar coleções, e adicionar obras a elas',
    'markers:read': 'é possível pesquisar e consultar obras e outros lugares do mapa',
    'artists:read': 'é possível pesquisar e consultar artistas e as suas obras',
  },
};

/** Returns the meaning of a scope in a language. */
export function describeScope(scope: Scope, language: Language): string {
  return SCOPE_MESSAGES[language][scope];
}
