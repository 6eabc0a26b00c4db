import type { VNode } from 'preact';
import { Redirect } from '../../platform/http/redirect.js';
import { interpolate } from '../../platform/i18n/interpolate.js';
import type { Language } from '../../platform/i18n/language.js';
import { ContactLine } from '../../platform/views/contact-line.js';
import { formatDuration } from '../../platform/views/date-time.js';
import { ErrorAlert, FormField } from '../../platform/views/form-field.js';
import { EMPTY_FORM_STATE } from '../../platform/views/form-state.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { ReturnTarget } from './return-target.js';
import type { SignInResult } from './sign-in.service.js';

interface SignInPageProps {
  /** Value of the username field. */
  login: string;
  returnTarget: ReturnTarget;
  failure?: SignInFailure;
}

type SignInFailure = Exclude<SignInResult, { outcome: 'signedIn' }>;

const STATUS_BY_OUTCOME = { invalidCredentials: 422, throttled: 429, tooBusy: 503, blocked: 403 };

/** Seconds from which a time to wait is shown in minutes. */
const MIN_SECONDS_IN_MINUTES = 120;

const USERNAME_INPUT = { autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true } as const;
const PASSWORD_INPUT = { type: 'password', autocomplete: 'current-password', required: true } as const;

/**
 * Returns a redirect to the return target after success, otherwise the sign-in page with the
 * failure.
 */
export function toSignInResponse(
  viewContext: ViewContext,
  { login, returnTarget, result }: { login: string; returnTarget: ReturnTarget; result: SignInResult },
): View | Redirect {
  if (result.outcome === 'signedIn') return new Redirect(returnTarget.returnTo, result.cookies);
  return renderSignInPage(viewContext, { login, returnTarget, failure: result });
}

/** Renders the sign-in form. */
export function renderSignInPage(viewContext: ViewContext, { login, returnTarget, failure }: SignInPageProps): View {
  const { messages, basePath, viewer } = viewContext;
  const { signIn } = messages;
  const { query, formRedirectUri } = returnTarget;
  const form = { ...EMPTY_FORM_STATE, values: { username: login } };
  return {
    title: signIn.title,
    status: failure ? STATUS_BY_OUTCOME[failure.outcome] : 200,
    headers: failure && 'retryAfterSeconds' in failure ? { 'Retry-After': String(failure.retryAfterSeconds) } : {},
    formRedirectUri,
    body: (
      <>
        {failure && <ErrorAlert>{formatFailure(viewContext, failure)}</ErrorAlert>}
        {failure?.outcome === 'blocked' && <ContactLine viewContext={viewContext} />}
        {!failure && viewer && <SignedInNotice viewContext={viewContext} returnTarget={returnTarget} />}
        <form method="post" action={`${basePath}/sign-in${query}`} class="card">
          <FormField name="username" label={signIn.username} form={form} input={USERNAME_INPUT} />
          <FormField name="password" label={signIn.password} form={form} input={PASSWORD_INPUT} />
          <div class="actions">
            <button type="submit">{signIn.button}</button>
          </div>
        </form>
        <p>
          {signIn.newHere} <a href={`${basePath}/sign-up${query}`}>{signIn.createAccount}</a>
        </p>
      </>
    ),
  };
}

function formatFailure({ messages: { signIn, errors }, language }: ViewContext, failure: SignInFailure): string {
  if (failure.outcome === 'tooBusy') return errors.tooBusy;
  if (failure.outcome === 'invalidCredentials') return signIn.invalidCredentials;
  if (failure.outcome === 'blocked') {
    return `${interpolate(signIn.blocked, { reason: failure.reason })} ${signIn.blockedHelp}`;
  }
  return interpolate(signIn.tooManyAttempts, { time: formatWait(failure.retryAfterSeconds, language) });
}

function formatWait(seconds: number, language: Language): string {
  if (seconds < MIN_SECONDS_IN_MINUTES) return formatDuration(seconds, 'second', language);
  return formatDuration(Math.ceil(seconds / 60), 'minute', language);
}

interface SignedInNoticeProps {
  viewContext: ViewContext;
  returnTarget: ReturnTarget;
}

/**
 * Offers to continue with the current session, unless the app requires the person to sign in again.
 */
function SignedInNotice({ viewContext, returnTarget }: SignedInNoticeProps): VNode {
  const { messages, viewer } = viewContext;
  const { requiresReauthentication, returnTo } = returnTarget;
  const { name } = viewer!;
  if (requiresReauthentication) return <p class="card">{messages.signIn.reauthenticate}</p>;
  return (
    <p class="card">
      {interpolate(messages.signIn.signedIn, { name })}{' '}
      <a href={returnTo}>{interpolate(messages.signIn.continueAs, { name })}</a>
    </p>
  );
}
