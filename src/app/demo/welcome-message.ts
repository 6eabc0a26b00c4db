import type { DemoCredentials } from './demo.service.js';

/** Returns the first line after the start: the service's address. */
export function formatListenMessage(baseUrl: string): string {
  return `The street art map listens at ${baseUrl}`;
}

/**
 * Returns the message after the start: the address, and the generated credentials after the first
 * start.
 */
export function formatWelcome(baseUrl: string, demo: DemoCredentials | undefined): string {
  return `${formatListenMessage(baseUrl)}\n${demo ? `\n${formatIntroduction(baseUrl, demo)}` : CREDENTIALS_HINT}\n`;
}

const CREDENTIALS_HINT =
  'Passwords and secrets are printed only once, when they are created.\n' +
  'To replace a client secret:  npm run --silent cli -- apps rotate-secret ID\n' +
  'To issue a token pair:       npm run --silent cli -- tokens issue --app ID --account NAME --scope "markers:read"\n' +
  'Run both commands with the same settings as the service.';

function formatIntroduction(baseUrl: string, { people, apps, refresh_token }: DemoCredentials): string {
  const [app] = apps;
  const { client_id, client_secret } = app!;
  const body = JSON.stringify({ grant_type: 'refresh_token', refresh_token, client_id, client_secret });
  const rows = people.map(({ username, password, role }) => `  ${username.padEnd(8)} ${password}   ${role}`);
  const registered = apps.map(({ name, client_id: id, client_secret: secret, scope }) =>
    [`  ${name}`, `    client_id      ${id}`, `    client_secret  ${secret}`, `    scope          ${scope}`].join('\n'),
  );
  return [
    'This first start created demo data. Its passwords and secrets are printed only once.',
    `Open ${baseUrl}/ and sign in as one of these people, to see your connected apps or to register an app.`,
    `People (username, password, role; gus is blocked):\n${rows.join('\n')}`,
    `Apps:\n${registered.join('\n')}`,
    `A refresh token of ${app!.name} for ${people[0]!.username}:\n  ${refresh_token}`,
    `Refresh a token:\ncurl -s ${baseUrl}/api/oauth/token -H 'Content-Type: application/json' -d '${body}' | tee tokens.json`,
    `Call the API with the new access token:\ncurl -s '${baseUrl}/api/markers?limit=2' -H "Authorization: Bearer $(node -p 'JSON.parse(fs.readFileSync("tokens.json")).access_token')"`,
  ].join('\n\n');
}
