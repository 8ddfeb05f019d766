// The code that a page loads for `import { handlers } from 'petstore-sandbox/msw'`.

import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { root } from '../support/launch.js'

/** Bytes, minified and gzipped, without MSW and the data of the scenario. */
const most = 43_000

it('is small: at most 40 kB without MSW and the data, and no code that handlers do not need', async () => {
  const page = join(root, 'page.js')
  const bundle = await rolldown({
    input: page,
    platform: 'browser',
    external: ['msw'],
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === page ? page : undefined),
        load: (id) =>
          id === page ? "import { handlers } from 'petstore-sandbox/msw'\nconsole.log(handlers)" : undefined,
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
  expect(output.length).toBe(1)
  const code = output[0].code
  const data = (await readFile(join(root, 'fixtures/default.json'), 'utf8')).trim().replace(/\n\s*/g, '')
  expect(code.includes(data)).toBe(true)
  const size = gzipSync(code.replace(data, ''), { level: 9 }).length
  console.log(`handlers: ${size} bytes minified and gzipped, ${gzipSync(code, { level: 9 }).length} with the data`)
  expect(size).toBeLessThanOrEqual(most)
  const unneeded = [
    'commander',
    'faker',
    '_sandbox/health',
    '`node:',
    '"node:',
    ': duplicate ',
    'JSON Pointer',
    'merge-patch',
    'Failed to commit',
  ]
  expect(unneeded.filter((text) => code.includes(text))).toEqual([])
})

it('has entries for every runtime that lead to no built-in module of Node.js, also not later', async () => {
  const seen = new Set<string>()
  const builtIn: string[] = []
  const follow = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    seen.add(file)
    const code = await readFile(file, 'utf8')
    if (/(?:from|import\() *["']node:/.test(code)) builtIn.push(file)
    for (const [, path = ''] of code.matchAll(/(?:from|import\()\s*["'](\.[^"']+)["']/g))
      await follow(join(dirname(file), path))
  }
  for (const entry of ['index', 'msw', 'testing']) await follow(join(root, 'dist', `${entry}.js`))
  expect(seen.size).toBeGreaterThan(10)
  expect(builtIn).toEqual([])
})
