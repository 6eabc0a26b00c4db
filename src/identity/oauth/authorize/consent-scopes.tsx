import type { VNode } from 'preact';
import { describeScope } from '../../scopes/scope-messages.js';
import { type Scope, SCOPE_ACCESS } from '../../scopes/scopes.js';
import type { Messages } from '../../../platform/i18n/language.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { type AuthorizationRequest, isRequiredScope } from './authorization-request.js';
import type { ConsentQuestion } from './authorize.service.js';

interface ConsentScopesProps {
  viewContext: ViewContext;
  question: ConsentQuestion;
  /** Requested scopes that the person neither allowed nor left out before. */
  newScopes: Scope[];
}

/**
 * The checkboxes of the requested scopes. If the person allowed a part of them before, that part is
 * folded below the others. Without others, all are shown.
 */
export function ConsentScopes({ viewContext, question, newScopes }: ConsentScopesProps): VNode {
  const { consent } = viewContext.messages;
  const { request, allowedScopes, leftOutScopes } = question;
  const allowed = request.scopes.filter((scope) => allowedScopes.includes(scope));
  const others = request.scopes.filter((scope) => !allowedScopes.includes(scope));
  const groups = { viewContext, request, leftOutScopes };
  if (others.length === 0 || allowed.length === 0) return <ScopeGroups {...groups} scopes={request.scopes} />;
  return (
    <>
      {newScopes.length > 0 && <h2>{consent.newAccess}</h2>}
      <ScopeGroups {...groups} scopes={others} />
      <details>
        <summary>{interpolate(consent.alreadyAllowed, { count: allowed.length })}</summary>
        <ScopeGroups {...groups} scopes={allowed} />
      </details>
    </>
  );
}

interface ScopeGroupsProps {
  viewContext: ViewContext;
  request: AuthorizationRequest;
  leftOutScopes: Scope[];
  scopes: Scope[];
}

function ScopeGroups({ scopes, ...props }: ScopeGroupsProps): VNode {
  return (
    <>
      <ScopeGroup {...props} access="read" scopes={scopes.filter((scope) => SCOPE_ACCESS[scope] !== 'write')} />
      <ScopeGroup {...props} access="write" scopes={scopes.filter((scope) => SCOPE_ACCESS[scope] === 'write')} />
    </>
  );
}

/** The scopes that see or change something, each with a checkbox. */
function ScopeGroup({
  viewContext: { messages, language },
  request,
  leftOutScopes,
  access,
  scopes,
}: ScopeGroupsProps & { access: 'read' | 'write' }): VNode | null {
  if (scopes.length === 0) return null;
  return (
    <fieldset class={access === 'write' ? 'write-scopes' : undefined}>
      <legend>{messages.consent[access]}</legend>
      {scopes.map((scope) => (
        <ScopeCheckbox
          key={scope}
          scope={scope}
          meaning={describeScope(scope, language, request.app.name)}
          isRequired={isRequiredScope(request, scope)}
          isLeftOut={leftOutScopes.includes(scope)}
          messages={messages.consent}
        />
      ))}
    </fieldset>
  );
}

interface ScopeCheckboxProps {
  scope: Scope;
  meaning: string;
  /** Whether the person cannot leave the scope out. */
  isRequired: boolean;
  /** Whether the person left the scope out before: it stays out unless the box is checked. */
  isLeftOut: boolean;
  messages: Messages['consent'];
}

function ScopeCheckbox({ scope, meaning, isRequired, isLeftOut, messages }: ScopeCheckboxProps): VNode {
  const note = isRequired ? messages.required : isLeftOut && messages.leftOutBefore;
  return (
    <div class="choice">
      <input
        type="checkbox"
        name="scope"
        id={scope}
        value={scope}
        checked={isRequired || !isLeftOut}
        disabled={isRequired}
        aria-describedby={note ? `${scope}-note` : undefined}
      />
      <label for={scope}>{meaning}</label>
      {note && (
        <p class="hint" id={`${scope}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}
