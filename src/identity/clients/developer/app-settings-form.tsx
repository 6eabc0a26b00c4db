import type { VNode } from 'preact';
import { SCOPES, type Scope } from '../../scopes/scopes.js';
import { FormField, type FormState } from '../../../platform/views/form-field.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { AppSettingsInput } from '../app-settings.js';

/** What a form for an app's settings says. Addresses stand one on a line. */
export function parseAppSettingsForm(form: URLSearchParams): AppSettingsInput {
  const text = (name: string): string => form.get(name) ?? '';
  const lines = (name: string): string[] =>
    text(name)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  return {
    name: text('name'),
    description: text('description').replace(/\r\n/g, '\n'),
    homePage: text('homePage').trim(),
    redirectUris: lines('redirectUris'),
    postLogoutRedirectUris: lines('postLogoutRedirectUris'),
    scopes: form.getAll('scopes'),
    requiredScopes: form.getAll('requiredScopes'),
    idTokenAlg: text('idTokenAlg') === 'ES256' ? 'ES256' : 'RS256',
  };
}

interface AppSettingsFormProps {
  viewContext: ViewContext;
  actionUrl: string;
  submitLabel: string;
  settings: AppSettingsInput;
  fieldErrors: Record<string, string>;
}

/** The form for an app's settings. */
export function AppSettingsForm({
  viewContext,
  actionUrl,
  submitLabel,
  settings,
  fieldErrors,
}: AppSettingsFormProps): VNode {
  const { developer } = viewContext.messages;
  const { name, description, homePage, redirectUris, postLogoutRedirectUris = [], idTokenAlg } = settings;
  const form: FormState = {
    values: {
      name,
      description: description ?? '',
      homePage: homePage ?? '',
      redirectUris: redirectUris.join('\n'),
      postLogoutRedirectUris: postLogoutRedirectUris.join('\n'),
    },
    fieldErrors,
  };
  return (
    <form method="post" action={actionUrl} class="card">
      <FormField name="name" label={developer.name} hint={developer.nameHint} form={form} />
      <FormField
        name="description"
        label={developer.description}
        hint={developer.descriptionHint}
        form={form}
        rows={2}
      />
      <FormField name="homePage" label={developer.homePage} form={form} input={{ inputMode: 'url' }} />
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
      <ScopeFieldset viewContext={viewContext} settings={settings} fieldError={fieldErrors['scopes']} />
      <div class="field">
        <label for="idTokenAlg">{developer.idTokenAlg}</label>
        <p class="hint" id="idTokenAlg-hint">
          {developer.idTokenAlgHint}
        </p>
        <select id="idTokenAlg" name="idTokenAlg" aria-describedby="idTokenAlg-hint">
          {(['RS256', 'ES256'] as const).map((algorithm) => (
            <option key={algorithm} value={algorithm} selected={algorithm === idTokenAlg}>
              {algorithm}
            </option>
          ))}
        </select>
      </div>
      <div class="actions">
        <button type="submit">{submitLabel}</button>
      </div>
    </form>
  );
}

interface ScopeFieldsetProps {
  viewContext: ViewContext;
  settings: AppSettingsInput;
  fieldError: string | undefined;
}

/** Each scope with a box to ask for it, and one to require it. */
function ScopeFieldset({ viewContext: { messages }, settings, fieldError }: ScopeFieldsetProps): VNode {
  const { developer, scopes } = messages;
  return (
    <fieldset aria-describedby={fieldError ? 'scopes-hint scopes-problem' : 'scopes-hint'}>
      <legend>{developer.scopes}</legend>
      <p class="hint" id="scopes-hint">
        {developer.requiredHint}
      </p>
      {fieldError && (
        <p class="problem" id="scopes-problem">
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
          <p class="hint sentence" id={`${scope}-meaning`}>
            {scopes[scope]}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

/** The name of a scope, which goes on in the next line after its colon, if anywhere. */
function ScopeName({ scope }: { scope: Scope }): VNode {
  const [, what, how] = /^(\w+:?)(\w*)$/.exec(scope)!;
  return (
    <code>
      {what}
      <wbr />
      {how}
    </code>
  );
}
