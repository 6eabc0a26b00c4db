import ora from 'ora';

/** Prints a line of the results. Progress goes to standard error. */
export const printLine = (line) => process.stdout.write(`${line}\n`);
export const spinner = ora({ stream: process.stderr });

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Prints a Markdown table. */
export function printTable(head, rows) {
  printLine(`\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  for (const row of rows) printLine(`| ${row.join(' | ')} |`);
}

/** Returns median, minimum and maximum of rates, as table cells. */
export const summarizeRates = (rates) =>
  [median(rates), Math.min(...rates), Math.max(...rates)].map((rate) => rate.toFixed(0));

/** Returns the row of a comparison: both names, the ratio, the required ratio, and the goal. */
export const formatComparison = (name, baseline, ratio, required, goal) => [
  name,
  baseline,
  `${ratio.toFixed(2)} ×`,
  required,
  goal,
];
export const COMPARISON_HEADER = ['', 'compared with', 'ratio', 'required', 'goal'];
