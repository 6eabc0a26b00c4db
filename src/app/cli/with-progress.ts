import ora from 'ora';

const BAR_WIDTH = 30;

/** Shows the progress of a command on standard error. */
export interface ProgressReporter {
  /** @param unit the counted noun in the plural */
  update(done: number, total: number, unit: string): void;
  warn(message: string): void;
}

interface ProgressOptions {
  /** Shown until the first update; without it, the spinner starts with the first update. */
  text?: string;
}

/**
 * Runs `work` with a spinner, which is removed at the end, also if `work` fails. Without a terminal
 * only the warnings are printed.
 */
export async function withProgress<T>(
  { text }: ProgressOptions,
  work: (progress: ProgressReporter) => Promise<T>,
): Promise<T> {
  const isTerminal = process.stderr.isTTY;
  const spinner = ora({ isSilent: !isTerminal });
  if (text !== undefined) spinner.start(text);
  try {
    return await work({
      update: (done, total, unit) => {
        const line = formatProgressBar(done, total, unit);
        if (text === undefined) spinner.start(line);
        else spinner.text = line;
      },
      warn: (message) => void (isTerminal ? spinner.warn(message).start() : process.stderr.write(`${message}\n`)),
    });
  } finally {
    spinner.stop();
  }
}

/** Formats a progress bar such as `[#####     ] 50% 500 of 1000 features`. */
function formatProgressBar(done: number, total: number, unit: string): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '#'.repeat(filled) + ' '.repeat(BAR_WIDTH - filled);
  return `[${bar}] ${Math.floor(share * 100)}% ${done} of ${total} ${unit}`;
}
