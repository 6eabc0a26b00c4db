import type { VNode } from 'preact';
import { Redirect } from '../../../platform/http/redirect.js';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { Language } from '../../../platform/i18n/language.js';
import { formatDuration } from '../../../platform/views/date-time.js';
import { ErrorAlert, FormField } from '../../../platform/views/form-field.js';
import { EMPTY_FORM_STATE } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { PasskeyRequest } from './passkey-challenges.service.js';
import type { SignInResult } from './sign-in.service.js';
import type { NamedReturnTarget } from '../return-target.pipe.js';

interface SignInPageProps {
  /** Value of the username field. */
  username: string;
  returnTarget: NamedReturnTarget;
  passkeyRequest: PasskeyRequest;
  failure?: SignInFailure;
}

/** Result of a sign-in attempt with a password or a passkey. */
type AnySignInResult = SignInResult | { outcome: 'passkeyRejected' };

/** Seconds from which a time to wait is shown in minutes. */
const MIN_SECONDS_IN_MINUTES = 120;

type SignInFailure = Exclude<AnySignInResult, { outcome: 'signedIn' }>;

const STATUS_BY_OUTCOME = { invalidCredentials: 422, passkeyRejected: 422, throttled: 429, tooBusy: 503 };

/** `webauthn` lets the browser offer passkeys in this field. */
const USERNAME_INPUT = {
  autocomplete: 'username webauthn',
  autocapitalize: 'none',
  spellcheck: false,
  required: true,
} as const;
const PASSWORD_INPUT = { type: 'password', autocomplete: 'current-password', required: true } as const;

/**
 * Returns a redirect to the return target after success, otherwise the sign-in page with the
 * failure.
 */
export function toSignInResponse(
  viewContext: ViewContext,
  { result, ...props }: Omit<SignInPageProps, 'failure'> & { result: AnySignInResult },
): View | Redirect {
  if (result.outcome === 'signedIn') return new Redirect(props.returnTarget.returnTo, result.cookies);
  return renderSignInPage(viewContext, { ...props, failure: result });
}

/** Renders the forms to sign in with a password and with a passkey. */
export function renderSignInPage(
  viewContext: ViewContext,
  { username, returnTarget, passkeyRequest, failure }: SignInPageProps,
): View {
  const { messages, basePath, viewer } = viewContext;
  const { signIn } = messages;
  const { query, formRedirectUri } = returnTarget;
  const form = { ...EMPTY_FORM_STATE, values: { username } };
  const passwordInput = { ...PASSWORD_INPUT, autofocus: failure?.outcome === 'invalidCredentials' };
  return {
    title: signIn.title,
    status: failure ? STATUS_BY_OUTCOME[failure.outcome] : 200,
    headers: failure && 'retryAfterSeconds' in failure ? { 'Retry-After': String(failure.retryAfterSeconds) } : {},
    formRedirectUri,
    script: PASSKEYS_SCRIPT_PATH,
    isEnhanced: true,
    cookies: [passkeyRequest.cookie],
    body: (
      <>
        <AppToContinueTo viewContext={viewContext} appName={returnTarget.appName} />
        {failure && <ErrorAlert>{formatFailure(viewContext, failure)}</ErrorAlert>}
        {!failure && viewer && <SignedInNotice viewContext={viewContext} returnTarget={returnTarget} />}
        <form method="post" action={`${basePath}/sign-in${query}`} class="card">
          <FormField name="username" label={signIn.username} form={form} input={USERNAME_INPUT} />
          <FormField name="password" label={signIn.password} form={form} input={passwordInput} />
          <div class="actions">
            <button type="submit">{signIn.button}</button>
            <a href={buildForgotPasswordPath(basePath, username)}>{messages.recovery.forgotPassword}</a>
          </div>
        </form>
        <PasskeySignInForm
          viewContext={viewContext}
          query={query}
          optionsJson={passkeyRequest.optionsJson}
          isRejected={failure?.outcome === 'passkeyRejected'}
        />
        <p>
          {signIn.newHere} <a href={`${basePath}/sign-up${query}`}>{signIn.createAccount}</a>
        </p>
      </>
    ),
  };
}

/** Returns the path of the form that sends a link, filled with the username that was entered. */
function buildForgotPasswordPath(basePath: string, username: string): string {
  const query = username === '' ? '' : `?${new URLSearchParams({ login_hint: username })}`;
  return `${basePath}/forgot-password${query}`;
}

function formatFailure(
  { messages: { signIn, passkeys, errors }, language }: ViewContext,
  failure: SignInFailure,
): string {
  if (failure.outcome === 'tooBusy') return errors.tooBusy;
  if (failure.outcome === 'invalidCredentials') return signIn.invalidCredentials;
  if (failure.outcome === 'passkeyRejected') return passkeys.signInRejected;
  return interpolate(signIn.tooManyAttempts, { time: formatWait(failure.retryAfterSeconds, language) });
}

function formatWait(seconds: number, language: Language): string {
  if (seconds < MIN_SECONDS_IN_MINUTES) return formatDuration(seconds, 'second', language);
  return formatDuration(Math.ceil(seconds / 60), 'minute', language);
}

interface SignedInNoticeProps {
  viewContext: ViewContext;
  returnTarget: NamedReturnTarget;
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

interface AppToContinueToProps {
  viewContext: ViewContext;
  appName: string | undefined;
}

/** Names the app for which the person signs in or up; nothing without one. */
export function AppToContinueTo({ viewContext: { messages }, appName }: AppToContinueToProps): VNode | null {
  if (appName === undefined) return null;
  return <p class="lead">{interpolateNodes(messages.signIn.continueTo, { app: <strong>{appName}</strong> })}</p>;
}

/** Path of the script of the sign-in page and the passkeys page, below `BASE_URL`. */
export const PASSKEYS_SCRIPT_PATH = '/assets/passkeys.js';

interface PasskeySignInFormProps {
  viewContext: ViewContext;
  /** Query of the sign-in page, with its `?`. */
  query: string;
  /** `PublicKeyCredentialRequestOptionsJSON`, which the script passes to the browser. */
  optionsJson: string;
  /** Whether the response of a passkey was just rejected. */
  isRejected: boolean;
}

/**
 * The form to sign in with a passkey. The script shows it if the browser supports passkeys, and
 * fills its hidden field.
 */
export function PasskeySignInForm({ viewContext, query, optionsJson, isRejected }: PasskeySignInFormProps): VNode {
  const { basePath, messages } = viewContext;
  return (
    <form
      method="post"
      action={`${basePath}/sign-in/passkey${query}`}
      class="passkey-sign-in"
      hidden
      data-passkey-request={optionsJson}
      data-passkey-rejected={isRejected ? '' : undefined}
      data-passkey-page={`${basePath}/sign-in${query}`}
    >
      <p class="alert" role="alert" hidden data-passkey-canceled>
        {messages.passkeys.signInCanceled}
      </p>
      <input type="hidden" name="credential" value="" />
      <p class="or">{messages.signIn.or}</p>
      <button type="submit" class="quiet">
        {messages.passkeys.signIn}
      </button>
    </form>
  );
}
