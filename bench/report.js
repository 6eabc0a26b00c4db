import ora from 'ora';

/** Where the figures are printed; how far it is, is told beside. */
export const printLine = (line) => process.stdout.write(`${line}\n`);
export const spinner = ora({ stream: process.stderr });

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A table in Markdown. */
export function printTable(head, rows) {
  printLine(`\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  for (const row of rows) printLine(`| ${row.join(' | ')} |`);
}

/** Median, minimum and maximum of some rates. */
export const summarizeRates = (rates) =>
  [median(rates), Math.min(...rates), Math.max(...rates)].map((rate) => rate.toFixed(0));

/** How one compares to another, beside what is asked of it and what is hoped for. */
export const formatComparison = (what, against, ratio, asked, hoped) => [
  what,
  against,
  `${ratio.toFixed(2)} ×`,
  asked,
  hoped,
];
export const COMPARISON_HEADER = ['', 'against', 'reached', 'asked', 'hoped for'];
