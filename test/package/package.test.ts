/** The published package: packed, installed in an empty folder, started, imported, type-checked and inspected. */
import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilRefused } from '../support/in-flight.js'
import { root, run, serve } from '../support/launch.js'
import { execute, install, nodeOf, type Packed, pack } from '../support/package.js'

/** The files that users load or start. */
const entries = ['index.js', 'node.js', 'msw.js', 'vitest.js', 'testing.js', 'store-tests.js', 'cli.js']

let packed: Packed
/** The folder in which only the package is installed. */
let project: string
/** The installed package. */
let home: string

beforeAll(async () => {
  packed = await pack()
  project = await install(packed, 'project')
  home = join(project, 'node_modules/petstore-sandbox')
})

afterAll(() => packed.remove())

describe('the tarball', () => {
  it('contains only the program, its declarations, the document, and text files such as the licence', () => {
    const expected = [
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
      /^bin\/(petstore-sandbox|start)\.js$/,
      /^bin\/package\.json$/,
      /^spec\/(petstore|control)\.openapi\.yaml$/,
      /^spec\/(report|expect)\.schema\.json$/,
      /^spec\/sandbox-(effect|resource)\.schema\.json$/,
      /^spec\/sandbox-(service|webhooks)\.schema\.json$/,
      /^dist\/(index|node|msw|vitest|testing|store-tests|cli|loader)\.js$/,
      /^dist\/chunks\/[\w-]+\.js$/,
      /^dist\/chunks\/sqlite3\.wasm$/,
      /^dist\/types\/[\w/-]+\.d\.ts$/,
      /^dist\/THIRD-PARTY-LICENCES\.txt$/,
    ]
    for (const pattern of expected) expect(packed.files.join('\n')).toMatch(new RegExp(pattern, 'm'))
    expect(packed.files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([])
    for (const paper of ['README.md', 'LICENSE', 'CHANGELOG.md']) expect(packed.files).toContain(paper)
    for (const entry of entries) expect(packed.files).toContain(`dist/${entry}`)
  })

  it('has no dependencies, and runs no scripts when it is installed', async () => {
    const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
    const brought = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies']
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining([expect.stringMatching(brought.join('|'))]))
    const peers = Object.keys(manifest.peerDependencies ?? {})
    expect(peers.filter((name) => !manifest.peerDependenciesMeta?.[name]?.optional)).toEqual([])
    const scripts = ['preinstall', 'install', 'postinstall']
    expect(Object.keys(manifest.scripts).filter((name) => scripts.includes(name))).toEqual([])
    const installed = await readdir(join(project, 'node_modules'))
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['petstore-sandbox'])
  })

  it('passes publint', async () => {
    const { stdout } = await tool('publint', 'publint', [packed.tarball, '--strict'])
    expect(stdout).toContain('All good!')
  })

  it('passes arethetypeswrong', async () => {
    // The document and the schema are files to read, not modules.
    const args = [
      packed.tarball,
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      './openapi.yaml',
      './report.schema.json',
      './expect.schema.json',
      './sandbox-effect.schema.json',
      './sandbox-resource.schema.json',
      './sandbox-service.schema.json',
      './sandbox-webhooks.schema.json',
      '--format',
      'json',
    ]
    const { stdout } = await tool('@arethetypeswrong/cli', 'attw', args)
    const { analysis } = JSON.parse(stdout)
    expect(Object.keys(analysis.entrypoints)).toEqual([
      '.',
      './node',
      './msw',
      './vitest',
      './testing',
      './store-tests',
      './package.json',
    ])
  })
})

/** Runs a tool of this checkout directly, without the output that npm adds. */
async function tool(name: string, command: string, args: readonly string[]): Promise<{ stdout: string }> {
  const folder = join(root, 'node_modules', name)
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = typeof bin === 'string' ? bin : bin[command]
  return execute(process.execPath, [join(folder, file), ...args], packed.folder)
}

describe('the installed program', () => {
  it.each([
    { by: 'its name in node_modules/.bin', command: ['node_modules/.bin/petstore-sandbox'] },
    { by: 'npx', command: ['npx', 'petstore-sandbox'] },
  ] as const)('starts by $by, serves, and ends with Ctrl-C', async ({ command: [file, ...args] }) => {
    const program = await serve(['--log', 'none'], { command: [file, ...args], cwd: project, isGroup: true })
    const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: 'Kim', categoryId: 1 })
    const created = await fetch(`${program.url}/v1/pets`, { method: 'POST', headers, body })
    expect(created.status).toBe(201)
    const pets = await (await fetch(`${program.url}/v1/pets`, { headers })).json()
    expect(pets[0]).toEqual(await created.json())
    program.signal('SIGINT')
    const { stderr } = await program.ended
    expect(stderr).not.toMatch(/^\s+at /m)
    await untilRefused(program.port)
  })

  it('is executable', async () => {
    const file = join(home, 'bin/petstore-sandbox.js')
    expect((await stat(file)).mode & 0o111).toBe(0o111)
    expect(await readFile(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it('serves the document that it was built from', async () => {
    const program = await serve([], { command: ['node_modules/.bin/petstore-sandbox'], cwd: project })
    const served = await (await fetch(`${program.url}/_sandbox/openapi.yaml`)).text()
    expect(served).toBe(await readFile(join(home, 'spec/petstore.openapi.yaml'), 'utf8'))
    expect(served).toBe(await readFile(join(root, 'spec/petstore.openapi.yaml'), 'utf8'))
  })
})

describe('the entries', () => {
  /** Runs a module in the project. */
  async function evaluate(script: string, ...flags: string[]): Promise<unknown> {
    const command = [process.execPath, ...flags, '--input-type=module', '--eval', script] as const
    const { code, stdout, stderr } = await run([], { command, cwd: project })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    return JSON.parse(stdout)
  }

  it.each([
    {
      entry: 'petstore-sandbox',
      names: [
        'SandboxError',
        'compileDocument',
        'createSandbox',
        'defineOverrides',
        'generateScenario',
        'withHttpCare',
      ],
    },
    { entry: 'petstore-sandbox/node', names: ['SandboxError', 'compileFile', 'openStore', 'startServer'] },
  ])('$entry exports $names', async ({ entry, names }) => {
    const script = `console.log(JSON.stringify(Object.keys(await import('${entry}')).sort()))`
    expect(await evaluate(script)).toEqual(names)
  })

  it('share one SandboxError', async () => {
    const script = `
      import { SandboxError } from 'petstore-sandbox'
      import { startServer } from 'petstore-sandbox/node'
      const error = await startServer({ port: -1 }).catch((thrown) => thrown)
      console.log(JSON.stringify([error instanceof SandboxError, error.code]))`
    expect(await evaluate(script)).toEqual([true, 'INVALID_OPTION'])
  })

  it('export the document and the manifest as files', async () => {
    const script = `
      import { fileURLToPath } from 'node:url'
      const resolve = (name) => fileURLToPath(import.meta.resolve(name))
      console.log(JSON.stringify(['petstore-sandbox/openapi.yaml', 'petstore-sandbox/package.json'].map(resolve)))`
    const [document = '', manifest = ''] = (await evaluate(script)) as string[]
    const original = join(root, 'spec/petstore.openapi.yaml')
    expect(await readFile(document, 'utf8')).toBe(await readFile(original, 'utf8'))
    expect(JSON.parse(await readFile(manifest, 'utf8')).name).toBe('petstore-sandbox')
  })

  it('export nothing else', async () => {
    const script = `
      const codes = await Promise.all(['petstore-sandbox/dist/cli.js', 'petstore-sandbox/types'].map((name) =>
        import(name).then(() => 'imported', ({ code }) => code)))
      console.log(JSON.stringify(codes))`
    expect(await evaluate(script)).toEqual(Array(2).fill('ERR_PACKAGE_PATH_NOT_EXPORTED'))
  })

  it('work if evaluating code is forbidden', async () => {
    const flag = '--disallow-code-generation-from-strings'
    const script = `
      import { createSandbox } from 'petstore-sandbox'
      import { startServer } from 'petstore-sandbox/node'
      const evaluated = (() => { try { return new Function('return true')() } catch { return false } })()
      const { fetch: call } = createSandbox()
      const init = { method: 'POST', headers: { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }, body: '{"name":"Kim","categoryId":1}' }
      const direct = await call('https://api.petstore.example/v1/pets', init)
      const refused = await call('https://api.petstore.example/v1/pets', { ...init, body: '{"name":1}' })
      await (await startServer({ port: 0 })).close()
      console.log(JSON.stringify([evaluated, direct.status, refused.status]))`
    expect(await evaluate(script, flag)).toEqual([false, 201, 400])
    const command = [process.execPath, flag, join(home, 'bin/petstore-sandbox.js')] as const
    const { url } = await serve(['--records', '5'], { command, cwd: project })
    const pets = await fetch(`${url}/v1/pets`, { headers: { Authorization: 'Bearer sandbox' } })
    expect(await pets.json()).toHaveLength(5)
  })
})

describe('the types', () => {
  const compilers = {
    node16: { module: 'Node16', moduleResolution: 'Node16' },
    bundler: { module: 'ESNext', moduleResolution: 'Bundler' },
  }

  it.each(Object.entries(compilers))('fit a program with moduleResolution %s, which runs', async (name, options) => {
    const folder = await consumer(`consumer-${name}`, 'consumer.ts', ['openapi-fetch', 'openapi-typescript-helpers'])
    const kim = { id: 1, name: 'Kim', categoryId: 1, status: 'available' }
    expect(await compileAndRun(folder, 'consumer', { ...options, skipLibCheck: false })).toEqual({
      pet: kim,
      found: [kim],
      error: 'not_found',
      refused: 400,
      body: [],
      code: 'INVALID_OPTION',
    })
  })

  it.each([
    { version: '2', folder: 'msw', node: async () => process.execPath },
    // MSW 3 needs Node.js 22.
    { version: '3', folder: 'msw-3', node: () => nodeOf('22') },
  ])('fit a program with MSW $version, which runs', async ({ folder: from, node }) => {
    const folder = await consumer(`consumer-${from}`, 'consumer-msw.ts', [])
    await symlink(join(root, 'node_modules', from), join(folder, 'node_modules/msw'))
    const options = { ...compilers.node16, skipLibCheck: true }
    expect(await compileAndRun(folder, 'consumer-msw', options, await node())).toEqual({
      status: 201,
      pet: { id: 1, name: 'Kim', categoryId: 1 },
      kept: 1,
      listed: 200,
    })
  })

  /** Creates a project with the package and the libraries that it uses. */
  async function consumer(name: string, program: string, libraries: readonly string[]): Promise<string> {
    const folder = join(packed.folder, name)
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    await cp(home, join(folder, 'node_modules/petstore-sandbox'), { recursive: true })
    for (const library of libraries) {
      await cp(join(root, 'node_modules', library), join(folder, 'node_modules', library), { recursive: true })
    }
    await cp(join(root, 'test/package', program), join(folder, program))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    return folder
  }

  async function compileAndRun(
    folder: string,
    program: string,
    options: object,
    node: string = process.execPath,
  ): Promise<unknown> {
    const common = { target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [], strict: true, outDir: 'out' }
    const compilerOptions = { ...common, ...options }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`${program}.ts`] }))
    await tool('typescript', 'tsc', ['-p', folder])
    return JSON.parse((await execute(node, [`out/${program}.js`], folder)).stdout)
  }
})

describe('the modules', () => {
  interface Module {
    source: ts.SourceFile
    /** Static imports. */
    fixed: string[]
    /** Dynamic imports. */
    late: string[]
  }

  async function read(file: string): Promise<Module> {
    const text = await readFile(join(home, 'dist', file), 'utf8')
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
    const found: Module = { source, fixed: [], late: [] }
    visit(source, (node) => {
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
        if (node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
          found.fixed.push(node.moduleSpecifier.text)
      } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        const [name] = node.arguments
        found.late.push(name && ts.isStringLiteral(name) ? name.text : node.getText())
      }
    })
    return found
  }

  function visit(node: ts.Node, look: (node: ts.Node) => void): void {
    look(node)
    ts.forEachChild(node, (child) => visit(child, look))
  }

  /** All modules that an entry loads at its start, or also later. */
  async function closure(
    entry: string,
    how: 'at its start' | 'ever',
  ): Promise<{ files: Set<string>; others: Set<string> }> {
    const files = new Set<string>([entry])
    const others = new Set<string>()
    for (const file of files) {
      const { fixed, late } = await read(file)
      for (const name of how === 'ever' ? [...fixed, ...late] : fixed) {
        if (name.startsWith('.')) files.add(join(dirname(file), name))
        else others.add(name)
      }
    }
    return { files, others }
  }

  /** Matches the evaluation of code: `eval`, and `Function` with or without `new`. */
  function evaluations({ source }: Module): string[] {
    const found: string[] = []
    visit(source, (node) => {
      const isCall = ts.isCallExpression(node) || ts.isNewExpression(node)
      if (isCall && /^((globalThis|window|self)\.)?(eval|Function)$/.test(node.expression.getText()))
        found.push(node.getText())
    })
    return found
  }

  it.each([
    { entry: 'index.js', needs: [] },
    { entry: 'msw.js', needs: ['msw'] },
    { entry: 'vitest.js', needs: ['vitest', 'msw'] },
  ])('of $entry need nothing of Node.js, not even later on, but $needs', async ({ entry, needs }) => {
    const { files, others } = await closure(entry, 'ever')
    expect([...others]).toEqual(needs)
    expect(files.size).toBeGreaterThan(1)
  })

  it.each(['node.js', 'cli.js'])('of %s come from the package or from Node.js', async (entry) => {
    const { others } = await closure(entry, 'ever')
    expect([...others].filter((name) => !name.startsWith('node:'))).toEqual([])
  })

  it('are all reachable from an entry', async () => {
    // `run` loads it into the processes of the command.
    const reached = new Set<string>(['dist/loader.js'])
    for (const entry of entries) {
      for (const file of (await closure(entry, 'ever')).files) reached.add(`dist/${file}`)
    }
    expect(packed.files.filter((file) => /^dist\/.*\.js$/.test(file)).sort()).toEqual([...reached].sort())
  })

  it('that evaluate code are loaded only for --spec, check and export', async () => {
    const started = new Set<string>()
    const evaluating: string[] = []
    for (const entry of entries) {
      for (const file of (await closure(entry, 'at its start')).files) started.add(file)
      for (const file of (await closure(entry, 'ever')).files) {
        if (evaluations(await read(file)).length > 0) evaluating.push(file)
      }
    }
    // Ajv is in two modules that evaluate code, the compiler of other documents and Prism; and TypeScript is in one.
    expect(new Set(evaluating).size).toBe(3)
    expect(evaluating.filter((file) => started.has(file))).toEqual([])
  })

  it('can be bundled for browsers completely', async () => {
    const entry = join(packed.folder, 'project/page.js')
    await writeFile(entry, "import { createSandbox } from 'petstore-sandbox'\nglobalThis.sandbox = createSandbox()\n")
    const warnings: unknown[] = []
    const bundle = await rolldown({ input: entry, platform: 'browser', onLog: (_, log) => warnings.push(log.message) })
    const { output } = await bundle.generate({ format: 'esm' })
    const chunks = output.flatMap((each) => (each.type === 'chunk' ? [each] : []))
    const own = new Set(chunks.map(({ fileName }) => fileName))
    const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    expect(imported.filter((name) => !own.has(name))).toEqual([])
    expect(warnings).toEqual([])
  })
})

describe('the licences', () => {
  it('of all bundled packages are in one file', async () => {
    const notices = await readFile(join(home, 'dist/THIRD-PARTY-LICENCES.txt'), 'utf8')
    const bundled = await bundledPackages()
    const named = [...notices.matchAll(/^(\S+) (\d\S+) \(([^)]+)\)$/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    )
    expect(named.sort()).toEqual(bundled.map(({ name, version }) => `${name} ${version}`).sort())
    for (const { name, folder } of bundled) {
      const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each))
      if (file) expect(notices, name).toContain((await readFile(join(folder, file), 'utf8')).trim())
      // Some packages name their licence without including its text.
      else
        expect(notices, name).toMatch(new RegExp(`^${name} \\S+ \\(MIT\\)\\n\\nCopyright .*\\n\\nPermission is`, 'm'))
    }
    expect(bundled.map(({ name }) => name)).toContain('commander')
  })

  /** Finds bundled packages by bundling the sources again. */
  async function bundledPackages(): Promise<{ name: string; version: string; folder: string }[]> {
    const bundle = await rolldown({
      input: [
        ...['entries/index.ts', 'entries/node.ts', 'entries/msw.ts', 'entries/vitest.ts', 'entries/testing.ts'],
        ...['cli/main.ts', 'inspector/app.tsx'],
      ].map((name) => join(root, `src/${name}`)),
      platform: 'neutral',
      external: /^node:|^msw$|^vitest$|^(assert|buffer|child_process|crypto|events|fs|os|path|process|url|util)$/,
      resolve: {
        extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
        mainFields: ['module', 'main'],
        conditionNames: ['browser', 'import', 'default'],
      },
    })
    const { output } = await bundle.generate({ format: 'esm' })
    const modules = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
    const folders = new Set(
      modules.flatMap((id) => /^\0?(?:[\w-]+:)?(\/.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)/.exec(id)?.[1] ?? []),
    )
    return Promise.all(
      [...folders].map(async (folder) => {
        const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
        return { name, version, folder }
      }),
    )
  }
})
