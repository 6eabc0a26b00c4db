import { describe, expect, it } from '@jest/globals';
import { analyzeJson } from '../../src/platform/http/body-reader.js';

describe('JSON structure', () => {
  it.each([
    ['{"a":1,"b":2}', []],
    ['{"a":1,"b":2,"a":3}', ['a']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"a":{"a":1,"a":2},"b":[{"a":1}]}', []],
    ['{"a":"\\"a\\":","b":"{\\"a\\":1"}', []],
    ['{ "x\\\\" : 1 , "x\\\\" : 2 }', ['x\\']],
    ['[{"a":1},{"a":2}]', []],
    ['{}', []],
  ])('%s repeats %j', (text, repeated) => {
    JSON.parse(text);
    expect([...analyzeJson(text).duplicateMembers]).toEqual(repeated);
  });

  it.each([
    ['{"a":{"b":1,"b":2}}', true],
    ['[{"a":1,"a":2}]', true],
    ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}', false],
  ])('%s repeats a member: %j', (text, repeats) => expect(analyzeJson(text).hasDuplicateMembers).toBe(repeats));

  it('has the depth of its innermost array or object', () => {
    expect(analyzeJson('1').depth).toBe(0);
    expect(analyzeJson('{"a":[{"b":"[[[["}]}').depth).toBe(3);
    expect(analyzeJson('['.repeat(20_000) + ']'.repeat(20_000)).depth).toBe(20_000);
  });
});
