import { Alert, Field, type FormState } from '../views/field.js';
import type { Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import type { Way } from './return-address.js';

/** The form for a new account. */
export function signUpPage({ messages, base }: Ui, { query, leadsTo }: Way, form: FormState): View {
  const { signUp, signIn, problems } = messages;
  const isRefused = Object.keys(form.problems).length > 0;
  return {
    title: signUp.title,
    status: isRefused ? 422 : 200,
    leadsTo,
    body: (
      <>
        {isRefused && <Alert>{problems.title}</Alert>}
        <form method="post" action={`${base}/sign-up${query}`} class="card" novalidate>
          <Field name="username" label={signUp.username} hint={signUp.usernameHint} form={form} input={USERNAME} />
          <Field name="name" label={signUp.name} form={form} input={{ autocomplete: 'name' }} />
          <Field name="email" label={signUp.email} form={form} input={{ type: 'email', autocomplete: 'email' }} />
          <Field name="password" label={signUp.password} hint={signUp.passwordHint} form={form} input={PASSWORD} />
          <div class="actions">
            <button type="submit">{signUp.button}</button>
          </div>
        </form>
        <p>
          {signUp.haveOne} <a href={`${base}/sign-in${query}`}>{signIn.button}</a>
        </p>
      </>
    ),
  };
}

const USERNAME = { autocomplete: 'username', autocapitalize: 'none', spellcheck: false } as const;
const PASSWORD = { type: 'password', autocomplete: 'new-password' } as const;
