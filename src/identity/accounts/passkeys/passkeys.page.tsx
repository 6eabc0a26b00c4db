import type { VNode } from 'preact';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import { RelativeTime } from '../../../platform/views/date-time.js';
import { ErrorAlert, ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { UnconfirmedEmailNotice } from '../email-link.page.js';
import { PASSKEYS_SCRIPT_PATH } from '../sign-in/sign-in.page.js';
import type { Passkey } from './passkey.entity.js';

/** Input of the passkeys page. */
export interface PasskeysPageProps {
  passkeys: Passkey[];
  maxPasskeys: number;
  /** Whether the person must confirm the e-mail address before adding a passkey. */
  isUnconfirmed: boolean;
  form: FormState;
  /** Whether the person must enter the password to add or remove a passkey. */
  asksPassword: boolean;
  /** `PublicKeyCredentialCreationOptionsJSON`, which the script passes to the browser. */
  optionsJson?: string | null;
  /** Whether the response of the device was rejected. */
  isRejected?: boolean;
  /** `added` or `removed` after such a change. */
  done?: string | null;
}

/** Renders the passkeys with the form to add and remove them. It is one form with one password. */
export function renderPasskeysPage(viewContext: ViewContext, props: PasskeysPageProps): View {
  const { basePath, messages } = viewContext;
  const { passkeys, form, optionsJson, isRejected = false, asksPassword, isUnconfirmed } = props;
  const isInvalid = Object.keys(form.fieldErrors).length > 0;
  const path = `${basePath}/account/passkeys`;
  return {
    title: messages.passkeys.title,
    status: isInvalid || isRejected ? 422 : 200,
    script: PASSKEYS_SCRIPT_PATH,
    isEnhanced: true,
    body: (
      <>
        <Notices viewContext={viewContext} {...props} />
        <p class="lead">{messages.passkeys.lead}</p>
        {isUnconfirmed && <UnconfirmedEmailNotice viewContext={viewContext} />}
        <form method="post" action={path} novalidate data-passkey-options={optionsJson ?? ''}>
          {asksPassword && !(isUnconfirmed && passkeys.length === 0) && (
            <section class="card">
              <FormField
                name="password"
                label={messages.passkeys.password}
                hint={messages.passkeys.passwordHint}
                form={form}
                input={PASSWORD_INPUT}
              />
            </section>
          )}
          {!isUnconfirmed && <NewPasskeySection viewContext={viewContext} {...props} />}
          {passkeys.length === 0 && <p>{messages.passkeys.none}</p>}
          {passkeys.map((passkey) => (
            <PasskeyCard key={passkey.id} viewContext={viewContext} passkey={passkey} removePath={`${path}/remove`} />
          ))}
        </form>
      </>
    ),
  };
}

const PASSWORD_INPUT = { type: 'password', autocomplete: 'current-password' } as const;
const NAME_INPUT = { autocomplete: 'off', maxLength: 100 } as const;

type SectionProps = PasskeysPageProps & { viewContext: ViewContext };

function Notices({ viewContext: { messages }, form, isRejected, done }: SectionProps): VNode {
  const { passkeys, fieldErrors } = messages;
  return (
    <>
      <ErrorSummary title={fieldErrors.title} fieldErrors={form.fieldErrors} />
      {isRejected && <ErrorAlert>{passkeys.addRejected}</ErrorAlert>}
      {(done === 'added' || done === 'removed') && (
        <p class="success" role="status">
          {passkeys[done]}
        </p>
      )}
      <p class="alert" role="alert" hidden data-passkey-canceled>
        {passkeys.addCanceled}
      </p>
    </>
  );
}

function NewPasskeySection({ viewContext: { messages }, passkeys, maxPasskeys, form }: SectionProps): VNode {
  const texts = messages.passkeys;
  if (passkeys.length >= maxPasskeys) {
    return <p class="card">{interpolate(texts.limit, { count: String(maxPasskeys) })}</p>;
  }
  return (
    <section class="card">
      <noscript>
        <p>{texts.noScript}</p>
      </noscript>
      <p hidden data-passkey-unsupported>
        {texts.unsupported}
      </p>
      <FormField name="name" label={texts.name} hint={texts.nameHint} form={form} input={NAME_INPUT} />
      <input type="hidden" name="credential" value="" />
      <div class="actions">
        <button type="submit">{texts.add}</button>
      </div>
    </section>
  );
}

interface PasskeyCardProps {
  viewContext: ViewContext;
  passkey: Passkey;
  removePath: string;
}

function PasskeyCard({ viewContext: { messages, locale }, passkey, removePath }: PasskeyCardProps): VNode {
  const { passkeys } = messages;
  const { id, name, createdAt, lastUsedAt } = passkey;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <dl>
        <dt>{passkeys.addedOn}</dt>
        <dd>
          <RelativeTime at={createdAt} locale={locale} />
        </dd>
        <dt>{passkeys.lastUsed}</dt>
        <dd>{lastUsedAt ? <RelativeTime at={lastUsedAt} locale={locale} /> : passkeys.neverUsed}</dd>
      </dl>
      <button type="submit" class="danger" formaction={removePath} name="passkey" value={id} aria-describedby={id}>
        {passkeys.remove}
      </button>
    </section>
  );
}
