import type { SetCookie } from 'cookie';

/** Where a person is sent on to: what a page's handler returns, or what stands before a page throws. */
export class Redirect extends Error {
  /** @param location an address, or a path of our own */
  constructor(
    readonly location: string,
    readonly cookies: SetCookie[] = [],
  ) {
    super('See another page.');
  }
}
