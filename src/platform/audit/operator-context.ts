import { AsyncLocalStorage } from 'node:async_hooks';

const operatorStorage = new AsyncLocalStorage<true>();

/** Runs the work of a command: the audit events that it records are events by the operator. */
export function runAsOperator<T>(work: () => T): T {
  return operatorStorage.run(true, work);
}

/** Whether a command causes the current change, and not a request or a scheduled task. */
export function isOperator(): boolean {
  return operatorStorage.getStore() === true;
}
