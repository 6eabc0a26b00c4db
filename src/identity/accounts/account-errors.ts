/** No account has the username or e-mail address. */
export class AccountNotFoundError extends Error {
  override readonly name = 'AccountNotFoundError';

  constructor(login: string) {
    super(`There is no account ${login}. The command accounts list shows all accounts.`);
  }
}

/**
 * An account cannot be created or changed with the given values. The message names the option of
 * the command line.
 */
export class InvalidAccountError extends Error {
  override readonly name = 'InvalidAccountError';
}
