import type { VNode } from 'preact';
import type { ViewContext } from '../../../platform/views/view-context.js';

/** Path of the script of the sign-in page and the passkeys page, below `BASE_URL`. */
export const PASSKEYS_SCRIPT_PATH = '/assets/passkeys.js';

interface PasskeySignInFormProps {
  viewContext: ViewContext;
  /** Query of the sign-in page, with its `?`. */
  query: string;
  /** `PublicKeyCredentialRequestOptionsJSON`, which the script passes to the browser. */
  optionsJson: string;
  /** Whether the response of a passkey was just rejected. */
  isRejected: boolean;
}

/**
 * The form to sign in with a passkey. The script shows it if the browser supports passkeys, and
 * fills its hidden field.
 */
export function PasskeySignInForm({ viewContext, query, optionsJson, isRejected }: PasskeySignInFormProps): VNode {
  const { basePath, messages } = viewContext;
  return (
    <form
      method="post"
      action={`${basePath}/sign-in/passkey${query}`}
      class="card"
      hidden
      data-passkey-request={optionsJson}
      data-passkey-rejected={isRejected ? '' : undefined}
      data-passkey-page={`${basePath}/sign-in${query}`}
    >
      <p class="alert" role="alert" hidden data-passkey-canceled>
        {messages.passkeys.signInCanceled}
      </p>
      <input type="hidden" name="credential" value="" />
      <button type="submit" class="quiet">
        {messages.passkeys.signIn}
      </button>
    </form>
  );
}
