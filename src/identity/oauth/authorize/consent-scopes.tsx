import type { VNode } from 'preact';
import { describeScope, getScopeHint } from '../../scopes/scope-messages.js';
import { type Scope, SCOPE_ACCESS, type ScopeAccess } from '../../scopes/scopes.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { type AuthorizationRequest, isRequiredScope } from './authorization-request.js';

interface ConsentScopesProps {
  viewContext: ViewContext;
  request: AuthorizationRequest;
  /** Requested scopes that the person did not allow yet. */
  newScopes: Scope[];
}

/**
 * The checkboxes of the requested scopes. If the person allowed a part of them before, that part is
 * folded below the new ones. Without new ones, all are shown.
 */
export function ConsentScopes({ viewContext, request, newScopes }: ConsentScopesProps): VNode {
  const { consent } = viewContext.messages;
  const allowedScopes = request.scopes.filter((scope) => !newScopes.includes(scope));
  if (newScopes.length === 0 || allowedScopes.length === 0) {
    return <ScopeGroups viewContext={viewContext} request={request} scopes={request.scopes} />;
  }
  return (
    <>
      <h2>{consent.newAccess}</h2>
      <ScopeGroups viewContext={viewContext} request={request} scopes={newScopes} />
      <details>
        <summary>{interpolate(consent.alreadyAllowed, { count: allowedScopes.length })}</summary>
        <ScopeGroups viewContext={viewContext} request={request} scopes={allowedScopes} />
      </details>
    </>
  );
}

interface ScopeGroupsProps {
  viewContext: ViewContext;
  request: AuthorizationRequest;
  scopes: Scope[];
}

function ScopeGroups({ viewContext, request, scopes }: ScopeGroupsProps): VNode {
  return (
    <>
      {(['identity', 'read', 'write'] as const).map((access) => (
        <ScopeGroup
          key={access}
          viewContext={viewContext}
          request={request}
          access={access}
          scopes={scopes.filter((scope) => SCOPE_ACCESS[scope] === access)}
        />
      ))}
    </>
  );
}

/** The scopes of one kind of access, each with a checkbox. */
function ScopeGroup({
  viewContext: { messages, language },
  request,
  access,
  scopes,
}: ScopeGroupsProps & { access: ScopeAccess }): VNode | null {
  if (scopes.length === 0) return null;
  return (
    <fieldset class={access === 'write' ? 'write-scopes' : undefined}>
      <legend>{messages.consent[access]}</legend>
      {scopes.map((scope) => (
        <ScopeCheckbox
          key={scope}
          scope={scope}
          meaning={describeScope(scope, language)}
          hint={getScopeHint(scope, language)}
          requiredHint={isRequiredScope(request, scope) && messages.consent.required}
        />
      ))}
    </fieldset>
  );
}

interface ScopeCheckboxProps {
  scope: Scope;
  meaning: string;
  hint: string;
  /** Hint of a required scope, which the person cannot leave out. */
  requiredHint: string | false;
}

function ScopeCheckbox({ scope, meaning, hint, requiredHint }: ScopeCheckboxProps): VNode {
  return (
    <div class="choice">
      <input
        type="checkbox"
        name="scope"
        id={scope}
        value={scope}
        checked
        disabled={requiredHint !== false}
        aria-describedby={`${scope}-hint`}
      />
      <label for={scope} class="sentence">
        {meaning}
      </label>
      <p class="hint" id={`${scope}-hint`}>
        {hint}
        {requiredHint && ` ${requiredHint}`}
      </p>
    </div>
  );
}
