import { isIPv6 } from 'node:net';
import { getCurrentRequest } from '../logging/request-context.js';

/**
 * The network that an address stands for, where one person may have many: the first half of an IPv6 address, and an IPv4
 * address as it is.
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

/** The network that the request at hand comes from; '' where it is not known. */
export function getClientNetworkPrefix(): string {
  return toNetworkPrefix(getCurrentRequest()?.ip ?? '');
}
