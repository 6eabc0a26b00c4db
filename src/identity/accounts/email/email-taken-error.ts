/** Another account took the e-mail address before the person confirmed it. */
export class EmailTakenError extends Error {
  override readonly name = 'EmailTakenError';
}
