import { describe, expect, it } from '@jest/globals';
import { toNetworkPrefix } from '../../src/platform/http/network-prefix.js';

describe('toNetworkPrefix', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ])('of %s is %s', (address, network) => expect(toNetworkPrefix(address)).toBe(network));
});
