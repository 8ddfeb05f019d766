/** The options of the command line, checked. */
import { parseArgs } from 'node:util'

/** @returns the benchmarks that are named, and the options; throws with what is to be told */
export function readOptions() {
  const { positionals, values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      minutes: { type: 'string' },
      tools: { type: 'string' },
      markdown: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  return {
    wanted: positionals,
    options: {
      rounds: toNumber('rounds', values.rounds ?? 3),
      seconds: toNumber('seconds', values.seconds ?? 1),
      connections: toNumber('connections', values.connections ?? 16),
      // Each benchmark that knows it has its own.
      minutes: values.minutes && toNumber('minutes', values.minutes),
      tools: values.tools,
      markdown: values.markdown,
    },
  }
}

function toNumber(name, value) {
  const number = Number(value)
  if (number > 0) return number
  throw new Error(`--${name} must be a number above 0 (got "${value}")`)
}
