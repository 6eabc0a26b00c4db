import type { VNode } from 'preact';
import { formatDuration } from '../../platform/views/date-time.js';
import { ErrorAlert, FormField, type FormState } from '../../platform/views/form-field.js';
import { interpolate } from '../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { ReturnTarget } from './return-target.js';
import type { SignInResult } from './sign-in.service.js';

interface SignInProps {
  returnTarget: ReturnTarget;
  form: FormState;
  failure?: Exclude<SignInResult, { outcome: 'signed in' }>;
}

/** The form for signing in. */
export function renderSignInPage(ui: ViewContext, { returnTarget, form, failure }: SignInProps): View {
  const { signIn } = ui.messages;
  const { query, formRedirectUri } = returnTarget;
  return {
    title: signIn.title,
    status: failure ? HTTP_STATUS_BY_OUTCOME[failure.outcome] : 200,
    headers: failure?.outcome === 'wait' ? { 'Retry-After': String(failure.retryAfterSeconds) } : {},
    formRedirectUri,
    body: (
      <>
        {failure && <SignInFailureAlert ui={ui} refusal={failure} />}
        {!failure && ui.viewer && <AlreadySignedIn ui={ui} way={returnTarget} />}
        <form method="post" action={`${ui.basePath}/sign-in${query}`} class="card">
          <FormField name="username" label={signIn.username} form={form} input={USERNAME_INPUT} />
          <FormField name="password" label={signIn.password} form={form} input={PASSWORD_INPUT} />
          <div class="actions">
            <button type="submit">{signIn.button}</button>
          </div>
        </form>
        <p>
          {signIn.newHere} <a href={`${ui.basePath}/sign-up${query}`}>{signIn.createAccount}</a>
        </p>
      </>
    ),
  };
}

const HTTP_STATUS_BY_OUTCOME = { wrong: 422, wait: 429, blocked: 403 };

const USERNAME_INPUT = { autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true } as const;
const PASSWORD_INPUT = { type: 'password', autocomplete: 'current-password', required: true } as const;

function SignInFailureAlert({ ui, refusal }: { ui: ViewContext; refusal: NonNullable<SignInProps['failure']> }): VNode {
  const { language, messages } = ui;
  const { signIn } = messages;
  if (refusal.outcome === 'wrong') return <ErrorAlert>{signIn.invalidCredentials}</ErrorAlert>;
  if (refusal.outcome === 'wait') {
    return (
      <ErrorAlert>
        {interpolate(signIn.tooManyAttempts, { time: formatDuration(refusal.retryAfterSeconds, 'second', language) })}
      </ErrorAlert>
    );
  }
  return <ErrorAlert>{`${interpolate(signIn.blocked, { reason: refusal.reason })} ${signIn.blockedHelp}`}</ErrorAlert>;
}

/** Whoever is signed in may go on as they are, unless the app asks that they prove who they are. */
function AlreadySignedIn({
  ui: { messages, viewer },
  way: { requiresReauthentication, returnTo },
}: {
  ui: ViewContext;
  way: ReturnTarget;
}): VNode {
  const { name } = viewer!;
  if (requiresReauthentication) return <p class="card">{messages.signIn.reauthenticate}</p>;
  return (
    <p class="card">
      {interpolate(messages.signIn.signedIn, { name })}{' '}
      <a href={returnTo}>{interpolate(messages.signIn.continueAs, { name })}</a>
    </p>
  );
}
