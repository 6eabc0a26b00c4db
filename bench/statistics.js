/** Share of the slowest that is left out: what a busy machine adds says nothing of the work. */
const CROP_QUANTILE = 0.9;

/** |t| from which a difference counts as real, as in dudect (Reparaz, Balasch, Verbauwhede, 2017): by chance once in 150,000. */
const T_THRESHOLD = 4.5;

/** Standard errors above that at which nine in ten runs find a difference. */
const POWER_Z_SCORE = 1.28;

const RESAMPLE_COUNT = 1000;

/**
 * Whether pairs of times differ, each pair measured one right after the other in random order, so that what the machine is
 * busy with meets both alike. Pairs of which one is among the slowest tenth of all are left out; of the others' differences
 * the mean is compared with its standard error (Student's t, of pairs).
 * @param pairs `[one, other]`, in any unit
 */
export function comparePairs(pairs) {
  const limit = quantile(pairs.flat(), CROP_QUANTILE);
  const kept = pairs.filter((pair) => pair.every((time) => time <= limit));
  const differences = kept.map(([one, other]) => one - other);
  const mean = sum(differences) / differences.length;
  const variance = sum(differences.map((one) => (one - mean) ** 2)) / (differences.length - 1);
  const error = Math.sqrt(variance / differences.length);
  return {
    medians: [0, 1].map((at) => median(pairs.map((pair) => pair[at]))),
    ofMedians: bootstrapInterval(pairs),
    mean,
    t: mean / error,
    differs: Math.abs(mean / error) >= T_THRESHOLD,
    /** The smallest difference that nine in ten such runs would have found. */
    detectable: (T_THRESHOLD + POWER_Z_SCORE) * error,
  };
}

/** Where the difference of the medians lies, with 99 % confidence: by drawing as many pairs again, with repetition (bootstrap). */
function bootstrapInterval(pairs) {
  const drawn = Array.from({ length: RESAMPLE_COUNT }, () => {
    const [ones, others] = [new Float64Array(pairs.length), new Float64Array(pairs.length)];
    for (let at = 0; at < pairs.length; at++) {
      const pair = pairs[Math.floor(Math.random() * pairs.length)];
      [ones[at], others[at]] = pair;
    }
    return median(ones) - median(others);
  });
  return [quantile(drawn, 0.005), quantile(drawn, 0.995)];
}

function median(values) {
  return quantile(values, 0.5);
}

function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function sum(values) {
  return values.reduce((one, other) => one + other, 0);
}
