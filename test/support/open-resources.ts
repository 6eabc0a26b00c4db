type Close = () => Promise<unknown>;

const openResources = new Set<Close>();

/**
 * Registers a server or a child process that would stop the Jest worker from exiting.
 * @returns a function that removes the registration, for a resource that the test closes itself
 */
export function registerOpenResource(close: Close): () => void {
  openResources.add(close);
  return () => openResources.delete(close);
}

/** Closes the resources that a failed test or hook left open, the newest first. */
export async function closeOpenResources(): Promise<void> {
  for (const close of [...openResources].reverse()) await close().catch(() => undefined);
  openResources.clear();
}
