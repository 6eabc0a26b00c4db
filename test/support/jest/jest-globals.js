// `@jest/globals` for the modules that the test files of a worker share: the exports change with
// each test file.
export let afterAll;
export let afterEach;
export let beforeAll;
export let beforeEach;
export let describe;
export let expect;
export let it;
export let jest;
export let test;

/** Sets the exports to those of the current test file. */
export function setJestGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
