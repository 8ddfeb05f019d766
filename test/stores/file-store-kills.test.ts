// A process that writes to a store in a file is killed under load. Everything that was answered is there, once.

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from 'petstore-sandbox/node'
import { afterAll, expect, it } from 'vitest'
import type { Stamp, Store } from '../../src/state/commits/store.js'
import { root } from '../support/launch.js'

const kills = Number(process.env['STORE_KILLS'] ?? 50)
const folder = await mkdtemp(join(tmpdir(), 'file-store-kills-'))
afterAll(() => rm(folder, { recursive: true }))

/** Starts a writer, and kills it after a number of answers. */
function killAfter(answers: number, ...args: string[]): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'test/support/store-writer.js'), ...args])
    let [out, errors] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text
      if (out.split('\n').length > answers) child.kill('SIGKILL')
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text
    })
    child.on('close', (_, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`The writer ended: ${errors}`))
      // The last line may be cut off.
      const lines = out.split('\n').slice(0, -1)
      resolve(lines.map((line) => line.split(' ')))
    })
  })
}

/** What is wrong with a world: an answered commit that is missing, one that is there twice, or one that nobody made. */
async function findLosses(store: Store, id: string, answered: number, commitId: string | undefined): Promise<string[]> {
  const found = await store.open(id)
  if (found === undefined) return answered > 0 ? [`${id} is missing`] : []
  if (found === 'unchanged') return [`${id} is unchanged`]
  const { stamp, entries } = found
  const names = entries.map(({ name }) => name).sort()
  const expected = ['count', ...Array.from({ length: stamp.sequence }, (_, at) => `record ${at + 1}`)].sort()
  const losses: string[] = []
  if (stamp.sequence < answered) losses.push(`${id} has ${stamp.sequence} commits of ${answered}`)
  if (names.join() !== expected.join()) losses.push(`${id} has other records than ${stamp.sequence}`)
  if (entries.find(({ name }) => name === 'count')?.text !== String(stamp.sequence))
    losses.push(`${id} has another count`)
  const known = commitId === undefined ? stamp : await store.committed(id, commitId)
  if (known?.incarnation !== stamp.incarnation) losses.push(`${id} does not know commit ${commitId}`)
  return losses
}

async function killOften(path: string, times: number, ...args: string[]): Promise<string[]> {
  const losses: string[] = []
  const incarnations = new Map<string, Stamp>()
  for (let round = 0; round < times && losses.length === 0; round++) {
    const lines = await killAfter(1 + ((round * 37) % 120), path, String(round), ...args)
    const store = await openStore(`file:${path}`, { onMessage: (text) => losses.push(text) })
    if (!store) throw new Error('There is no store')
    for (let lane = 0; lane < 8; lane++) {
      const id = `lane-${lane}`
      const [, answered = '0', commitId] = lines.findLast(([name]) => name === id) ?? []
      losses.push(...(await findLosses(store, id, Number(answered), commitId)))
      const found = await store.open(id)
      if (!found || found === 'unchanged') continue
      const before = incarnations.get(id)
      if (before && before.incarnation !== found.stamp.incarnation) losses.push(`${id} has a new incarnation`)
      if (before && before.sequence > found.stamp.sequence) losses.push(`${id} lost commits of an earlier round`)
      incarnations.set(id, found.stamp)
    }
    await store.close?.()
  }
  return losses
}

it(`loses nothing that was answered, in ${kills} kills under load`, { timeout: 600_000 }, async () => {
  expect(await killOften(join(folder, 'worlds.db'), kills)).toEqual([])
})

it('would find a store that answers before a commit is durable', { timeout: 600_000 }, async () => {
  expect(await killOften(join(folder, 'early.db'), kills, '--early')).not.toEqual([])
})
