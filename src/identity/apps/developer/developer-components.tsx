import type { ComponentChildren, VNode } from 'preact';
import { FormField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { App } from '../app.entity.js';

/** A confirmation that an action succeeded, announced by screen readers. */
export function SuccessMessage({ children }: { children: string }): VNode {
  return (
    <p class="success" role="status">
      {children}
    </p>
  );
}

interface CopyableProps {
  id: string;
  title: string;
  /** The value, which a button can copy. */
  children: ComponentChildren;
}

/** A value with its title, and a button that copies it. */
export function Copyable({ id, title, children }: CopyableProps): VNode {
  return (
    <>
      <h2>{title}</h2>
      <div class="value" id={id} data-copy>
        {children}
      </div>
    </>
  );
}

const PASSWORD_INPUT = { type: 'password', autocomplete: 'current-password' } as const;

/** The field for the password of the owner, if it was not entered recently. */
export function PasswordField({ viewContext, form }: { viewContext: ViewContext; form: FormState }): VNode {
  const { password, passwordHint } = viewContext.messages.accountExport;
  return <FormField name="password" label={password} hint={passwordHint} form={form} input={PASSWORD_INPUT} />;
}

/** A link to the list of apps. */
export function BackLink({ viewContext }: { viewContext: ViewContext }): VNode {
  return (
    <p>
      <a href={buildDeveloperAppsPath(viewContext)}>{viewContext.messages.developer.back}</a>
    </p>
  );
}

interface NextStepsProps {
  viewContext: ViewContext;
  app: App;
}

/** The example of RFC 7636, Appendix B. */
const EXAMPLE_PKCE = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

/** What a developer does after the registration: try the link, exchange the code, read. */
export function NextSteps({ viewContext, app }: NextStepsProps): VNode {
  const { messages, baseUrl } = viewContext;
  const { nextSteps } = messages.developer;
  return (
    <section class="card" aria-labelledby="next-steps">
      <h2 id="next-steps">{nextSteps.title}</h2>
      <p>{nextSteps.lead}</p>
      <Copyable id="issuer" title={nextSteps.issuer}>
        {baseUrl}
      </Copyable>
      <Copyable id="authorization-link" title={nextSteps.authorizationLink}>
        <a href={buildAuthorizationUrl(baseUrl, app)} rel="noreferrer">
          {buildAuthorizationUrl(baseUrl, app)}
        </a>
      </Copyable>
      <Copyable id="token-request" title={nextSteps.tokenRequest}>
        <code tabIndex={0}>{buildTokenRequest(baseUrl, app)}</code>
      </Copyable>
      <p class="secondary">{nextSteps.tokenRequestHint}</p>
      <DocumentLinks viewContext={viewContext} />
    </section>
  );
}

/** The documents for developers. */
export function DocumentLinks({ viewContext: { messages, basePath } }: { viewContext: ViewContext }): VNode {
  const { developer, reference } = messages;
  return (
    <p class="facts">
      <a href={`${basePath}/docs/quickstart`}>{developer.nextSteps.quickstart}</a>
      <a href={`${basePath}/docs/connect`}>{developer.nextSteps.guide}</a>
      <a href={`${basePath}/docs`}>{reference.title}</a>
    </p>
  );
}

/** Returns a link that starts the authorization of the person who opens it. */
function buildAuthorizationUrl(issuer: string, { id, redirectUris, scopes }: App): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUris[0]!,
    scope: scopes.join(' '),
    state: 'example',
    code_challenge: EXAMPLE_PKCE.challenge,
    code_challenge_method: 'S256',
  });
  return `${issuer}/api/oauth/authorize?${query}`;
}

/** Returns the command that exchanges a code for tokens. It names the values to fill in. */
function buildTokenRequest(issuer: string, { id, clientType, redirectUris }: App): string {
  const client = clientType === 'public' ? `-d client_id=${id}` : `-u ${id}:$CLIENT_SECRET`;
  return [
    `curl ${issuer}/api/oauth/token ${client}`,
    '-d grant_type=authorization_code',
    '-d code=$CODE',
    `-d code_verifier=${EXAMPLE_PKCE.verifier}`,
    `--data-urlencode redirect_uri=${quoteForShell(redirectUris[0]!)}`,
  ].join(' \\\n  ');
}

function quoteForShell(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the path of a page below `/developer/apps`. */
export function buildDeveloperAppsPath({ basePath }: ViewContext, ...segments: string[]): string {
  return [`${basePath}/developer/apps`, ...segments].join('/');
}
