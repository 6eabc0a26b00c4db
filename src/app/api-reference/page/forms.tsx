import type { VNode } from 'preact';
import { SCOPES } from '../../../identity/scopes/scopes.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { type AddressedOperation, listExamples, type ReferenceParameter } from './reference-document.js';

interface TryFormProps {
  viewContext: ViewContext;
  operation: AddressedOperation;
}

/** The form that sends a request. It is hidden until the script of the page runs. */
export function TryForm({ viewContext, operation }: TryFormProps): VNode | null {
  const { reference } = viewContext.messages;
  const { method, path, operationId, parameters, requestBody } = operation;
  if (showsPage(operation)) return null;
  const [mediaType, content] = Object.entries(requestBody?.content ?? {}).at(-1) ?? [];
  const body = content && listExamples(content)[0]?.[1];
  return (
    <form
      class="try"
      data-scripted
      hidden
      data-method={method}
      data-path={path}
      data-media-type={mediaType}
      aria-label={interpolate(reference.tryOperation, { operation: operationId })}
    >
      <h3>{reference.tryIt}</h3>
      {parameters.map((parameter) => (
        <ParameterField key={parameter.name} operationId={operationId} parameter={parameter} />
      ))}
      {body !== undefined && (
        <div class="field">
          <label for={`${operationId}-body`}>{reference.body}</label>
          <textarea id={`${operationId}-body`} name="body" spellcheck={false} rows={4}>
            {mediaType === 'application/json' ? JSON.stringify(body, null, 2) : encodeForm(body as object)}
          </textarea>
        </div>
      )}
      <button type="submit">{reference.send}</button>
      <div class="result" role="status"></div>
    </form>
  );
}

function ParameterField({ operationId, parameter }: { operationId: string; parameter: ReferenceParameter }): VNode {
  const id = `${operationId}-${parameter.name}`;
  return (
    <div class="field">
      <label for={id}>
        <code>{parameter.name}</code>
      </label>
      <input
        type="text"
        id={id}
        name={parameter.name}
        data-in={parameter.in}
        required={parameter.required}
        placeholder={toPlaceholder(parameter)}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
      />
    </div>
  );
}

/** Whether the browser has to go to the address: its responses are pages and redirects. */
function showsPage({ responses }: AddressedOperation): boolean {
  return '303' in responses;
}

function toPlaceholder({ schema }: ReferenceParameter): string | undefined {
  const example = schema['example'];
  return typeof example === 'string' || example === undefined ? example : JSON.stringify(example);
}

function encodeForm(values: object): string {
  return new URLSearchParams(values as Record<string, string>).toString();
}

interface AuthorizeFormProps {
  viewContext: ViewContext;
  /** The redirect URI that the developer's app has to register. */
  redirectUri: string;
}

/**
 * The form that gets an access token for an app of the developer, with PKCE. It is hidden until the
 * script of the page runs, which keeps the token in memory.
 */
export function AuthorizeForm({ viewContext, redirectUri }: AuthorizeFormProps): VNode {
  const { reference, developer } = viewContext.messages;
  const { basePath } = viewContext;
  return (
    <details class="card" data-scripted hidden>
      <summary>
        <h2>{reference.accessToken}</h2>
      </summary>
      <form
        id="access-token-form"
        method="post"
        data-redirect={redirectUri}
        data-base={basePath}
        data-closed={reference.windowClosed}
      >
        <p>{reference.authorize}</p>
        <p>
          {reference.redirectUri}{' '}
          <code id="redirect-uri" data-copy>
            {redirectUri}
          </code>
        </p>
        <p>
          <a href={`${basePath}/developer/apps/new`}>{developer.register}</a>
        </p>
        <div class="field">
          <label for="client_id">{developer.clientId}</label>
          <input type="text" id="client_id" name="client_id" required spellcheck={false} autocomplete="off" />
        </div>
        <div class="field">
          <label for="client_secret">{developer.secret}</label>
          <p class="hint" id="client_secret-hint">
            {reference.secretHint}
          </p>
          <input
            type="password"
            id="client_secret"
            name="client_secret"
            autocomplete="off"
            aria-describedby="client_secret-hint"
            data-show={reference.showSecret}
            data-hide={reference.hideSecret}
          />
        </div>
        <fieldset>
          <legend>{reference.scopes}</legend>
          <div class="scope-choices">
            {Object.keys(SCOPES).map((scope) => (
              <label key={scope} class="choice">
                <input type="checkbox" name="scope" value={scope} />
                <code>{scope}</code>
              </label>
            ))}
          </div>
        </fieldset>
        <button type="submit">{reference.authorizeButton}</button>
        <div
          class="result"
          role="status"
          data-authorized={reference.authorized}
          data-failed={reference.notAuthorized}
        ></div>
      </form>
    </details>
  );
}
