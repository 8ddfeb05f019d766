// Replicas that share Redis answer like one engine, and a fault of theirs is found: a short run of the benchmark.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from '../support/launch.js'
import { hasRedis } from '../support/redis-server.js'

interface Outcome {
  results: { sent: number; judged: number; unjudged: number; count: number; findings: unknown[] }[]
  planted: { fault: string; count: number }[]
}

/** Runs `bench linearizable` with options, in a process of its own. */
async function run(options: object): Promise<Outcome> {
  const program = `
    const { default: bench } = await import('./bench/linearizable.js')
    const { data } = await bench({ ...${JSON.stringify(options)}, say: () => {} })
    console.log(JSON.stringify(data))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    maxBuffer: 2 ** 26,
  })
  return JSON.parse(stdout)
}

describe.skipIf(!hasRedis)('replicas that share Redis', () => {
  it('answer like one engine, while one is ended', { timeout: 300_000 }, async () => {
    const { results } = await run({ rounds: 1, calls: 4000, seed: 1, only: 'replicas' })
    expect(results[0]?.findings).toEqual([])
    expect(results[0]?.judged).toBeGreaterThan(2500)
  })

  it.each(['a read gets old data', 'a commit is answered before it is stored', 'the next key is not stored'])(
    'are found out if %s',
    { timeout: 300_000 },
    async (fault) => {
      const { planted } = await run({ calls: 2000, seed: 1, only: fault })
      expect(planted).toEqual([expect.objectContaining({ fault })])
      expect(planted[0]?.count).toBeGreaterThan(0)
    },
  )
})
