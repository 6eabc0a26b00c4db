// The Jest environment of `shared-modules-runtime.js`: the globals of the worker itself.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** The globals that keep the tests and the event handlers of a test file. */
const JEST_STATE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

export default class SharedModulesEnvironment {
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);
  consoleBefore = console;
  environmentBefore = { ...process.env };
  exitBefore = process.exit;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  /** Restores what a test file may change for the next one. */
  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (JEST_STATE.includes(key.description)) delete globalThis[key];
    }
    globalThis.console = this.consoleBefore;
    for (const key of Object.keys(process.env)) if (!(key in this.environmentBefore)) delete process.env[key];
    Object.assign(process.env, this.environmentBefore);
    process.exit = this.exitBefore;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
