/**
 * Merges texts in the format of Prometheus, so that the samples of each metric are one group. No
 * sample is in two texts.
 */
export function mergeMetrics(texts: string[]): string {
  const samplesByHeader = new Map<string, string[]>();
  for (const group of texts.join('\n').trimEnd().split('\n\n')) {
    const [help, type, ...samples] = group.split('\n');
    const header = `${help}\n${type}\n`;
    const earlier = samplesByHeader.get(header);
    if (earlier) earlier.push(...samples);
    else samplesByHeader.set(header, samples);
  }
  return [...samplesByHeader].map(([header, samples]) => `${header}${samples.join('\n')}\n`).join('\n');
}
