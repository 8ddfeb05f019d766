/** Writes handlers in chunks: an entry that finds operations, what the operations of each tag need, and the data of each collection. */
import { createHash } from 'node:crypto'
import type { ContractModule } from '../../compile/compile-text.js'
import type { Operation } from '../../contract/contract.js'
import type { ChunkContent } from '../../entries/split-module.js'
import { writeCompact } from '../../json/compact-json.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import type { SamplerPlan } from '../../json/sampler/sampler-plan.js'
import type { Scenario } from '../../state/scenario.js'
import { toLiteral, usedCollections, writeExact } from './module-code.js'

export interface SplitOptions {
  contract: ContractModule['contract']
  tags: ContractModule['tags']
  toValidators: ContractModule['toValidators']
  records: Scenario
  /** The chunks of the engine, by the names of their files. */
  engine: Record<string, { code: string; imports: string[] }>
  /** The folder of the chunks, from the entry: `./sandbox-chunks`. */
  folder: string
  /** Comments at the beginning of each file. */
  header: string
  /** `js` or `mjs` */
  extension: string
}

/** The code of the entry, and of the chunks by the names of their files. */
export interface SplitCode {
  entry: string
  chunks: Map<string, string>
}

/** The operations of a chunk. */
interface Group {
  name: string
  numbers: readonly number[]
  /** Its code. */
  content: string
}

/** Characters of a chunk with several operations. More chunks have more in common, which each of them repeats. */
const mostLength = 24_000

/** What a chunk has before its numbers are known. */
type Content = Pick<ChunkContent, 'operations'> & { needs: unknown }

export function renderSplit(options: SplitOptions): SplitCode {
  const { contract, tags, toValidators, records, engine, folder, header, extension } = options
  const { operations, collections, webhooks = [], errorBody, plans, recordPlans, ...shared } = contract
  const beginnings = operations.map((each) => split(each)[0])
  const isNamed = new Set<string>()
  const toFile = (beginning: string, name: string) => `${toUniqueName(isNamed, beginning, name)}.${extension}`
  const entryContract = writeCompact({
    ...shared,
    ...{ operations: beginnings, collections, errorBody },
    ...(webhooks.length > 0 && { webhooks }),
    ...(recordPlans && { recordPlans: {} }),
  })
  const own = { operations: [], needs: [errorBody, ambiguousOf(operations)] }
  const stamp = createHash('sha256')
    .update(entryContract + JSON.stringify([operations, plans]))
    .digest('hex')
    .slice(0, 8)
  const chunks = new Map<string, string>()
  const engineFiles = new Set<string>()

  const groups = [...groupOperations(operations, tags)].flatMap(([name, numbers]) => toChunks(name, numbers))
  const files = groups.map(({ name, numbers, content }) => {
    const file = toFile('tag', name)
    const parts = partsOf(numbers.map((number) => operations[number] as Operation))
    const codecs = parts.flatMap(({ codec, name: part }) => (codec === undefined ? [] : [`'${codec}': ${part}`]))
    const others = parts.flatMap(({ codec, name: part }) => (codec === undefined ? [part] : []))
    const imports = parts.map(({ name: part, file: from }) => `import { ${part} } from './${toEngineFile(from)}'`)
    const given = [...others, ...(codecs.length > 0 ? [`codecs: { ${codecs.join()} }`] : [])]
    chunks.set(
      file,
      [header, ...imports, `export const chunk = { ${content}, parts: { ${given.join()} } }`, ''].join('\n'),
    )
    return file
  })
  const data = Object.entries(records).map(([name, list]) => {
    const file = toFile('data', name)
    chunks.set(file, `${header}\nexport const records = ${toLiteral(writeCompact(list, writeExact))}\n`)
    return `[${JSON.stringify(name)}, ${toImport(file)}]`
  })
  const chunkOf = operations.map((_, number) => groups.findIndex(({ numbers }) => numbers.includes(number)))
  const sending = webhooks.length > 0
  const entry = [
    header,
    `import { createSplitModule } from '${folder}/${toEngineFile('engine-start.js')}'`,
    ...(sending ? [`import * as sending from '${folder}/${toEngineFile('engine-webhooks.js')}'`] : []),
    'export const createHandlers = createSplitModule({',
    `stamp: '${stamp}', contract: ${toLiteral(entryContract)},`,
    `own: { ${renderContent(own)} },`,
    `chunkOf: ${JSON.stringify(chunkOf)},`,
    `chunks: [\n${files.map(toImport).join(',\n')}\n],`,
    `data: [\n${data.join(',\n')}\n],`,
    `${sending ? 'sending,' : ''}})`,
    'export const { handlers, sandbox } = createHandlers()',
    '',
  ].join('\n')
  for (const name of engineFiles) {
    const code = engine[name]?.code.replaceAll(/(["`]\.\/engine-[\w-]+)\.js(?=["`])/g, `$1.${extension}`)
    chunks.set(name.replace(/js$/, extension), `${header}\n${code}\n`)
  }
  return { entry, chunks }

  /** Halves the operations of a tag until a chunk is small, or has only one. */
  function toChunks(name: string, numbers: readonly number[]): Group[] {
    const content = renderContent(contentOf(numbers))
    if (content.length <= mostLength || numbers.length === 1) return [{ name, numbers, content }]
    const half = Math.ceil(numbers.length / 2)
    return [numbers.slice(0, half), numbers.slice(half)].flatMap((part) => toChunks(name, part))
  }

  function toImport(file: string): string {
    return `() => import('${folder}/${file}')`
  }

  /** Adds a file of the engine, and all that it imports. @returns its name */
  function toEngineFile(name: string): string {
    if (!engineFiles.has(name)) {
      engineFiles.add(name)
      for (const each of engine[name]?.imports ?? []) toEngineFile(each)
    }
    return name.replace(/js$/, extension)
  }

  function contentOf(numbers: readonly number[]): Content {
    const group = numbers.map((number) => operations[number] as Operation)
    const ids = new Set(group.map(({ id }) => id))
    // With HTTP semantics, a change answers what GET does at the same path.
    const paths = new Set(group.flatMap(({ path, extras }) => (extras?.kind === 'http' ? [path] : [])))
    const read = operations.flatMap(({ method, path }, number) => (method === 'GET' && paths.has(path) ? [number] : []))
    const all = [...new Set([...numbers, ...read])].map((number) => [number, operations[number] as Operation] as const)
    const sent = webhooks.filter(({ on }) => on.some((id) => ids.has(id)))
    const used = usedCollections(contract, [all.map(([, operation]) => operation), sent])
    return {
      operations: all.map(([number, operation]) => [number, split(operation)[1], dataOf(operation)]),
      needs: [all, sent, collections.filter(({ name }) => used.has(name))],
    }
  }

  /** The collections whose data an operation always needs, or outside of its effect, which waits for data. */
  function dataOf({ id, effect, keyWords = [] }: Operation): string[] {
    const own = 'collection' in effect && effect.collection !== undefined ? [effect.collection] : []
    const named = keyWords.map(({ collection }) => collection)
    const sent = webhooks.flatMap(({ on, url }) => (on.includes(id) && url.kind === 'records' ? [url.collection] : []))
    return [...new Set([...own, ...named, ...sent])]
  }

  function renderContent({ needs, ...content }: Content): string {
    const needed = { validators: new Set<number>(), plans: new Set<number>() }
    collectNumbers(needs, needed)
    for (const number of needed.plans) for (const inner of plansIn(plans[number])) needed.plans.add(inner)
    const numbers = [...needed.validators].sort((a, b) => a - b)
    const text = writeCompact({
      stamp,
      ...content,
      plans: [...needed.plans].flatMap((number) => (plans[number] ? [[number, plans[number]]] : [])),
      validators: numbers,
    })
    return `text: ${toLiteral(text)},\ntoValidators: (require) => {\nconst exports = {};\n${toValidators(numbers)}\n}`
  }
}

/** The numbers of operations by tag, else by the first step of the path in which operations differ. */
function groupOperations(operations: readonly Operation[], tags: readonly string[][]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  const stepsOf = ({ path }: Operation) => path.split(/[/?#]/).filter((step) => step !== '' && !step.includes('{'))
  const untagged = operations.filter((_, number) => tags[number]?.length === 0).map(stepsOf)
  const [first = []] = untagged
  const different = first.findIndex((step, index) => untagged.some((steps) => steps[index] !== step))
  for (const [number, operation] of operations.entries()) {
    const name = tags[number]?.[0] ?? stepsOf(operation)[Math.max(0, different)] ?? operation.id
    getOrInsert(groups, name, () => []).push(number)
  }
  return groups
}

/** The part of an operation that finds and refuses requests, and the rest. */
function split(operation: Operation): [beginning: Partial<Operation>, rest: Partial<Operation>] {
  const { id, method, path, equivalentPath, selector, servers, parameters, validatePath, security, ...others } =
    operation
  const { lifecycle, corrected, ...rest } = others
  const beginning = { id, method, path, equivalentPath, selector, servers, parameters, validatePath, security }
  return [{ ...beginning, lifecycle, corrected } as Partial<Operation>, rest]
}

/** The operations among which only the validators of their paths choose. */
function ambiguousOf(operations: readonly Operation[]): Pick<Operation, 'validatePath'>[] {
  const groups = new Map<string, Operation[]>()
  for (const each of operations) {
    const steps = each.path.split('/').map((step) => {
      const literal = step.replaceAll(/\{[^}]*\}/g, '')
      return step.includes('{') ? `{${literal.length}}` : literal
    })
    getOrInsert(groups, `${each.method} ${steps.join('/')}`, () => []).push(each)
  }
  return [...groups.values()]
    .flatMap((group) => (group.length < 2 ? [] : group))
    .map(({ validatePath }) => ({ validatePath }))
}

/** The late parts of the engine that operations use. */
function partsOf(operations: readonly Operation[]): { file: string; name: string; codec?: string }[] {
  const contents = operations.flatMap(({ body }) => [...(body?.content ?? []), ...(body?.equivalents ?? [])])
  const codecs = [...new Set(contents.map(({ codec }) => codec))].filter((codec) => codec !== 'json')
  return [
    ...codecs.map((codec) => ({
      codec,
      file: `engine-${codec}.js`,
      name: `${codec.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Codec`,
    })),
    ...(operations.some(({ extras }) => extras) ? [{ file: 'engine-extras.js', name: 'useExtras' }] : []),
    ...(operations.some(({ parameters }) => parameters.some(({ style }) => style))
      ? [{ file: 'engine-styled.js', name: 'readStyled' }]
      : []),
    ...(operations.some(({ representations }) => representations)
      ? [{ file: 'engine-negotiate.js', name: 'createNegotiate' }]
      : []),
  ]
}

/** Collects the numbers of validators and plans in a part of a contract. Their names say what they are. */
function collectNumbers(part: unknown, into: { validators: Set<number>; plans: Set<number> }): void {
  if (Array.isArray(part)) for (const each of part) collectNumbers(each, into)
  if (!isObject(part)) return
  for (const [name, each] of Object.entries(part)) {
    if (typeof each !== 'number') collectNumbers(each, into)
    else if (/^validate/.test(name)) into.validators.add(each)
    else if (/plan$/i.test(name)) into.plans.add(each)
  }
}

/** The plans that a plan refers to. */
function plansIn(plan: SamplerPlan | undefined): number[] {
  if (plan?.kind === 'anyOf') return plan.plans
  if (plan?.kind === 'list') {
    const { items, first = [], contains } = plan
    return [items, ...first, ...(contains ? [contains.plan] : [])]
  }
  if (plan?.kind === 'object') {
    const { properties, others = [], names = [] } = plan
    return [...properties.map(([, number]) => number), others, names].flat()
  }
  if (plan?.kind !== 'text') return []
  const found: number[] = []
  JSON.stringify(plan.parts, (name, each) => {
    if (name === 'of' && typeof each === 'number') found.push(each)
    return each
  })
  return found
}

/** A name for a file on any system: ASCII in lower case, and different from the others. */
function toUniqueName(known: Set<string>, beginning: string, name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
  const first = words === '' ? beginning : `${beginning}-${words}`
  let unique = first
  for (let number = 2; known.has(unique); number++) unique = `${first}-${number}`
  known.add(unique)
  return unique
}
