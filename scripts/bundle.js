/** Bundles the program and the inspector with all packages that they need. */
import { readdir, readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { minifySync } from 'rolldown/utils'
import { thirdPartyLicences } from './licences.js'

const root = new URL('../', import.meta.url)
const folder = new URL('src/inspector/', root)

/** The chunks of `check` and `proxy`, of `export msw`, of the store in Redis, and of the names of tests. They are much larger than all others, and nearly all third-party code. */
const large = ['check-provider', 'judge-response', 'redis-store', 'typescript', 'write-document-types']

/**
 * Bundles the inspector: one page, one script, one style.
 * @param plugins further plugins, such as the one that collects licences
 */
export async function bundleInspector(plugins = []) {
  const bundle = await rolldown({
    input: new URL('app.tsx', folder).pathname,
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    transform: {
      define: { 'process.env.NODE_ENV': '"production"' },
      // Calls of `h` are shorter than those of the automatic runtime.
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
    },
    plugins,
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false, comments: false })
  return {
    page: await readFile(new URL('index.html', folder), 'utf8'),
    script: output[0].code,
    style: await collectStyle(),
  }
}

/** All style sheets in the order of their names, without comments and white space that means nothing. */
async function collectStyle() {
  const styles = new URL('styles/', folder)
  const names = (await readdir(styles)).sort()
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, styles), 'utf8')))
  return texts
    .join('')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .trim()
}

/**
 * Bundles the program into `dist/`.
 * @param others folders of packages that other bundles have
 */
export async function bundleProgram(others) {
  const licences = thirdPartyLicences(others)
  const imports = collectImports()
  const program = await rolldown({
    input: {
      index: new URL('src/entries/index.ts', root).pathname,
      node: new URL('src/entries/node.ts', root).pathname,
      msw: new URL('src/entries/msw.ts', root).pathname,
      vitest: new URL('src/entries/vitest.ts', root).pathname,
      testing: new URL('src/entries/testing.ts', root).pathname,
      'store-tests': new URL('src/entries/store-tests.ts', root).pathname,
      cli: new URL('src/cli/main.ts', root).pathname,
      loader: new URL('src/node/trace/loader.ts', root).pathname,
    },
    platform: 'neutral',
    external: ['msw', 'vitest'],
    resolve: {
      extensionAlias: { '.js': ['.ts', '.js'] },
      mainFields: ['module', 'main'],
      conditionNames: ['browser', 'import', 'default'],
      alias: {
        // Its CommonJS build loads its modules in a way that bundlers cannot resolve.
        'jsonc-parser': new URL('node_modules/jsonc-parser/lib/esm/main.js', root).pathname,
      },
    },
    plugins: [
      licences,
      imports.plugin,
      exportsAsThis(),
      withoutFileName(),
      withoutSqlite(),
      withoutPrograms(),
      withWasm(),
      withPrefix(),
      esmExternalRequirePlugin({ external: [/^node:/] }),
    ],
  })
  await program.write({
    dir: new URL('dist/', root).pathname,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: startGroups(imports) },
    sourcemap: false,
    comments: { legal: false, jsdoc: false },
    plugins: [minified(large)],
  })
}

/** A plugin that collects which modules import which, and finds those that are always loaded with some of them. */
function collectImports() {
  const imports = new Map()
  const loading = new Set()
  return {
    plugin: {
      name: 'imports',
      buildEnd() {
        for (const id of this.getModuleIds()) {
          const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {}
          imports.set(id, importedIds)
          if (dynamicallyImportedIds.length > 0) loading.add(id)
        }
      },
    },
    /** Whether a module imports others when it needs them. */
    isLoading: (id) => loading.has(id),
    reachedFrom(...entries) {
      const reached = new Set(entries.map((entry) => new URL(`src/${entry}`, root).pathname))
      for (const id of reached) for (const each of imports.get(id) ?? []) reached.add(each)
      return reached
    },
  }
}

/**
 * What each start of the server loads, in four chunks, because a file takes about a millisecond. Three of them hold what runs in
 * every runtime, and in handlers for MSW: other entries load these, too. Bundlers keep what a file imports later, even if they drop the import.
 */
function startGroups({ reachedFrom, isLoading }) {
  const find = (...entries) => {
    let found
    return (id) => {
      found ??= reachedFrom(...entries)
      return found.has(id)
    }
  }
  const isStart = find(
    'cli/main.ts',
    'cli/commands/serve-command.ts',
    'entries/node.ts',
    'entries/generate-scenario.ts',
  )
  const isInHandlers = find('entries/msw.ts')
  const isInEveryRuntime = find(
    'entries/index.ts',
    'entries/msw.ts',
    'entries/testing.ts',
    'entries/judge-exchanges.ts',
  )
  return [
    { name: 'engine', test: (id) => isStart(id) && isInHandlers(id), priority: 3 },
    { name: 'sandbox', test: (id) => isStart(id) && isInEveryRuntime(id) && !isLoading(id), priority: 2 },
    { name: 'loading', test: (id) => isStart(id) && isInEveryRuntime(id), priority: 1 },
    { name: 'start', test: isStart, priority: 0 },
  ]
}

function minified(names) {
  return {
    name: 'minified',
    renderChunk(code, chunk) {
      return names.includes(chunk.name) ? minifySync(chunk.fileName, code, { module: true }).code : null
    },
  }
}

/** `this` is `exports` in CommonJS, but undefined in an ES module. */
function exportsAsThis() {
  return {
    name: 'exports-as-this',
    transform: {
      filter: { id: /uri-template-lite/ },
      handler: (code) => code.replaceAll('this.URI', 'exports.URI'),
    },
  }
}

/** TypeScript looks for its own file, to find out whether names of files differ by case. We read no files with it. */
function withoutFileName() {
  return {
    name: 'without-file-name',
    transform: {
      filter: { id: /typescript\/lib\/typescript\.js$/ },
      handler: (code) => code.replaceAll('__filename', '"typescript.js"'),
    },
  }
}

/** SQLite as WebAssembly, in a file beside the chunks, which it reads when a store is opened with it. */
function withWasm() {
  const name = 'node-sqlite3-wasm'
  const file = new URL(`node_modules/${name}/dist/${name}.wasm`, root)
  return {
    name: 'with-wasm',
    transform: {
      filter: { id: new RegExp(`${name}/dist/${name}\\.js$`) },
      async handler(code) {
        const fileName = 'chunks/sqlite3.wasm'
        this.emitFile({ type: 'asset', fileName, source: await readFile(file) })
        return code
          .replace(`locateFile("${name}.wasm")`, 'new URL("sqlite3.wasm", import.meta.url).href')
          .replace('scriptDirectory=__dirname+"/"', 'scriptDirectory=""')
          .replace('if(typeof __filename!="undefined"){_scriptName=__filename}else{}', '')
      },
    },
  }
}

/** undici uses this module only for an optional cache. Older versions of Node.js do not have it. */
function withoutSqlite() {
  const name = 'node:sqlite'
  return {
    name: 'without-sqlite',
    resolveId: { filter: { id: new RegExp(`^${name}$`) }, handler: () => `\0${name}` },
    load: { filter: { id: new RegExp(`${name}$`) }, handler: () => 'export {}' },
  }
}

/**
 * commander starts the commands that are programs of their own with these modules, and we have none. An import of
 * `node:process` would read each property of it: the streams, and the list of all flags.
 */
function withoutPrograms() {
  return {
    name: 'without-programs',
    transform: {
      filter: { id: /commander\/lib\/command\.js$/ },
      handler: (code) =>
        code
          .replace(/require\('node:(?:child_process|fs)'\)/g, '{}')
          .replace("require('node:process')", 'globalThis.process'),
    },
  }
}

/** Adds `node:` to built-in modules, so that they are not mistaken for packages. */
function withPrefix() {
  return {
    name: 'with-prefix',
    resolveId: {
      filter: { id: new RegExp(`^(${builtinModules.join('|')})$`) },
      handler(id, importer, options) {
        return this.resolve(`node:${id}`, importer, { ...options, skipSelf: true })
      },
    },
  }
}
