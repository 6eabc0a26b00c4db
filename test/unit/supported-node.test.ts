import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { describeUnsupportedNode } from '../../src/platform/config/supported-node.js';

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
const oldest = /\d+\.\d+\.\d+/.exec(engines.node)![0];

describe('Supported Node.js versions', () => {
  it.each([oldest, '22.20.0', '24.0.0', '26.10.0'])('accepts %s', (version) => {
    expect(describeUnsupportedNode(version)).toBeUndefined();
  });

  it.each(['18.20.4', '20.20.2', '22.12.9'])('rejects %s and says which version to install', (version) => {
    expect(describeUnsupportedNode(version)).toMatch(
      /^Node\.js [\d.]+ is too old\. Install Node\.js 24, or run npm start, which includes its own Node\.js\.$/,
    );
  });
});
