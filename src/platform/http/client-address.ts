import { isIP, isIPv4, isIPv6 } from 'node:net';
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

/** The leading groups of an IPv6 address whose last 32 bits are an IPv4 address. */
const IPV4_IN_IPV6_PREFIXES = [
  '0:0:0:0:0:ffff', // IPv4-mapped (RFC 4291 §2.5.5.2)
  '64:ff9b:0:0:0:0', // NAT64 (RFC 6052 §2.1)
];

/**
 * Returns an IPv4 address, or the /64 network of an IPv6 address, because one user can have many
 * addresses in it. A port and a zone are ignored. An IPv4 address inside an IPv6 address counts as
 * the IPv4 address.
 */
export function toNetworkPrefix(address: string): string {
  const host = stripPortAndZone(address);
  if (!isIPv6(host)) return host;
  const groups = parseGroups(host);
  if (IPV4_IN_IPV6_PREFIXES.includes(formatGroups(groups.slice(0, 6)))) return formatIPv4(groups.slice(6));
  return formatGroups(groups.slice(0, 4));
}

/** A network that contains an address. */
export interface NetworkAggregate {
  /** `address` is an IPv4 address, or the /64 network of an IPv6 address. */
  size: 'address' | '/56' | '/48';
  prefix: string;
}

/**
 * Returns the networks that an address belongs to, the largest first: an IPv4 address alone, and
 * the /48, /56 and /64 networks of an IPv6 address. Providers assign networks of these sizes.
 */
export function listNetworkAggregates(address: string): NetworkAggregate[] {
  const prefix = toNetworkPrefix(address);
  const groups = prefix.split(':').map((group) => parseInt(group, 16));
  if (groups.length !== 4) return [{ size: 'address', prefix }];
  const [first, second, third, fourth] = groups as [number, number, number, number];
  return [
    { size: '/48', prefix: `${formatGroups([first, second, third])}::/48` },
    { size: '/56', prefix: `${formatGroups([first, second, third, fourth & 0xff00])}::/56` },
    { size: 'address', prefix },
  ];
}

/**
 * Returns the largest network that one client may control: the /24 network of an IPv4 address, the
 * /48 network of an IPv6 address.
 */
export function toLargestNetwork(address: string): string {
  const [{ prefix }] = listNetworkAggregates(address) as [NetworkAggregate];
  return isIPv4(prefix) ? prefix.replace(/\d+$/, '0/24') : prefix;
}

/** Returns the network prefix of the client of the current request; empty if it is unknown. */
export function getClientNetworkPrefix(): string {
  return toNetworkPrefix(getCurrentRequest()?.ip ?? '');
}

/** Some proxies append the port to the address in `X-Forwarded-For`. */
function stripPortAndZone(address: string): string {
  const host = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return host.replace(/%.*$/, '');
}

/** Returns the eight groups of an IPv6 address. */
function parseGroups(address: string): number[] {
  const [left = '', right] = address.split('::');
  const [leading, trailing] = [parseHalf(left), parseHalf(right ?? '')];
  const zeros = Array<number>(8 - leading.length - trailing.length).fill(0);
  return [...leading, ...zeros, ...trailing];
}

/** The last group may be an IPv4 address, which stands for two groups. */
function parseHalf(half: string): number[] {
  return half
    .split(':')
    .filter(Boolean)
    .flatMap((group) => (isIPv4(group) ? parseIPv4(group) : [parseInt(group, 16)]));
}

function parseIPv4(address: string): number[] {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  return [a * 256 + b, c * 256 + d];
}

function formatIPv4(groups: number[]): string {
  return groups.flatMap((group) => [group >> 8, group & 255]).join('.');
}

function formatGroups(groups: number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
