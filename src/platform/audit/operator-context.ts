import { AsyncLocalStorage } from 'node:async_hooks';

const operatorStorage = new AsyncLocalStorage<true>();

/** Runs the work of a command. Its audit events name the operator as the cause. */
export function runAsOperator<T>(work: () => T): T {
  return operatorStorage.run(true, work);
}

/** Whether a command causes the current change, and not a request or a scheduled task. */
export function isRunningAsOperator(): boolean {
  return operatorStorage.getStore() === true;
}
