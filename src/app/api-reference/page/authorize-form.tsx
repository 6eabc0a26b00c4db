import type { VNode } from 'preact';
import { SCOPES } from '../../../identity/scopes/scopes.js';
import type { ViewContext } from '../../../platform/views/view-context.js';

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
          />
        </div>
        <fieldset>
          <legend>{reference.scopes}</legend>
          <div class="scope-choices">
            {Object.keys(SCOPES).map((scope) => (
              <label key={scope}>
                <input type="checkbox" name="scope" value={scope} /> <code>{scope}</code>
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
