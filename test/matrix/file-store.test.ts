// The tests of the store in a file, with the SQLite of Node.js 22 and 24 instead of WebAssembly.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

it.each(['22', '24'])('keeps worlds in a file on Node.js %s', async (version) => {
  const args = ['-y', '-p', `node@${version}`, 'node', vitest, 'run', '--project', 'stores', '--reporter=json']
  const { stdout } = await promisify(execFile)('npx', [...args, 'test/stores/file-store.test.ts'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  const { numPassedTests, numPendingTests, numTotalTests } = JSON.parse(stdout.slice(stdout.indexOf('{"')))
  expect(numPassedTests + numPendingTests).toBe(numTotalTests)
  expect(numPassedTests).toBeGreaterThan(50)
})
