/** Generates the scenario `default` from the bundled document. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { importSource } from './import-source.js'

const root = new URL('../', import.meta.url)
const read = (path) => readFile(new URL(path, root), 'utf8')

await mkdir(new URL('src/generated/', root), { recursive: true })
const { compileContract } = await importSource('src/compile/compile-contract.ts')
const { readDocument } = await importSource('src/compile/read/read-document.ts')
const { generateScenario } = await importSource('src/generate/generate-collections.ts')

const { document } = readDocument(await read('spec/petstore.openapi.yaml'), 'spec/petstore.openapi.yaml')
const { contract, validators } = compileContract(document)
const scenario = await generateScenario({
  document,
  contract: { ...contract, validators: validators.toFunctions() },
  records: 120,
  seed: 1,
  hints: JSON.parse(await read('fixtures/hints.json')),
  onSkip(collection, why) {
    throw new Error(`No valid record was found for "${collection}": ${why}`)
  },
})
await writeFile(new URL('fixtures/default.json', root), toText(scenario))

/** Writes one record per line for readable diffs. */
function toText(scenario) {
  const collections = Object.entries(scenario).map(([name, records]) => {
    const lines = records.map((record) => `\n    ${JSON.stringify(record)}`)
    return `\n  ${JSON.stringify(name)}: [${lines.join(',')}\n  ]`
  })
  return `{${collections.join(',')}\n}\n`
}
