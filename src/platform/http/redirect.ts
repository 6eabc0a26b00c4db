import type { SetCookie } from 'cookie';
import type { Request } from 'express';
import { encodeQuery } from './request-url.js';

/** A redirect with status 303. A page handler returns it; a guard throws it. */
export class Redirect extends Error {
  /** @param location absolute URL, or a path of this service */
  constructor(
    readonly location: string,
    readonly cookies: SetCookie[] = [],
  ) {
    super('See another page.');
  }
}

/**
 * Redirects a form POST to GET on the same path, with the form as the query. A form from another
 * site is sent without the session cookie, which is SameSite=Lax. The redirected GET request
 * includes the cookie.
 * @param form the text of the body
 */
export function redirectFormToQuery({ path }: Request, form: string): Redirect {
  return new Redirect(`${path}?${encodeQuery(form)}`);
}
