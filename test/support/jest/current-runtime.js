let current;

/** Sets the runtime of the current test file. */
export function setCurrentRuntime(runtime) {
  current = runtime;
}

/** Returns the runtime of the current test file. */
export function getCurrentRuntime() {
  return current;
}
