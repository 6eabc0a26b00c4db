import { describe, expect, it } from '@jest/globals';
import { toLargestNetwork, toNetworkPrefix } from '../../src/platform/http/client-address.js';

describe('toNetworkPrefix', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:5678', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:207', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '192.0.2.7'],
    ['64:ff9b::c000:207', '192.0.2.7'],
    ['64:ff9b:0:0:1::c000:207', '64:ff9b:0:0'],
    ['::c000:207', '0:0:0:0'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('of %s is %s', (address, network) => expect(toNetworkPrefix(address)).toBe(network));
});

describe('toLargestNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['192.0.20.7:5678', '192.0.20.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['64:ff9b::192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::', '2001:db8:1::/48'],
    ['2001:db8:2::1', '2001:db8:2::/48'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('of %s is %s', (address, network) => expect(toLargestNetwork(address)).toBe(network));
});
