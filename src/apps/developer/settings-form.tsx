import type { VNode } from 'preact';
import { SCOPES, type Scope } from '../../scopes/catalogue.js';
import { Field, type FormState } from '../../views/field.js';
import { fill } from '../../words/fill.js';
import type { Ui } from '../../views/ui.js';
import type { GivenSettings } from '../app-settings.js';

/** What a form for an app's settings says. Addresses stand one on a line. */
export function readSettingsForm(form: URLSearchParams): GivenSettings {
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

interface SettingsFormProps {
  ui: Ui;
  action: string;
  button: string;
  settings: GivenSettings;
  problems: Record<string, string>;
}

/** The form for an app's settings. */
export function SettingsForm({ ui, action, button, settings, problems }: SettingsFormProps): VNode {
  const { developer } = ui.messages;
  const { name, description, homePage, redirectUris, postLogoutRedirectUris = [], idTokenAlg } = settings;
  const form: FormState = {
    values: {
      name,
      description: description ?? '',
      homePage: homePage ?? '',
      redirectUris: redirectUris.join('\n'),
      postLogoutRedirectUris: postLogoutRedirectUris.join('\n'),
    },
    problems,
  };
  return (
    <form method="post" action={action} class="card">
      <Field name="name" label={developer.name} hint={developer.nameHint} form={form} />
      <Field name="description" label={developer.description} hint={developer.descriptionHint} form={form} rows={2} />
      <Field name="homePage" label={developer.homePage} form={form} input={{ inputMode: 'url' }} />
      <Field
        name="redirectUris"
        label={developer.redirectUris}
        hint={developer.redirectUrisHint}
        form={form}
        rows={3}
      />
      <Field
        name="postLogoutRedirectUris"
        label={developer.postLogoutRedirectUris}
        hint={developer.postLogoutRedirectUrisHint}
        form={form}
        rows={2}
      />
      <Scopes ui={ui} settings={settings} problem={problems['scopes']} />
      <div class="field">
        <label for="idTokenAlg">{developer.signing}</label>
        <p class="hint" id="idTokenAlg-hint">
          {developer.signingHint}
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
        <button type="submit">{button}</button>
      </div>
    </form>
  );
}

interface ScopesProps {
  ui: Ui;
  settings: GivenSettings;
  problem: string | undefined;
}

/** Each scope with a box to ask for it, and one to require it. */
function Scopes({ ui: { messages }, settings, problem }: ScopesProps): VNode {
  const { developer, scopes } = messages;
  return (
    <fieldset aria-describedby={problem ? 'scopes-hint scopes-problem' : 'scopes-hint'}>
      <legend>{developer.scopes}</legend>
      <p class="hint" id="scopes-hint">
        {developer.requiredHint}
      </p>
      {problem && (
        <p class="problem" id="scopes-problem">
          {problem}
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
            <Name scope={scope} />
          </label>
          <label class="hint required">
            <input
              type="checkbox"
              name="requiredScopes"
              value={scope}
              checked={settings.requiredScopes?.includes(scope) ?? false}
              aria-label={fill(developer.requiredFor, { scope })}
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
function Name({ scope }: { scope: Scope }): VNode {
  const [, what, how] = /^(\w+:?)(\w*)$/.exec(scope)!;
  return (
    <code>
      {what}
      <wbr />
      {how}
    </code>
  );
}
