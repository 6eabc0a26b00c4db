import { isDescription, isHttpsAddress, isName } from '../http/text.js';
import { isScope, type Scope } from '../scopes/catalogue.js';
import { type Problem, Problems } from '../words/problems.js';
import type { App } from './app.entity.js';
import { redirectUriProblem } from './redirect-uri.js';

/** What whoever registers an app says of it. */
export type AppSettings = Pick<
  App,
  | 'name'
  | 'description'
  | 'homePage'
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'scopes'
  | 'requiredScopes'
  | 'idTokenAlg'
>;

/** The same as it was given, with names of scopes that may be none. */
export type GivenSettings = Pick<App, 'name' | 'redirectUris'> &
  Partial<Pick<App, 'description' | 'homePage' | 'postLogoutRedirectUris' | 'idTokenAlg'>> & {
    scopes: string[];
    requiredScopes?: string[] | undefined;
  };

const MOST_ADDRESSES = 20;
const LONGEST_ADDRESS = 500;

/** @throws Problems that name all that is not well-formed */
export function settingsOf(given: GivenSettings): AppSettings {
  const { description = null, homePage = null, postLogoutRedirectUris = [], requiredScopes = [] } = given;
  const settings = { ...given, description, homePage, postLogoutRedirectUris, requiredScopes };
  const problems = problemsOf(settings);
  if (problems.length > 0) throw new Problems(problems);
  return {
    name: given.name.trim(),
    description: description?.trim() || null,
    homePage: homePage || null,
    redirectUris: [...new Set(given.redirectUris)],
    postLogoutRedirectUris: [...new Set(postLogoutRedirectUris)],
    scopes: [...new Set(given.scopes)] as Scope[],
    requiredScopes: [...new Set(requiredScopes)] as Scope[],
    idTokenAlg: given.idTokenAlg ?? 'RS256',
  };
}

type Complete = Required<Omit<GivenSettings, 'idTokenAlg' | 'requiredScopes'>> & { requiredScopes: string[] };

function problemsOf(given: Complete): Problem[] {
  const { name, description, homePage, redirectUris, postLogoutRedirectUris, scopes, requiredScopes } = given;
  const problems: Problem[] = [];
  if (!isName(name)) problems.push({ field: 'name', code: 'nameInvalid' });
  if (description && !isDescription(description, 500)) {
    problems.push({ field: 'description', code: 'descriptionInvalid' });
  }
  if (homePage && !isHttpsAddress(homePage)) problems.push({ field: 'homePage', code: 'homePageInvalid' });
  if (redirectUris.length === 0) problems.push({ field: 'redirectUris', code: 'redirectUriMissing' });
  problems.push(...addressProblems('redirectUris', redirectUris));
  problems.push(...addressProblems('postLogoutRedirectUris', postLogoutRedirectUris));
  if (scopes.length === 0) problems.push({ field: 'scopes', code: 'scopeMissing' });
  for (const value of [...scopes, ...requiredScopes]) {
    if (!isScope(value)) problems.push({ field: 'scopes', code: 'scopeUnknown', value });
    else if (!scopes.includes(value)) problems.push({ field: 'scopes', code: 'requiredNotAsked', value });
  }
  return problems;
}

function addressProblems(field: string, addresses: string[]): Problem[] {
  if (addresses.length > MOST_ADDRESSES || addresses.some(({ length }) => length > LONGEST_ADDRESS)) {
    return [{ field, code: 'redirectUriMany' }];
  }
  return addresses.flatMap((value) => {
    const code = redirectUriProblem(value);
    return code ? [{ field, code, value }] : [];
  });
}
