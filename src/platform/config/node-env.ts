import { isDatabaseUrl, isSqlite } from './database-url.js';

/**
 * Returns the rule that `NODE_ENV` breaks. A service that others use must name its environment, so
 * that a wrong or missing name never loads demo data into it.
 * @param env `NODE_ENV` and `BASE_URL` of the environment; an empty value is an unset one
 * @param databaseUrl the address of the database, valid or not
 * @returns undefined if `NODE_ENV` is valid
 */
export function findNodeEnvProblem({ NODE_ENV, BASE_URL }: NodeJS.ProcessEnv, databaseUrl: string): string | undefined {
  if (NODE_ENV) {
    const isKnown = ['development', 'test', 'production'].includes(NODE_ENV);
    return isKnown ? undefined : 'NODE_ENV must be development, test or production.';
  }
  const reasons = [
    ...(BASE_URL?.startsWith('https:') ? ['an https BASE_URL'] : []),
    ...(isDatabaseUrl(databaseUrl) && !isSqlite(databaseUrl) ? ['a PostgreSQL address'] : []),
  ];
  if (reasons.length === 0) return undefined;
  return `NODE_ENV must be set with ${reasons.join(' and ')}. Set it to production, or to development for demo data.`;
}
