import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import { AccountsService } from './accounts.service.js';
import type { Session } from './session.entity.js';
import { SignInService } from './sign-in.service.js';

/** The shortest password that a person may choose (NIST SP 800-63B §5.1.1). */
const SHORTEST_PASSWORD = 8;

/** Making an account of one's own, and being signed in with it. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly signIn: SignInService,
  ) {}

  /** @throws Problems */
  async signUp(form: URLSearchParams, previous: Session | null): Promise<SetCookie[]> {
    const [username, name, email, password] = ['username', 'name', 'email', 'password'].map(
      (field) => form.get(field) ?? '',
    ) as [string, string, string, string];
    const given = { username: username.trim(), name, email: email.trim(), password };
    const isShort = [...password].length < SHORTEST_PASSWORD;
    const account = await this.accounts.create(given, isShort ? [{ field: 'password', code: 'passwordShort' }] : []);
    return this.signIn.cookiesFor(account, previous);
  }
}
