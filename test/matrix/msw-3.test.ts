// MSW 3 requires Node.js 22.12: this runs the tests of the handlers again with both.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

it.each([
  ['22', 'msw-3'],
  ['24', 'msw-3'],
  ['24', 'browser-msw-3'],
])('answers MSW 3 on Node.js %s as it answers MSW 2: %s', async (version, project) => {
  const args = ['-y', '-p', `node@${version}`, 'node', vitest, 'run', '--project', project, '--reporter=json']
  const { stdout } = await promisify(execFile)('npx', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const { numPassedTests, numTotalTests } = JSON.parse(stdout.slice(stdout.indexOf('{')))
  expect(numPassedTests).toBe(numTotalTests)
  expect(numPassedTests).toBeGreaterThan(500)
})
