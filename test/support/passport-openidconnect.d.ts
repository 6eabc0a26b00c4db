/** The part of passport-openidconnect that the tests use. The package has no types. */
declare module 'passport-openidconnect' {
  import type { Strategy } from 'passport';

  interface StrategyOptions {
    issuer: string;
    authorizationURL: string;
    tokenURL: string;
    userInfoURL: string;
    clientID: string;
    clientSecret: string;
    callbackURL: string;
    scope: string[];
  }

  export default class OpenIdConnectStrategy implements Strategy {
    constructor(
      options: StrategyOptions,
      verify: (issuer: string, profile: object, done: (error: unknown, user?: object) => void) => void,
    );
    name: string;
    authenticate: Strategy['authenticate'];
  }
}
