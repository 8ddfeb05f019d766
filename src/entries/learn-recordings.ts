/** Learns what a service does from recordings of it, and writes that as an overlay. For Node.js. */
import { toRecorded } from '../behaviour/line.js'
import { reasonsOfErrors } from '../behaviour/vocabulary.js'
import { type Recorded, readHar } from '../checks/consumer/read-har.js'
import { pathKeys, toTarget } from '../compile/resources/print-overlay.js'
import type { CollectionModel } from '../contract/contract.js'
import { findCredentials, findSecretNames } from '../contract/hiding/find-credentials.js'
import { createHide } from '../contract/hiding/hide-secrets.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { type OpenApiDocument, pathItemOf } from '../document/document.js'
import { effectName, resourceName, serviceName } from '../document/refuse-unknown.js'
import { toJson } from '../json/exact-json.js'
import type { ExactValue } from '../json/exact-value.js'
import { createHideValues, type HideValues } from '../learn/hide-values.js'
import { distance, type LearnFrom, learn, type Played } from '../learn/learn.js'
import type { Learned, Observed } from '../learn/observed.js'
import { recordsBefore, shownRecords } from '../learn/shown-records.js'
import { readTextFile } from '../node/read-text-file.js'
import { describeOperations } from '../schemas/operations/describe-operations.js'
import { compileSpec, type SpecOptions } from './compile-spec.js'
import { type CompiledText, compileText } from './compile-text.js'
import { parse, playRecording, type Records } from './play-recording.js'

export interface LearnOptions extends SpecOptions {
  /** The share of the exchanges, the last ones, with which the lines are tested. 0: they are not tested. @default 0.3 */
  test?: number
  /** Keeps the values of persons. Secrets are never written. @default false */
  keepValues?: boolean
}

export interface LearnedService {
  /** The overlay, as YAML. */
  overlay: string
  /** The number of lines in it. */
  lines: number
  /** The records that existed before the first exchange, by collection. */
  records: Records
  /** About the exchanges that test. Absent if none do. */
  tested?: { before: Fidelity; after: Fidelity }
  /** About all exchanges, with all lines. */
  all: { before: Fidelity; after: Fidelity }
}

/** How many answers are as those of the real service. */
export interface Share {
  count: number
  /** Those with the same status. */
  sameStatus: number
  /** Those in which nothing differs. */
  right: number
}

export interface Fidelity extends Share {
  /** By operation, as `METHOD /path`. */
  operations: ReadonlyMap<string, Share>
  /** What differs most often, without values. */
  common: readonly string[]
}

/** Maximum number of differences that are listed. */
const mostCommon = 10

/**
 * @param files HAR files, in the order in which they were recorded
 * @throws SandboxError `UNREADABLE_FILE`, also if no request is one of the document; `INVALID_DOCUMENT`
 */
export async function learnRecordings(
  files: readonly string[],
  { test = 0.3, keepValues = false, ...spec }: LearnOptions = {},
): Promise<LearnedService> {
  const base = await compileSpec(spec, {})
  const entries = await readRecordings(files, base)
  const hide = createHiding(base, entries, keepValues)
  const untouched = await playRecording(base.contract, entries, {})
  const first = entries.length - Math.floor(entries.length * test)
  const trial = test > 0 ? await learnFrom(base, entries.slice(0, first), hide) : undefined
  const lesson = await learnFrom(base, entries, hide)
  const judge = async ({ lines, records, learning }: Lesson) =>
    playWith({ ...learning, document: base.document }, lines, entries, renamed(base, learning, records))
  const rest = ({ number }: Observed) => number > first
  const final = await judge(lesson)
  return {
    overlay: await writeLines({ ...lesson.learning, document: base.document }, final.lines),
    lines: final.lines.length,
    records: renamed(base, lesson.learning, lesson.records),
    ...(trial && {
      tested: { before: toFidelity(untouched.filter(rest)), after: toFidelity((await judge(trial)).all.filter(rest)) },
    }),
    all: { before: toFidelity(untouched), after: toFidelity(final.all) },
  }
}

/** Compares a sandbox of a document with a recording. */
export async function compareRecording(
  files: readonly string[],
  spec: SpecOptions,
  records: Records,
): Promise<Fidelity> {
  const base = await compileSpec(spec, {})
  return toFidelity(await playRecording(base.contract, await readRecordings(files, base), records))
}

async function readRecordings(files: readonly string[], { contract }: CompiledText): Promise<Recorded[]> {
  const all: Recorded[] = []
  for (const file of files) all.push(...readHar(await readTextFile(file), file))
  const played = await playRecording(contract, all, {})
  if (played.length > 0) return all
  const hosts = [...new Set(all.map(({ url }) => url.origin))].slice(0, 5).join(', ') || 'no address'
  const why = `None of the ${all.length} recorded requests is an operation of the document: they are to ${hosts}`
  throw new SandboxError('UNREADABLE_FILE', `${why}. Name the recording of its service`)
}

/** What may not be written: credentials, and values of persons. */
function createHiding({ contract }: CompiledText, entries: readonly Recorded[], keepsValues: boolean): HideValues {
  const names = findSecretNames(contract)
  const secrets = new Set<string>()
  for (const { url, request, response } of entries) {
    const texts = { key: undefined, request: { ...request, path: url.pathname, query: url.search.slice(1) }, response }
    for (const secret of findCredentials(names, texts, [])) secrets.add(secret)
  }
  const hideSecrets = createHide(secrets, '***')
  const bodies = entries.flatMap(({ request, response: { body } }) => [
    request.body ?? '',
    typeof body === 'string' ? body : '',
  ])
  return createHideValues({
    values: [...bodies.map(parse), ...entries.map(({ url }) => Object.fromEntries(url.searchParams))],
    hasSecret: (text) => hideSecrets(text) !== text,
    keepsValues,
  })
}

/** A document about which something is learned. */
interface Learning {
  document: OpenApiDocument
  /** A path at which each collection is corrected, by its name. */
  paths: ReadonlyMap<string, string>
}

interface Lesson {
  learning: Learning
  lines: readonly Learned[]
  records: Records
}

/** Learns with the part of the document that was called: that needs less time, and holds for the rest, too. */
async function learnFrom(base: CompiledText, entries: readonly Recorded[], hide: HideValues): Promise<Lesson> {
  const called = await playRecording(base.contract, entries, {})
  const document = narrow(base.document, new Set(called.map(({ operation }) => operation.path)))
  const { contract } = compileText(toJson(document as ExactValue), 'document.json')
  const models = new Map(contract.collections.map((each) => [each.name, each]))
  const keyOf = (name: string) => models.get(name)?.key ?? 'id'
  const plain = await playRecording(contract, entries, {})
  const before = [...recordsBefore(plain, shownRecords(plain, keyOf), keyOf)]
  const records = Object.fromEntries(before.map(([name, all]) => [name, all.map(hide.hideRecord)]))
  const learning = { document, paths: pathsOf(document, plain) }
  const from: LearnFrom = {
    play: (lines) => playWith(learning, lines, entries, records),
    keyOf,
    isKey: (name, property) => isKeyOf(models.get(name), property),
    pathsBelow: (name) =>
      contract.operations.flatMap(({ effect, path }) => {
        const links = effect.kind === 'create' ? models.get(effect.collection)?.links : undefined
        return links?.some(({ collection }) => collection === name) ? path : []
      }),
    isReason: (reason) => reasonsOfErrors.includes(reason),
    hide: hide.hide,
  }
  return { learning, records, lines: (await learn(from)).lines }
}

function isKeyOf(model: CollectionModel | undefined, property: string): boolean {
  return model?.key === property || (model?.scope ?? []).some((each) => each.property === property)
}

/** The document with the operations at or near the paths that were called. */
function narrow(document: OpenApiDocument, called: ReadonlySet<string>): OpenApiDocument {
  const isNear = (path: string) =>
    [...called].some((each) => `${each}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${each}/`))
  const paths = Object.entries(document.paths ?? {}).filter(([path]) =>
    isNear(path.startsWith('/') ? path : `/${path}`),
  )
  return { ...document, paths: Object.fromEntries(paths) }
}

/** For each collection the documented path of an operation that was called: one that lists or creates, if there is one. */
function pathsOf(document: OpenApiDocument, all: readonly Observed[]): Map<string, string> {
  const keys = pathKeys(document)
  const places = new Map(describeOperations(document).map(({ id, at }) => [id, keys.get(pathItemOf(at).join('\n'))]))
  const isWhole = ({ operation: { effect } }: Observed) => effect.kind === 'list' || effect.kind === 'create'
  const found = new Map<string, string>()
  for (const { operation } of [...all.filter(isWhole), ...all]) {
    const name = 'collection' in operation.effect ? operation.effect.collection : undefined
    const path = places.get(operation.id)
    if (name !== undefined && path !== undefined && !found.has(name)) found.set(name, path)
  }
  return found
}

/** Records by the names that the whole document gives their collections. */
function renamed({ contract }: CompiledText, { paths }: Learning, records: Records): Records {
  const found = Object.entries(records).flatMap(([name, all]) => {
    const isAt = ({ path }: { path: string }) => path === paths.get(name)
    const effects = contract.operations.filter(isAt).map(({ effect }) => effect)
    const own = effects.map((effect) => ('collection' in effect ? effect.collection : undefined)).find(Boolean)
    return own === undefined ? [] : [[own, all] as const]
  })
  return Object.fromEntries(found)
}

/** Plays the exchanges to a sandbox with lines, without those that the document cannot have. */
async function playWith(
  learning: Learning,
  lines: readonly Learned[],
  entries: readonly Recorded[],
  records: Records,
): Promise<Played> {
  const overlays = ['learned.json']
  let left = lines
  for (;;) {
    const written = left.map((each) => toAction(learning, each))
    // Each line of the text has one action, so that an error leads to what is wrong.
    const actions = written.map(({ target, update }) => toJson({ target, update } as ExactValue)).join(',\n')
    const overlay = `{"overlay":"1.0.0","info":{"title":"Learned","version":"1"},"actions":[\n${actions}\n]}`
    const texts = new Map(
      [
        ['document.json', toJson(learning.document as ExactValue)],
        ['learned.json', overlay],
      ].map(([location = '', text = '']) => [location, { text, location }]),
    )
    try {
      const { contract } = await compileSpec(
        { spec: 'document.json', ...(left.length > 0 && { overlays }) },
        {},
        { texts },
      )
      return { all: await playRecording(contract, entries, records), lines: left }
    } catch (error) {
      const { file, line = 0 } = (error instanceof SandboxError ? error.location : undefined) ?? {}
      const wrong = file === 'learned.json' ? written[line - 2] : undefined
      if (!wrong) throw error
      left = left.filter((each) => each !== wrong.line)
    }
  }
}

interface LineAction {
  target: string
  update: Record<string, unknown>
  line: Learned
}

/** Members that are lists of names. */
const lists: ReadonlySet<string> = new Set(['unique', 'keys', 'blockedBy'])

/** A line at its place, with the requests that show it. */
function toAction({ document, paths }: Learning, line: Learned): LineAction {
  const { operation, collection, member, about, says } = line
  const value = lists.has(member) ? [about] : about === '' ? says : { [about]: says }
  const update = { [member]: value, recorded: { [toRecorded(member, about)]: describe(line) } }
  const found = operation === undefined ? undefined : describeOperations(document).find(({ id }) => id === operation)
  if (found) {
    const item = pathItemOf(found.at)
    const path = pathKeys(document).get(item.join('\n')) ?? found.path
    return { target: toTarget(path, found.at.slice(item.length).map(String)), update: { [effectName]: update }, line }
  }
  if (collection === undefined) return { target: '$', update: { [serviceName]: update }, line }
  return { target: toTarget(paths.get(collection) ?? ''), update: { [resourceName]: update }, line }
}

/** The overlay as YAML, with a comment at each line. */
async function writeLines(learning: Learning, lines: readonly Learned[]): Promise<string> {
  const { Document } = await import('yaml')
  const actions = lines.map((each) => toAction(learning, each))
  const overlay = new Document({
    overlay: '1.0.0',
    info: { title: 'Learned from recordings', version: '1.0.0' },
    actions: actions.map(({ target, update }) => ({ target, update })),
  })
  for (const [index, { line }] of actions.entries()) {
    const node = overlay.getIn(['actions', index], true)
    if (typeof node === 'object' && node !== null) Object.assign(node, { commentBefore: ` ${describe(line)}` })
  }
  return overlay.toString({ lineWidth: 120 })
}

/** Maximum number of requests that a comment names. */
const maxNamed = 5

function describe({ seen }: Learned): string {
  if (seen.length === 1) return `seen once: request ${seen[0]}`
  const named = seen.slice(0, maxNamed).join(', ')
  return `seen ${seen.length} times, never otherwise: requests ${named}${seen.length > maxNamed ? ', …' : ''}`
}

function toFidelity(all: readonly Observed[]): Fidelity {
  const groups = new Map<string, Observed[]>()
  const kinds = new Map<string, number>()
  for (const each of all) {
    const { method, path } = each.operation
    const name = `${method} ${path}`
    groups.set(name, [...(groups.get(name) ?? []), each])
    for (const what of new Set(
      each.differences.map(({ kind, at }) =>
        `${name}: ${kind} ${at.map((part) => (/^\d+$/.test(part) ? '[]' : part)).join('/')}`.trim(),
      ),
    ))
      kinds.set(what, (kinds.get(what) ?? 0) + 1)
  }
  const common = [...kinds].toSorted(([, one], [, two]) => two - one).slice(0, mostCommon)
  return {
    ...count(all),
    operations: new Map([...groups].map(([name, own]) => [name, count(own)])),
    common: common.map(([what, times]) => `${times} × ${what}`),
  }
}

function count(all: readonly Observed[]): Share {
  return {
    count: all.length,
    sameStatus: all.filter(({ real, own }) => real.status === own.status).length,
    right: all.filter((each) => distance(each) === 0).length,
  }
}
