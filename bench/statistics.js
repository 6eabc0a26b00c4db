/** Quantile above which times are dropped: slow outliers come from other load on the machine. */
const CROP_QUANTILE = 0.9;

/**
 * |t| from which a difference counts as real, as in dudect (Reparaz, Balasch, Verbauwhede, 2017). A
 * false positive has a probability of 1 in 150,000.
 */
const T_THRESHOLD = 4.5;

/** Standard errors above the threshold at which nine of ten runs find a difference. */
const POWER_Z_SCORE = 1.28;

const RESAMPLE_COUNT = 1000;

/**
 * Tests whether pairs of times differ, by Student's t-test of paired samples. The two times of a
 * pair are measured one after the other in random order, so that other load affects both equally.
 * Pairs with one of the slowest tenth of all times are dropped.
 * @param pairs `[one, other]`, in any unit
 */
export function comparePairs(pairs) {
  const limit = quantile(pairs.flat(), CROP_QUANTILE);
  const croppedPairs = pairs.filter((pair) => pair.every((time) => time <= limit));
  const differences = croppedPairs.map(([one, other]) => one - other);
  const mean = sum(differences) / differences.length;
  const variance = sum(differences.map((difference) => (difference - mean) ** 2)) / (differences.length - 1);
  const error = Math.sqrt(variance / differences.length);
  return {
    medians: [0, 1].map((side) => median(pairs.map((pair) => pair[side]))),
    medianDifference: bootstrapInterval(pairs),
    mean,
    t: mean / error,
    differs: Math.abs(mean / error) >= T_THRESHOLD,
    /** The smallest difference that nine of ten such runs find. */
    detectable: (T_THRESHOLD + POWER_Z_SCORE) * error,
  };
}

/** Returns the 99 % confidence interval of the difference of the medians, by bootstrapping. */
function bootstrapInterval(pairs) {
  const differences = Array.from({ length: RESAMPLE_COUNT }, () => {
    const [ones, others] = [new Float64Array(pairs.length), new Float64Array(pairs.length)];
    for (let index = 0; index < pairs.length; index++) {
      const pair = pairs[Math.floor(Math.random() * pairs.length)];
      [ones[index], others[index]] = pair;
    }
    return median(ones) - median(others);
  });
  return [quantile(differences, 0.005), quantile(differences, 0.995)];
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
