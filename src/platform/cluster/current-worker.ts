import cluster from 'node:cluster';

/** Message that a worker sends when it starts to serve requests. */
export const READY_MESSAGE = 'ready';

/** Message that a worker sends while its event loop runs. */
export const HEARTBEAT_MESSAGE = 'heartbeat';

/** Milliseconds between two heartbeats. */
export const HEARTBEAT_INTERVAL_MS = 1_000;

/**
 * Whether this process prints the welcome message: the first of several workers, or the only
 * process.
 */
export function isFirstWorker(): boolean {
  return (cluster.worker?.id ?? 1) === 1;
}

/** Sends heartbeats to the supervisor, which replaces a worker that sends none. */
export function sendHeartbeats(): void {
  if (!cluster.isWorker) return;
  sendToSupervisor(HEARTBEAT_MESSAGE);
  setInterval(() => sendToSupervisor(HEARTBEAT_MESSAGE), HEARTBEAT_INTERVAL_MS).unref();
}

/**
 * Tells the supervisor that this worker serves requests. If the supervisor ends, the worker shuts
 * down.
 */
export function notifyReady(): void {
  const { worker } = cluster;
  if (!worker) return;
  worker.once('disconnect', () => {
    worker.exitedAfterDisconnect = true; // otherwise Node ends this process at once
    process.kill(process.pid, 'SIGTERM');
  });
  sendToSupervisor(READY_MESSAGE);
}

/** Sends a message, unless the supervisor has ended. */
export function sendToSupervisor(message: string | object): void {
  cluster.worker?.send(message, () => undefined);
}
