/** A link that cannot be used. */
export class InvalidLinkError extends Error {
  override readonly name = 'InvalidLinkError';

  /** @param reason `unknown` if no such link was made; `ended` if it was used or has expired */
  constructor(readonly reason: 'unknown' | 'ended') {
    super(`The link is ${reason}.`);
  }
}
