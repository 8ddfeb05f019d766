/** `npm run bench clients`: programs of official client libraries go as its bars demand. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileFile } from 'petstore-sandbox/node'
import { expect, it } from 'vitest'
import { root } from '../support/launch.js'

const { catalog } = await import(join(root, 'bench/clients/catalog.js'))
const { classes } = await import(join(root, 'bench/clients/classes.js'))
const names = Object.keys(catalog)
const needs = ['document', 'leniency', 'overlay', 'more']

interface Step {
  name: string
  does: string
  source: string
  needs: string
  class: string
  follows?: string[]
  run: unknown
}

it('has a program for each library of the catalog', () => {
  const programs = readdirSync(join(root, 'bench/clients/programs')).map((file) => file.replace(/\.js$/, ''))
  expect(programs.toSorted()).toEqual(names.toSorted())
})

it.each(names)('the program of %s has 10 to 15 steps, each with what the service does and its source', async (name) => {
  const { default: program } = await import(join(root, `bench/clients/programs/${name}.js`))
  const steps: Step[] = program.steps
  expect(steps.length).toBeGreaterThanOrEqual(10)
  expect(steps.length).toBeLessThanOrEqual(15)
  expect(new Set(steps.map((step) => step.name)).size).toBe(steps.length)
  steps.forEach((step, index) => {
    expect(needs, step.name).toContain(step.needs)
    expect(Object.keys(classes), step.name).toContain(step.class)
    expect(step.does.length, step.name).toBeGreaterThan(20)
    expect(step.source.length, step.name).toBeGreaterThan(5)
    expect(step.run, step.name).toBeTypeOf('function')
    const earlier = steps.slice(0, index).map((each) => each.name)
    for (const followed of step.follows ?? []) expect(earlier, step.name).toContain(followed)
  })
})

const overlays = readdirSync(join(root, 'examples/overlays'))

it('has an example of an overlay for services whose document says too little', () => {
  expect(overlays.length).toBeGreaterThanOrEqual(10)
  for (const file of overlays) expect(names).toContain(file.replace('.yaml', ''))
})

it.each(overlays)('the overlay %s applies to the document of its service', async (overlay) => {
  const { findDocument } = await import(join(root, 'bench/clients/documents.js'))
  const { document } = catalog[overlay.replace('.yaml', '')]
  const { file } = await findDocument(document, process.env['BENCH_REPOSITORIES'])
  // A clone of the repository of a document need not be here.
  if (file === undefined) return
  const { notes } = await compileFile(file, { overlays: [join(root, 'examples/overlays', overlay)] })
  expect(notes().filter(({ message }) => /overlay|x-sandbox|target/.test(message))).toEqual([])
})

/** Libraries whose programs an overlay and overrides make right. Some need only an overlay. */
const repaired = [
  ...[
    'adyen',
    'asana',
    'influxdb',
    'linode',
    'mux',
    'netlify',
    'sendgrid',
    'stripe',
    'svix',
    'telnyx',
    'twilio',
    'xero',
  ],
]

it('has overrides only for services whose program they make right', () => {
  const files = readdirSync(join(root, 'examples/overrides')).filter((file) => file.endsWith('.js'))
  for (const file of files) expect(repaired).toContain(file.replace('.js', ''))
})

it.each(repaired)('the overlay and the overrides of %s have at most 100 short lines', async (name) => {
  const files = [`overlays/${name}.yaml`, `overrides/${name}.js`].map((file) => join(root, 'examples', file))
  const texts = await Promise.all(files.filter((file) => existsSync(file)).map((file) => readFile(file, 'utf8')))
  const lines = texts.flatMap((text) => text.trimEnd().split('\n'))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.length).toBeLessThanOrEqual(100)
  expect(lines.filter((line) => line.length > 120)).toEqual([])
})

/** Runs the benchmark; its report goes to the log of CI. */
async function bench(name: string, ...args: string[]) {
  const child = spawn(process.execPath, ['bench/run.js', 'clients', ...args], { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return { code, ...JSON.parse(await readFile(join(root, 'bench/results', `${name}.json`), 'utf8')) }
}

it('gets nine in ten steps right with an overlay and overrides', async () => {
  const added = ['--overlay', 'examples/overlays', '--overrides', 'examples/overrides']
  const { data } = await bench('clients-only-overlay-overrides', '--only', repaired.join(), ...added)
  const shares = data.programs.map(({ name, steps }: { name: string; steps: { outcome: string }[] }) => [
    name,
    steps.filter(({ outcome }) => outcome === 'right').length / steps.length,
  ])
  expect(shares.map(([name]: [string]) => name).toSorted()).toEqual(repaired)
  expect(shares.filter(([, share]: [string, number]) => !(share >= 0.9))).toEqual([])
}, 900_000)

it('keeps its bars', async () => {
  const { code, bars } = await bench('clients')
  expect(bars.filter(({ isKept }: { isKept: boolean }) => !isKept)).toEqual([])
  expect(bars).toHaveLength(2)
  expect(code).toBe(0)
}, 900_000)

it('gets hardly any step right if every operation answers by example', async () => {
  const { code, bars } = await bench('clients-examples', '--server', 'examples')
  expect(bars.filter(({ isKept }: { isKept: boolean }) => !isKept)).toEqual([])
  expect(bars).toHaveLength(1)
  expect(code).toBe(0)
}, 900_000)
