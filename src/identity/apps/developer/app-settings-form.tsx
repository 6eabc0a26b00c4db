import type { ComponentChildren, VNode } from 'preact';
import { describeScope } from '../../scopes/scope-messages.js';
import { type Scope, SCOPES } from '../../scopes/scopes.js';
import { FormField, isFirstInvalidField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { ClientType } from '../app.entity.js';
import type { AppSettingsInput } from '../app-settings.js';
import { PasswordField } from './developer-components.js';

interface AppSettingsFormProps {
  viewContext: ViewContext;
  actionUrl: string;
  submitLabel: string;
  settings: AppSettingsInput;
  fieldErrors: Record<string, string>;
  /** Whether the owner must enter the password. */
  asksPassword: boolean;
  /** A public client has no box to switch PKCE off. */
  clientType: ClientType;
  /** Fields that only the form of a new app has. */
  children?: ComponentChildren;
}

const ALGORITHM_OPTIONS = ['RS256', 'ES256'].map((algorithm) => ({ value: algorithm, label: algorithm }));

/** The form of an app's settings. */
export function AppSettingsForm({
  viewContext,
  actionUrl,
  submitLabel,
  settings,
  fieldErrors,
  asksPassword,
  clientType,
  children,
}: AppSettingsFormProps): VNode {
  const { developer } = viewContext.messages;
  const { name, description, redirectUris, postLogoutRedirectUris = [], idTokenAlg = '' } = settings;
  const form: FormState = {
    values: {
      name,
      description: description ?? '',
      homePage: settings.homePage ?? '',
      privacyPolicy: settings.privacyPolicy ?? '',
      termsOfService: settings.termsOfService ?? '',
      redirectUris: redirectUris.join('\n'),
      postLogoutRedirectUris: postLogoutRedirectUris.join('\n'),
      idTokenAlg,
    },
    fieldErrors,
  };
  return (
    <form method="post" action={actionUrl} class="card" novalidate>
      <FormField name="name" label={developer.name} hint={developer.nameHint} form={form} />
      <FormField
        name="description"
        label={developer.description}
        hint={developer.descriptionHint}
        form={form}
        rows={2}
      />
      <FormField name="homePage" label={developer.homePage} form={form} input={{ inputMode: 'url' }} />
      <FormField name="privacyPolicy" label={developer.privacyPolicy} form={form} input={{ inputMode: 'url' }} />
      <FormField name="termsOfService" label={developer.termsOfService} form={form} input={{ inputMode: 'url' }} />
      {children}
      <FormField
        name="redirectUris"
        label={developer.redirectUris}
        hint={developer.redirectUrisHint}
        form={form}
        rows={3}
      />
      <FormField
        name="postLogoutRedirectUris"
        label={developer.postLogoutRedirectUris}
        hint={developer.postLogoutRedirectUrisHint}
        form={form}
        rows={2}
      />
      <ScopeFieldset viewContext={viewContext} settings={settings} fieldErrors={fieldErrors} />
      <FormField
        name="idTokenAlg"
        label={developer.idTokenAlg}
        hint={developer.idTokenAlgHint}
        form={form}
        options={ALGORITHM_OPTIONS}
      />
      {clientType === 'confidential' && <PkceChoice viewContext={viewContext} settings={settings} />}
      {asksPassword && <PasswordField viewContext={viewContext} form={form} />}
      <div class="actions">
        <button type="submit">{submitLabel}</button>
      </div>
    </form>
  );
}

/** The box that switches the PKCE requirement off, with a warning. */
function PkceChoice({ viewContext, settings }: { viewContext: ViewContext; settings: AppSettingsInput }): VNode {
  const { developer } = viewContext.messages;
  return (
    <div class="choice">
      <input
        type="checkbox"
        name="withoutPkce"
        id="withoutPkce"
        value="yes"
        checked={settings.pkceRequired === false}
        aria-describedby="withoutPkce-hint"
      />
      <label for="withoutPkce">{developer.withoutPkce}</label>
      <p class="hint" id="withoutPkce-hint">
        {developer.withoutPkceHint}
      </p>
    </div>
  );
}

interface ScopeFieldsetProps {
  viewContext: ViewContext;
  settings: AppSettingsInput;
  fieldErrors: Record<string, string>;
}

/** One checkbox per scope to request it, and one to require it. */
function ScopeFieldset({ viewContext, settings, fieldErrors }: ScopeFieldsetProps): VNode {
  const fieldError = fieldErrors['scopes'];
  const { messages, language } = viewContext;
  const { developer } = messages;
  return (
    <fieldset
      id="scopes"
      tabIndex={-1}
      autofocus={isFirstInvalidField({ fieldErrors }, 'scopes')}
      aria-describedby={fieldError ? 'scopes-hint scopes-error' : 'scopes-hint'}
    >
      <legend>{developer.scopes}</legend>
      <p class="hint" id="scopes-hint">
        {developer.requiredHint}
      </p>
      {fieldError && (
        <p class="field-error" id="scopes-error">
          {fieldError}
        </p>
      )}
      {(Object.keys(SCOPES) as Scope[]).map((scope) => (
        <div class="choice" key={scope}>
          <input
            type="checkbox"
            name="scopes"
            id={scope}
            value={scope}
            checked={settings.scopes.includes(scope)}
            aria-describedby={`${scope}-meaning`}
          />
          <label for={scope}>
            <ScopeName scope={scope} />
          </label>
          <label class="hint required">
            <input
              type="checkbox"
              name="requiredScopes"
              value={scope}
              checked={settings.requiredScopes?.includes(scope) ?? false}
              aria-label={interpolate(developer.requiredScopeLabel, { scope })}
            />{' '}
            {developer.required}
          </label>
          <p class="hint" id={`${scope}-meaning`}>
            {describeScope(scope, language, settings.name || developer.yourApp)}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

/** The name of a scope. On narrow screens it breaks only after the colon. */
function ScopeName({ scope }: { scope: Scope }): VNode {
  const [, resource, action] = /^(\w+:?)(\w*)$/.exec(scope)!;
  return (
    <code>
      {resource}
      <wbr />
      {action}
    </code>
  );
}
