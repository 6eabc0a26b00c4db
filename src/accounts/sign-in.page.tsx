import type { VNode } from 'preact';
import { lengthOf } from '../views/day.js';
import { Alert, Field, type FormState } from '../views/field.js';
import { fill } from '../words/fill.js';
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
export function signInPage(ui: Ui, { way, form, refusal }: SignInProps): View {
  const { signIn } = ui.messages;
  const { query, leadsTo } = way;
  return {
    title: signIn.title,
    status: refusal ? STATUS[refusal.outcome] : 200,
    headers: refusal?.outcome === 'wait' ? { 'Retry-After': String(refusal.seconds) } : {},
    leadsTo,
    body: (
      <>
        {refusal && <Refusal ui={ui} refusal={refusal} />}
        {!refusal && ui.viewer && <SignedIn ui={ui} way={way} />}
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

function Refusal({ ui, refusal }: { ui: Ui; refusal: NonNullable<SignInProps['refusal']> }): VNode {
  const { language, messages } = ui;
  const { signIn } = messages;
  if (refusal.outcome === 'wrong') return <Alert>{signIn.wrong}</Alert>;
  if (refusal.outcome === 'wait') {
    return <Alert>{fill(signIn.wait, { time: lengthOf(refusal.seconds, 'second', language) })}</Alert>;
  }
  return <Alert>{`${fill(signIn.blocked, { reason: refusal.reason })} ${signIn.blockedHelp}`}</Alert>;
}

/** Whoever is signed in may go on as they are, unless the app asks that they prove who they are. */
function SignedIn({ ui: { messages, viewer }, way: { isAgain, returnTo } }: { ui: Ui; way: Way }): VNode {
  const { name } = viewer!;
  if (isAgain) return <p class="card">{messages.signIn.again}</p>;
  return (
    <p class="card">
      {fill(messages.signIn.signedIn, { name })} <a href={returnTo}>{fill(messages.signIn.goOn, { name })}</a>
    </p>
  );
}
