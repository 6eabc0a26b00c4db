import { isIPv6 } from 'node:net';
import { getCurrentRequest } from '../logging/request-context.js';

/**
 * Returns an IPv4 address, or the /64 network of an IPv6 address, because one user can have many
 * addresses in it.
 */
export function toNetworkPrefix(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [left = '', right] = address.split('::');
  const groups = left.split(':').filter(Boolean);
  const last = right?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(8 - groups.length - last.length).fill('0');
  return [...groups, ...(right === undefined ? [] : zeros), ...last].slice(0, 4).join(':');
}

/** Returns the network prefix of the client of the current request; empty if it is unknown. */
export function getClientNetworkPrefix(): string {
  return toNetworkPrefix(getCurrentRequest()?.ip ?? '');
}
