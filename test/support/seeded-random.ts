/** The seed of random tests: each prints it. `TEST_SEED` repeats the values of a run. */
export const TEST_SEED = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 1e9));

/** Pseudo-random numbers (mulberry32): the same seed gives the same numbers. */
export class SeededRandom {
  constructor(private state: number) {}

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  pickOne<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)]!;
  }

  randomBoolean(probability: number): boolean {
    return this.next() < probability;
  }
}
