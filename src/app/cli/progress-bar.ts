const BAR_WIDTH = 30;

/** Formats a progress bar such as `[#####     ] 50% 500 of 1000 features`. */
export function formatProgressBar(done: number, total: number, unit: string): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '#'.repeat(filled) + ' '.repeat(BAR_WIDTH - filled);
  return `[${bar}] ${Math.floor(share * 100)}% ${done} of ${total} ${unit}`;
}
