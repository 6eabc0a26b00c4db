import ora from 'ora';
import { formatProgressBar } from './progress-bar.js';

/** Shows the progress of a command on standard error. */
export interface ProgressReporter {
  /** @param unit the counted noun in the plural */
  update(done: number, total: number, unit: string): void;
  warn(message: string): void;
}

interface ProgressOptions {
  /** Shown until the first update; without it, the spinner starts with the first update. */
  text?: string;
  /** Prints nothing. */
  isSilent?: boolean;
}

/** Runs `work` with a spinner, which is removed at the end, also if `work` fails. */
export async function withProgress<T>(
  { text, isSilent = false }: ProgressOptions,
  work: (progress: ProgressReporter) => Promise<T>,
): Promise<T> {
  const spinner = ora({ isSilent });
  if (text !== undefined) spinner.start(text);
  try {
    return await work({
      update: (done, total, unit) => {
        const line = formatProgressBar(done, total, unit);
        if (text === undefined) spinner.start(line);
        else spinner.text = line;
      },
      warn: (message) => void spinner.warn(message).start(),
    });
  } finally {
    spinner.stop();
  }
}
