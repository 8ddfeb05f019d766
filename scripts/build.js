/**
 * Builds the package. The bundled document is compiled with the very code that `--spec` uses; what that makes goes to
 * `src/generated/`, and the program is then bundled around it.
 */

import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { minifySync } from 'rolldown/utils'
import { importSource } from './import-source.js'
import { thirdPartyLicences } from './licences.js'
import { proveSameVerdicts } from './prove-validators.js'
import { shortenValidators } from './shorten-validators.js'

const root = new URL('../', import.meta.url)
const generated = new URL('src/generated/', root)
const document = new URL('spec/petstore.openapi.yaml', root)
const header = '// Made by scripts/build.js; not to be edited.\n'

/** The chunk of `check`: with what Prism and undici bring, much larger than all the rest, and nearly all not ours. */
const large = 'check-provider'

await mkdir(generated, { recursive: true })
const compiled = await compileDocument()
await collectScenarios()
await collectHints()
await describePackage()
await generateTypes(Object.keys(compiled.components?.schemas ?? {}))
await bundleHandlerModule()
await rm(new URL('dist/', root), { recursive: true, force: true })
await bundle()
await promisify(execFile)('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: root.pathname }).catch((error) => {
  process.stderr.write(error.stdout)
  process.exit(1)
})

async function compileDocument() {
  const { compileContract, readDocument } = await importSource('src/compile/compiler.ts')
  const source = readDocument(await readFile(document, 'utf8'), 'spec/petstore.openapi.yaml')
  const { contract: whole, ...validators } = compileContract(source.document)
  const { recordSchemas, ...contract } = whole
  // A module of its own for each, so that who only answers requests can leave out what judges records.
  for (const [name, compiler] of Object.entries(validators)) {
    const file = name === 'validators' ? 'validators' : 'record-validators'
    await writeFile(new URL(`${file}.js`, generated), `${header}${shortenValidators(compiler.toModule())}`)
    const { validators: shortened } = await import(new URL(`${file}.js?${Date.now()}`, generated).href)
    proveSameVerdicts(compiler.toFunctions(), shortened, contract)
    await writeFile(
      new URL(`${file}.d.ts`, generated),
      `${header}import type { Validate } from '../contract/contract.js'\nexport declare const validators: Validate[]\n`,
    )
  }
  await writeFile(
    new URL('contract.ts', generated),
    [
      header,
      "import type { Contract, RequestContract } from '../contract/contract.js'\n",
      "import { validators as recordValidators } from './record-validators.js'\n",
      "import { validators } from './validators.js'\n\n",
      `export const requestContract: RequestContract = { ...${JSON.stringify(contract, null, 2)}, validators }\n\n`,
      `const recordSchemas = ${JSON.stringify(recordSchemas)}\n`,
      'export const contract: Contract = /* @__PURE__ */ Object.assign({ recordSchemas, recordValidators }, requestContract)\n',
    ].join(''),
  )
  await writeFile(new URL('parts.ts', generated), toParts(contract))
  await writeFile(
    new URL('document.ts', generated),
    [
      header,
      "import type { OpenApiDocument } from '../compile/document.js'\n\n",
      '/** The bundled document as it was written. */\n',
      `export const text: string = ${JSON.stringify(source.text)}\n`,
      `export const document: OpenApiDocument = JSON.parse(${JSON.stringify(JSON.stringify(source.document))})\n`,
    ].join(''),
  )
  return source.document
}

/** Exactly the effects and codecs that the contract names: a bundle holds no others. */
function toParts({ operations }) {
  const effects = [...new Set(operations.map(({ effect }) => effect.kind))].sort()
  const contents = operations.flatMap(({ body }) => body?.content ?? [])
  const codecs = [...new Set(contents.map(({ codec }) => codec))].sort()
  const constantOf = (codec) => `${codec.replace(/-(.)/g, (_, letter) => letter.toUpperCase())}Codec`
  return [
    header,
    ...codecs.map((codec) => `import { ${constantOf(codec)} } from '../media/${codec}.js'\n`),
    "import type { EngineParts } from '../sandbox/create-engine.js'\n",
    ...effects.map((effect) => `import { ${effect} } from '../sandbox/effects/${effect}.js'\n`),
    '\nexport const parts: EngineParts = {\n',
    `  effects: { ${effects.join(', ')} },\n`,
    `  codecs: { ${codecs.map((codec) => `'${codec}': ${constantOf(codec)}`).join(', ')} },\n}\n`,
  ].join('')
}

/** Scenarios as JSON text: they may hold integers that a JavaScript number cannot. */
async function collectScenarios() {
  const fixtures = new URL('fixtures/', root)
  const names = (await readdir(fixtures)).filter((name) => name.endsWith('.json') && name !== 'hints.json')
  const texts = new Map()
  for (const name of names.sort()) {
    const text = (await readFile(new URL(name, fixtures), 'utf8')).trim()
    texts.set(name.replace('.json', ''), JSON.stringify(text.replace(/\n\s*/g, '')))
  }
  const entries = [...texts].map(
    ([name, text]) => `  ${JSON.stringify(name)}: ${name === 'default' ? 'defaultScenario' : text},\n`,
  )
  await writeFile(
    new URL('scenarios.ts', generated),
    [
      header,
      '/** JSON text of the scenario that a sandbox has unless another is named. */\n',
      `export const defaultScenario: string = ${texts.get('default')}\n\n`,
      '/** JSON text of each scenario by name. */\n',
      `export const scenarios: Record<string, string> = {\n${entries.join('')}}\n`,
    ].join(''),
  )
}

/** What makes generated data of the bundled document believable. */
async function collectHints() {
  const hints = JSON.parse(await readFile(new URL('fixtures/hints.json', root), 'utf8'))
  await writeFile(
    new URL('hints.ts', generated),
    `${header}import type { Hints } from '../generate/hints.js'\n\nexport const hints: Hints = ${JSON.stringify(hints)}\n`,
  )
}

/** What the program says of itself. */
async function describePackage() {
  const { name, version, description } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
  const lines = Object.entries({ name, version, description }).map(
    ([key, value]) => `export const ${key}: string = ${JSON.stringify(value)}\n`,
  )
  await writeFile(new URL('package.ts', generated), `${header}${lines.join('')}`)
}

/** Types of the document, and an alias for each of its schemas; one that would hide a global is called Api<Name>. */
async function generateTypes(schemaNames) {
  const types = astToString(await openapiTypescript(document))
  await writeFile(new URL('document-types.ts', generated), `${header}${types}`)
  const aliases = schemaNames.map((name) => {
    const alias = name in globalThis ? `Api${name}` : name
    return `export type ${alias} = components['schemas']['${name}']\n`
  })
  await writeFile(
    new URL('schemas.ts', generated),
    `${header}import type { components } from './document-types.js'\n\n${aliases.join('')}\nexport type { components, operations, paths } from './document-types.js'\n`,
  )
}

/** The engine that `export msw` writes before a contract, as text. */
async function bundleHandlerModule() {
  const engine = await rolldown({
    input: new URL('src/entries/handler-module.ts', root).pathname,
    platform: 'browser',
    external: ['msw'],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  const { output } = await engine.generate({
    format: 'esm',
    codeSplitting: false,
    minify: { mangle: false, compress: true, codegen: false },
  })
  await writeFile(
    new URL('handler-module.ts', generated),
    `${header}export const engine: string = ${JSON.stringify(output[0].code)}\n`,
  )
}

async function bundle() {
  const licences = thirdPartyLicences()
  const program = await rolldown({
    input: {
      index: new URL('src/entries/index.ts', root).pathname,
      node: new URL('src/entries/node.ts', root).pathname,
      msw: new URL('src/entries/msw.ts', root).pathname,
      vitest: new URL('src/entries/vitest.ts', root).pathname,
      cli: new URL('src/cli/main.ts', root).pathname,
    },
    platform: 'neutral',
    external: ['msw', 'vitest'],
    resolve: {
      extensionAlias: { '.js': ['.ts', '.js'] },
      mainFields: ['module', 'main'],
      conditionNames: ['browser', 'import', 'default'],
      alias: {
        // Its CommonJS build finds its parts in a way that no bundler follows.
        'jsonc-parser': new URL('node_modules/jsonc-parser/lib/esm/main.js', root).pathname,
      },
    },
    plugins: [
      licences,
      exportsAsThis(),
      withoutSqlite(),
      withPrefix(),
      esmExternalRequirePlugin({ external: [/^node:/] }),
    ],
  })
  await program.write({
    dir: new URL('dist/', root).pathname,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: false,
    comments: { legal: false },
    plugins: [minified(large)],
  })
}

function minified(name) {
  return {
    name: 'minified',
    renderChunk(code, chunk) {
      return chunk.name === name ? minifySync(chunk.fileName, code, { module: true }).code : null
    },
  }
}

/** In CommonJS `this` is `exports`; in a module it is nothing. */
function exportsAsThis() {
  return {
    name: 'exports-as-this',
    transform: {
      filter: { id: /uri-template-lite/ },
      handler: (code) => code.replaceAll('this.URI', 'exports.URI'),
    },
  }
}

/** undici can keep a cache there, which nobody asks for, and older Node.js has no such module. */
function withoutSqlite() {
  const name = 'node:sqlite'
  return {
    name: 'without-sqlite',
    resolveId: { filter: { id: new RegExp(`^${name}$`) }, handler: () => `\0${name}` },
    load: { filter: { id: new RegExp(`${name}$`) }, handler: () => 'export {}' },
  }
}

/** Modules of Node.js are named as such, so that none is taken for a package. */
function withPrefix() {
  return {
    name: 'with-prefix',
    resolveId: {
      filter: { id: /^path$/ },
      handler(id, importer, options) {
        return this.resolve(`node:${id}`, importer, { ...options, skipSelf: true })
      },
    },
  }
}
