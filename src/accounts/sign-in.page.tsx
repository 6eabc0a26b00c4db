import type { VNode } from 'preact';
import { Alert, Field, type FormState } from '../views/field.js';
import { fill } from '../views/messages/fill.js';
import type { Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import type { Way } from './return-address.js';
import type { SignInResult } from './sign-in.service.js';

interface SignInProps {
  way: Way;
  form: FormState;
  refusal?: Exclude<SignInResult, { outcome: 'signed in' }>;
}

/** The form for signing in. */
export function signInPage(ui: Ui, { way: { query, returnTo, leadsTo }, form, refusal }: SignInProps): View {
  const { signIn } = ui.messages;
  return {
    title: signIn.title,
    status: refusal ? STATUS[refusal.outcome] : 200,
    headers: refusal?.outcome === 'wait' ? { 'Retry-After': String(refusal.seconds) } : {},
    leadsTo,
    body: (
      <>
        {refusal && <Refusal ui={ui} refusal={refusal} />}
        {!refusal && ui.viewer && <SignedIn ui={ui} returnTo={returnTo} />}
        <form method="post" action={`${ui.base}/sign-in${query}`} class="card">
          <Field name="username" label={signIn.username} form={form} input={USERNAME} />
          <Field name="password" label={signIn.password} form={form} input={PASSWORD} />
          <div class="actions">
            <button type="submit">{signIn.button}</button>
          </div>
        </form>
        <p>
          {signIn.newHere} <a href={`${ui.base}/sign-up${query}`}>{signIn.create}</a>
        </p>
      </>
    ),
  };
}

const STATUS = { wrong: 422, wait: 429, blocked: 403 };

const USERNAME = { autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true } as const;
const PASSWORD = { type: 'password', autocomplete: 'current-password', required: true } as const;

function Refusal({ ui: { messages }, refusal }: { ui: Ui; refusal: NonNullable<SignInProps['refusal']> }): VNode {
  const { signIn } = messages;
  if (refusal.outcome === 'wrong') return <Alert>{signIn.wrong}</Alert>;
  if (refusal.outcome === 'wait') return <Alert>{fill(signIn.wait, { seconds: refusal.seconds })}</Alert>;
  return <Alert>{`${fill(signIn.blocked, { reason: refusal.reason })} ${signIn.blockedHelp}`}</Alert>;
}

function SignedIn({ ui: { messages, viewer }, returnTo }: { ui: Ui; returnTo: string }): VNode {
  const { name } = viewer!;
  return (
    <p class="card">
      {fill(messages.signIn.signedIn, { name })} <a href={returnTo}>{fill(messages.signIn.goOn, { name })}</a>
    </p>
  );
}
