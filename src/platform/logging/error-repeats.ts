import { runOutsideRequest } from './request-context.js';

/** Milliseconds in which repeats of an error are counted. */
export const REPEAT_WINDOW_MS = 60_000;

/** Number of causes whose repeats are counted. If there are more, the oldest window ends early. */
export const MAX_CAUSES = 100;

/** Number of request ids in the report of a window. */
export const MAX_REQUEST_IDS = 10;

/** The repeats of an error in one window, without its first occurrence. */
export interface Repeats {
  count: number;
  /** The ids of the first requests that met the error again. */
  requestIds: string[];
}

interface Window extends Repeats {
  timer: NodeJS.Timeout;
  report: (repeats: Repeats) => void;
}

/** Counts the repeats of errors with the same cause, so that the log contains each cause once. */
export class ErrorRepeats {
  private readonly windows = new Map<string, Window>();

  /**
   * Counts an occurrence of an error. The first one opens the window of its cause.
   * @param report called at the end of the window if the error occurred again
   * @returns whether it is the first one, which the caller logs
   */
  add(cause: string, requestId: string | undefined, report: (repeats: Repeats) => void): boolean {
    const open = this.windows.get(cause);
    if (open) {
      open.count++;
      if (requestId !== undefined && open.requestIds.length < MAX_REQUEST_IDS) open.requestIds.push(requestId);
      return false;
    }
    const [oldest] = this.windows.keys();
    if (oldest !== undefined && this.windows.size >= MAX_CAUSES) this.close(oldest);
    const timer = runOutsideRequest(() => setTimeout(() => this.close(cause), REPEAT_WINDOW_MS).unref());
    this.windows.set(cause, { count: 0, requestIds: [], timer, report });
    return true;
  }

  /** Ends all windows. */
  flush(): void {
    for (const cause of this.windows.keys()) this.close(cause);
  }

  private close(cause: string): void {
    const { timer, report, count, requestIds } = this.windows.get(cause)!;
    clearTimeout(timer);
    this.windows.delete(cause);
    if (count > 0) report({ count, requestIds });
  }
}
