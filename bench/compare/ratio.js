/** The ratio of two builds from pairs of measurements, with its confidence interval. */
import { median } from '../median.js'

/** A row is worse if the whole interval is above this ratio. */
export const limit = 1.05
/** 97.5 % quantiles of Student's t for 1, 2, 3 … degrees of freedom. */
const quantiles = [
  ...[12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228],
  ...[2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093],
]

/**
 * @param pairs each { before, after }
 * @returns the median ratio after / before, and its 95 % interval: Student's t for the mean of the logarithms
 */
export function toRatio(pairs) {
  const ratios = pairs.map(({ before, after }) => after / before)
  const logs = ratios.map(Math.log)
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1)
  const reach = quantile(logs.length - 1) * Math.sqrt(variance / logs.length)
  const [low, high] = [Math.exp(mean - reach), Math.exp(mean + reach)]
  return { count: pairs.length, median: median(ratios), low, high, isWorse: low > limit, isBetter: high < 1 / limit }
}

function quantile(freedom) {
  // One pair has no interval.
  if (freedom < 1) return Number.POSITIVE_INFINITY
  return quantiles[freedom - 1] ?? 1.96 + 2.5 / freedom
}
