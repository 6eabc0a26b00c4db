import { isIP } from 'node:net';
import { getCurrentRequest } from '../logging/request-context.js';

/**
 * Returns the IP address of the client of a request, by default of the current one. Returns null
 * outside a request, and if the address is not an IP address: a client can send any text if the
 * service trusts too many proxies.
 */
export function getClientIp(request = getCurrentRequest()): string | null {
  // without the zone of a link-local address
  const [address = ''] = request?.ip?.split('%', 1) ?? [];
  return isIP(address) ? address : null;
}
