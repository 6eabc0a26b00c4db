import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { buildNextPageUrl } from '../../src/platform/http/request-url.js';

describe('buildNextPageUrl', () => {
  it.each([
    ['https://map.example', '/api/edits/mine?limit=2', 'https://map.example/api/edits/mine?limit=2&cursor=c'],
    ['https://map.example/art', '/art/api/markers?cursor=b', 'https://map.example/art/api/markers?cursor=c'],
  ])('with the base URL %s, for %s, is %s', (baseUrl, originalUrl, address) => {
    expect(buildNextPageUrl(baseUrl, { originalUrl } as Request, 'c')).toBe(address);
  });
});
