// `@jest/globals` for modules that several test files share: each export forwards to that of the
// current test file.
import { getCurrentRuntime } from './current-runtime.js';

const forward = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _this, values) => getCurrent(name)(...values),
    get: (_target, key) => getCurrent(name)[key],
  });

function getCurrent(name) {
  const runtime = getCurrentRuntime();
  return runtime.jestGlobals.cjsGlobals(runtime._testPath)[name];
}

export const afterAll = forward('afterAll');
export const afterEach = forward('afterEach');
export const beforeAll = forward('beforeAll');
export const beforeEach = forward('beforeEach');
export const describe = forward('describe');
export const expect = forward('expect');
export const it = forward('it');
export const jest = forward('jest');
export const test = forward('test');
