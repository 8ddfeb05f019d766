/** Bars: limits for measured figures, as rows `what | measured | bar | met?`. */
export function atLeast(what, value, limit, unit = '') {
  return toBar(what, value, `at least ${limit}${unit}`, value >= limit, unit)
}

export function atMost(what, value, limit, unit = '') {
  return toBar(what, value, `at most ${limit}${unit}`, value <= limit, unit)
}

export function holds(what, measured, bar, isKept) {
  return { what, measured, bar, isKept }
}

/** A figure without a bar. */
export function asides(what, measured) {
  return { what, measured, bar: 'none', isKept: undefined }
}

/** Adds the least and the greatest value to a median, to show its variation. */
export function withSpread(bar, values) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(toFigure)
  return { ...bar, measured: `${bar.measured} (${least} to ${most})` }
}

/** A bar that could not be measured, with the reason. */
export function unmeasured(what, why) {
  return { what, measured: `not measured: ${why}`, bar: '', isKept: undefined }
}

function toBar(what, value, bar, isKept, unit) {
  return { what, value, measured: `${toFigure(value)}${unit}`, bar, isKept }
}

/** Three significant digits, without an exponent. */
export function toFigure(value) {
  if (value === undefined || Number.isNaN(value)) return '-'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toFixed(digits)
}
