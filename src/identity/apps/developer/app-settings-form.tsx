import type { ComponentChildren, VNode } from 'preact';
import { describeScope } from '../../scopes/scope-messages.js';
import { type Scope, SCOPES } from '../../scopes/scopes.js';
import { CheckboxField, FormField, isFirstInvalidField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { AppListing, ClientType } from '../app.entity.js';
import type { AppSettingsInput } from '../app-settings.js';
import { PasswordField } from './developer-components.js';

/** The values of the form: input that was rejected, or the settings of a stored app. */
export type FormSettings = AppSettingsInput & { listing?: AppListing };

interface AppSettingsFormProps {
  viewContext: ViewContext;
  actionUrl: string;
  submitLabel: string;
  settings: FormSettings;
  fieldErrors: Record<string, string>;
  /** Whether the owner must enter the password. */
  asksPassword: boolean;
  /** A public client has no box to switch PKCE off. */
  clientType: ClientType;
  /** Whether the optional settings are visible. They always are if one of them has an error. */
  isOpen: boolean;
  /** Fields that only the form of a new app has. */
  children?: ComponentChildren;
}

/** The fields that the form hides at first. */
const OPTIONAL_FIELDS = ['description', 'homePage', 'privacyPolicy', 'termsOfService', 'postLogoutRedirectUris'];

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
  isOpen,
  children,
}: AppSettingsFormProps): VNode {
  const { developer } = viewContext.messages;
  const { name, description, redirectUris, postLogoutRedirectUris = [], idTokenAlg = '' } = settings;
  const isOffered = settings.isOffered ?? (settings.listing ?? 'none') !== 'none';
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
      ...(isOffered && { isOffered: 'on' }),
    },
    fieldErrors,
  };
  return (
    <form method="post" action={actionUrl} class="card" novalidate>
      <FormField name="name" label={developer.name} hint={developer.nameHint} form={form} />
      {children}
      <FormField
        name="redirectUris"
        label={developer.redirectUris}
        hint={developer.redirectUrisHint}
        form={form}
        rows={3}
      />
      <ScopeFieldset viewContext={viewContext} settings={settings} fieldErrors={fieldErrors} />
      <MoreSettings {...{ viewContext, settings, form, clientType, isOpen }} />
      {asksPassword && <PasswordField viewContext={viewContext} form={form} />}
      <div class="actions">
        <button type="submit">{submitLabel}</button>
      </div>
    </form>
  );
}

interface MoreSettingsProps extends Pick<AppSettingsFormProps, 'viewContext' | 'settings' | 'clientType' | 'isOpen'> {
  form: FormState;
}

/** The optional settings. */
function MoreSettings({ viewContext, settings, form, clientType, isOpen }: MoreSettingsProps): VNode {
  const { developer, publicApps } = viewContext.messages;
  const optional = (label: string): string => interpolate(developer.optional, { label });
  const hasError = OPTIONAL_FIELDS.some((field) => form.fieldErrors[field] !== undefined);
  return (
    <details open={isOpen || hasError}>
      <summary>{developer.moreSettings}</summary>
      <FormField
        name="description"
        label={optional(developer.description)}
        hint={developer.descriptionHint}
        form={form}
        rows={2}
      />
      {(['homePage', 'privacyPolicy', 'termsOfService'] as const).map((name) => (
        <FormField key={name} name={name} label={optional(developer[name])} form={form} input={{ inputMode: 'url' }} />
      ))}
      <CheckboxField
        name="isOffered"
        label={developer.listed}
        hint={`${interpolate(developer.listedHint, { title: publicApps.title })} ${describeListing(viewContext, settings)}`}
        form={form}
      />
      <FormField
        name="postLogoutRedirectUris"
        label={optional(developer.postLogoutRedirectUris)}
        hint={developer.postLogoutRedirectUrisHint}
        form={form}
        rows={2}
      />
      <FormField
        name="idTokenAlg"
        label={developer.idTokenAlg}
        hint={developer.idTokenAlgHint}
        form={form}
        options={ALGORITHM_OPTIONS}
      />
      {clientType === 'confidential' && <PkceChoice viewContext={viewContext} settings={settings} />}
    </details>
  );
}

/** Whether the operator decided about the offer of the app. */
function describeListing({ messages }: ViewContext, { listing }: FormSettings): string {
  return listing === undefined || listing === 'none' ? '' : messages.developer[listing];
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
