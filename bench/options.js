/** Parses the options of the command line. */
import { parseArgs } from 'node:util'

const rowNames = ['list', 'filtered', 'read', 'create', 'unauthorized', 'invalid', 'missing']
const partNames = { compare: ['requests', 'handle', 'start'], net: ['documents', 'programs'] }

/** @returns the names of the benchmarks, and the options. @throws Error for wrong options */
export function readOptions() {
  const { positionals, values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      minutes: { type: 'string' },
      tools: { type: 'string' },
      markdown: { type: 'boolean' },
      against: { type: 'string' },
      pairs: { type: 'string' },
      rows: { type: 'string' },
      parts: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string' },
      operations: { type: 'string' },
      limit: { type: 'string' },
      all: { type: 'boolean' },
      again: { type: 'boolean' },
      corpus: { type: 'string' },
      only: { type: 'string' },
      server: { type: 'string' },
      list: { type: 'string' },
      page: { type: 'boolean' },
      sealed: { type: 'string' },
      overlay: { type: 'string' },
      overrides: { type: 'string' },
      repositories: { type: 'string' },
      json: { type: 'boolean' },
      workers: { type: 'string' },
      calls: { type: 'string' },
      half: { type: 'string' },
      source: { type: 'string' },
      data: { type: 'string' },
      'leave-out': { type: 'string' },
      record: { type: 'string' },
      learn: { type: 'boolean' },
      write: { type: 'boolean' },
      workflows: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  for (const [name, what] of [
    ['compare', 'folder of another, built checkout'],
    ['net', 'commit'],
  ]) {
    const isMissing = positionals.includes(name) && values.against === undefined
    if (isMissing) throw new Error(`${name} requires --against <${what}>`)
  }
  return {
    wanted: positionals,
    options: {
      rounds: toNumber('rounds', values.rounds ?? 3),
      seconds: toNumber('seconds', values.seconds ?? 1),
      connections: toNumber('connections', values.connections ?? 16),
      // The default depends on the benchmark.
      minutes: values.minutes && toNumber('minutes', values.minutes),
      tools: values.tools,
      markdown: values.markdown,
      against: values.against,
      // The default depends on the benchmark.
      pairs: values.pairs && toNumber('pairs', values.pairs),
      rows: toNames('rows', values.rows, rowNames),
      parts: toNames(
        'parts',
        values.parts,
        positionals.flatMap((name) => partNames[name] ?? []),
      ),
      // The default depends on the benchmark.
      sample: values.sample && toNumber('sample', values.sample),
      seed: toNumber('seed', values.seed ?? 1),
      operations: toNumber('operations', values.operations ?? 40),
      workers: values.workers && toNumber('workers', values.workers),
      calls: values.calls && toNumber('calls', values.calls),
      limit: toNumber('limit', values.limit ?? 120),
      all: values.all,
      again: values.again,
      corpus: values.corpus,
      only: values.only,
      server: values.server ?? 'ours',
      list: values.list,
      page: values.page,
      sealed: values.sealed,
      overlay: values.overlay,
      overrides: values.overrides,
      repositories: values.repositories ?? process.env.BENCH_REPOSITORIES,
      json: values.json,
      half: values.half,
      source: values.source,
      data: values.data,
      leaveOut: values['leave-out'],
      record: values.record,
      learn: values.learn,
      write: values.write,
      workflows: values.workflows,
    },
  }
}

function toNumber(name, value) {
  const number = Number(value)
  if (number > 0) return number
  throw new Error(`--${name} must be a number above 0 (got "${value}")`)
}

function toNames(name, value, known) {
  const names = value?.split(',') ?? known
  const unknown = names.find((each) => !known.includes(each))
  if (unknown === undefined) return names
  throw new Error(`--${name} takes ${known.join(', ')} (got "${unknown}")`)
}
