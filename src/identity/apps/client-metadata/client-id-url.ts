import type { Settings } from '../../../platform/config/settings.js';

/** As long as the longest redirect URI. */
const MAX_LENGTH = 500;

/**
 * Whether a client identifier is the address of a client ID metadata document: an https URL with a
 * path, without userinfo, fragment and dot segments, in the form that URL parsers write
 * (draft-ietf-oauth-client-id-metadata-document §3).
 */
function isClientIdUrl(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > MAX_LENGTH || !URL.canParse(clientId)) return false;
  const { href, pathname, username, password } = new URL(clientId);
  // The parser removes dot segments, so an address that has them is not equal to its parsed form.
  return href === clientId && pathname !== '/' && !username && !password && !clientId.includes('#');
}

/** Whether the service accepts apps that this address describes. */
export function isAcceptedClientIdUrl({ CLIENT_ID_METADATA }: Settings, clientId: string): boolean {
  if (CLIENT_ID_METADATA === 'off' || !isClientIdUrl(clientId)) return false;
  return CLIENT_ID_METADATA === 'any' || CLIENT_ID_METADATA.split(',').includes(new URL(clientId).host);
}
