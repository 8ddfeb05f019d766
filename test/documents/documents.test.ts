/** `npm run bench documents`: documents of others are served as its bars demand. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { root } from '../support/launch.js'

interface Bar {
  id: string
  measured: string
  bar: string
  isKept: boolean
}

const barIds = [
  'loaded',
  'crashes',
  'internalErrors',
  'noAnswers',
  'brokenBodies',
  'succeeded',
  'refused',
  'documented',
  'reasons',
  'fillers',
  'unbuilt',
]

let bars: Bar[]

beforeAll(async () => {
  // Its report goes to the log of CI: it names each failure.
  const child = spawn(process.execPath, ['bench/run.js', 'documents', '--again'], { cwd: root, stdio: 'inherit' })
  await once(child, 'exit')
  bars = JSON.parse(await readFile(join(root, 'bench/results/documents.json'), 'utf8')).bars
}, 1_200_000)

it.each(barIds)('keeps the bar "%s" on a sample of 300 documents', (wanted) => {
  expect(bars.find(({ id }) => id === wanted)).toMatchObject({ id: wanted, isKept: true })
})

it('has no other bars', () => {
  expect(bars.map(({ id }) => id)).toEqual(barIds)
})
