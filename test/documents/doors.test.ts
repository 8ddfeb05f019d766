/** `npm run bench doors`: the same requests get the same bytes through all doors. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { root } from '../support/launch.js'

it('answers ten documents with the same bytes through handle, fetch, MSW and HTTP', async () => {
  const child = spawn(process.execPath, ['bench/run.js', 'doors'], { cwd: root, stdio: 'inherit' })
  expect(await once(child, 'exit')).toEqual([0, null])
})
