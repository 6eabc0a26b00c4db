import type { VNode } from 'preact';
import { ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { AppToContinueTo } from '../sign-in/sign-in.page.js';
import type { NamedReturnTarget } from '../return-target.pipe.js';

/** Renders the form to create an account. */
export function renderSignUpPage(
  viewContext: ViewContext,
  { query, formRedirectUri, appName }: NamedReturnTarget,
  form: FormState,
): View {
  const { messages, basePath } = viewContext;
  const { signUp, signIn, fieldErrors } = messages;
  const isInvalid = Object.keys(form.fieldErrors).length > 0;
  return {
    title: signUp.title,
    status: isInvalid ? 422 : 200,
    isEnhanced: true,
    formRedirectUri,
    body: (
      <>
        <AppToContinueTo viewContext={viewContext} appName={appName} />
        <ErrorSummary title={fieldErrors.title} fieldErrors={form.fieldErrors} />
        <form method="post" action={`${basePath}/sign-up${query}`} class="card" novalidate>
          <FormField
            name="username"
            label={signUp.username}
            hint={signUp.usernameHint}
            form={form}
            input={USERNAME_INPUT}
          />
          <FormField name="name" label={signUp.name} form={form} input={{ autocomplete: 'name' }} />
          <FormField name="email" label={signUp.email} form={form} input={{ type: 'email', autocomplete: 'email' }} />
          <FormField
            name="password"
            label={signUp.password}
            hint={messages.credentials.newPasswordHint}
            form={form}
            input={PASSWORD_INPUT}
          />
          <Agreement viewContext={viewContext} />
          <div class="actions">
            <button type="submit">{signUp.button}</button>
          </div>
        </form>
        <p>
          {signUp.haveAccount} <a href={`${basePath}/sign-in${query}`}>{signIn.button}</a>
        </p>
      </>
    ),
  };
}

/** The license and the terms that a new account accepts; nothing if the operator set none. */
function Agreement({ viewContext: { license, messages } }: { viewContext: ViewContext }): VNode | null {
  const { id, url, termsUrl } = license;
  if (id === undefined && termsUrl === undefined) return null;
  return (
    <p>
      {id !== undefined && (
        <>
          {messages.signUp.license} <a href={url}>{id}</a>.{' '}
        </>
      )}
      {termsUrl !== undefined && (
        <>
          {messages.signUp.terms} <a href={termsUrl}>{messages.footer.terms}</a>.
        </>
      )}
    </p>
  );
}

const USERNAME_INPUT = { autocomplete: 'username', autocapitalize: 'none', spellcheck: false } as const;
const PASSWORD_INPUT = { type: 'password', autocomplete: 'new-password' } as const;
