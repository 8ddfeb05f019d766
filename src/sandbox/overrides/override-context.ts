/** What an override gets: the request, the record, the collections, and `next()`. */
import type { CollectionModel, Operation, RequestContract } from '../../contract/contract.js'
import type { KeyedEffect } from '../../contract/effects/effect.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { suggestion } from '../../contract/suggest-closest.js'
import { copyValue } from '../../json/copy.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isPathProperty } from '../../json/path-property.js'
import { createRandom, toSeed } from '../../json/random.js'
import { isSameJson } from '../../json/same-json.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { DraftWorld } from '../../state/draft-world.js'
import { withinOf } from '../../state/identity.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import type { Key, StoredRecord, Values } from '../../state/stored-record.js'
import { putOwn } from '../../state/world-content.js'
import { createCollection } from '../facade/collection.js'
import { type Outcome, Refusal, type Written, type WrittenOutcome } from '../outcome.js'
import type { ReadBody } from '../request/read-body.js'
import { type RenderRefusal, refusalReasons } from '../responses/render-refusal.js'
import { type EffectInput, modelOf, storedOf } from '../writes/effect-input.js'
import { type FoundRecord, findRecord } from '../writes/existing-record.js'
import type { Records } from '../writes/records.js'
import { storeRecord } from '../writes/sampled-record.js'
import { answered, bodyOf, isMarked, type MarkedAnswer, mark, toJsonValue, toMarked } from './override-answer.js'

/** An override while it runs. */
export interface OverrideRun {
  /** The context of an override, whose `next` calls the one after it. */
  context(next: () => Promise<MarkedAnswer>): object
  /** Does what the behaviour says, once. */
  behave(): MarkedAnswer
  /** Stores what was set on records and `own`. */
  flush(): void
  /** What an override gets of the one after it, or of the behaviour. */
  toNext(answer: unknown): Promise<MarkedAnswer>
  /** Whether an outcome is that of the behaviour, and the override changed nothing. */
  isBehaviour(outcome: Outcome): boolean
  /** Lets an answer of the behaviour show its record as it is stored now. */
  show(answer: unknown): void
  /** Refuses further writes. */
  end(): void
}

export interface RunOptions {
  /** The effect of the request, in the world that is not to be changed yet. */
  input: EffectInput
  draft: DraftWorld
  /** Applies the effect. */
  applyBare: (input: EffectInput) => WrittenOutcome
  render: RenderRefusal
  /** How the record that the path selects is found. Absent if it selects none. */
  select: Selection | undefined
  /** Finds the user who is logged in. */
  findUser: (input: EffectInput) => StoredRecord | undefined
}

/** An effect whose record a path selects, and its operation. */
export interface Selection {
  effect: KeyedEffect
  operation: Operation
}

/** A record that an override may change. */
interface RecordDraft extends FoundRecord {
  /** What the override sees. */
  shown: Record<string, unknown>
  before: Values
}

/** The maximum length of the JSON text of `own`. */
const maxOwn = 64 * 1024

export function openOverride(options: RunOptions): OverrideRun {
  const { input: given, draft, applyBare, render, select, findUser } = options
  const { contract, operation, context } = given
  const { world } = draft
  const { path, query, headers = {}, cookies = {}, body } = given.request
  const request = { ...given.request, path: copyValue(path), query: copyValue(query) }
  const input: EffectInput = { ...given, world, request }
  const random = createRandom(toSeed(JSON.stringify(['override', operation.id, context.seed])))
  const drafts: RecordDraft[] = []
  let isEnded = false
  let hasWritten = false
  let own: Record<string, unknown> | undefined
  let selected: { record: RecordDraft | undefined } | undefined
  let ownBody: { value: unknown } | undefined
  let behaved: { answer: MarkedAnswer; written: WrittenOutcome; record: RecordDraft | undefined } | undefined

  const use = <T>(work: () => T): T => {
    if (!isEnded) return work()
    throw new SandboxError('INVALID_OPTION', `The override of ${nameOf(operation)} has ended: await what it starts`)
  }

  function openDraft(found: FoundRecord): RecordDraft {
    const { record, collection } = found
    const known = drafts.find((each) => each.key === found.key && each.collection.context === collection.context)
    if (known) return known
    const before = visible(record.values)
    const opened = { ...found, before, shown: copyValue(before) as Record<string, unknown> }
    drafts.push(opened)
    return opened
  }

  function selectRecord(): RecordDraft | undefined {
    if (!select || selected) return selected?.record
    const { effect } = select
    const found = findRecord({
      ...input,
      ...select,
      model: modelOf(contract, effect.collection),
    } as EffectInput<KeyedEffect>)
    selected = { record: found instanceof Refusal ? undefined : openDraft(found) }
    return selected.record
  }

  /** The record that the behaviour created, changed or showed. */
  function recordOf(written: WrittenOutcome): RecordDraft | undefined {
    if (written instanceof Refusal) return undefined
    const { effect } = operation
    // What stores the whole body, or each item of it, names no collection.
    const name = 'collection' in effect ? effect.collection : undefined
    const added = written.changes?.findLast(
      (each) => each.kind === 'record' && each.collection === (name ?? each.collection) && !each.before && each.after,
    )
    const values = added?.kind === 'record' ? added.after : written.content?.record
    const record = added ? undefined : selectRecord()
    const of = added?.kind === 'record' ? added.collection : name
    if (record || !values || of === undefined) return record
    const collection = ownedBy(storedOf(contract, world, given.server, of), values)
    const key = ownValue(values, collection.context.key) as Key
    const stored = collection.get(key)
    return stored && openDraft({ collection, key, record: stored })
  }

  function flush(): void {
    for (const each of drafts) {
      const values = toJsonValue(each.shown) as Values
      if (isSameJson(values, each.before)) continue
      const { collection, key, record } = each
      const hidden = Object.entries(record.values).filter(([name]) => isPathProperty(name))
      hasWritten = true
      each.record = storeRecord(collection, key, { ...values, ...Object.fromEntries(hidden) })
      each.before = copyValue(values)
    }
    if (own === undefined) return
    const kept = toJsonValue(own) as Values
    if (isSameJson(kept, world.extras?.own ?? {})) return
    const { length } = writeByShape(kept, [], 0)
    if (length > maxOwn) throw new RangeError(`own may have ${maxOwn} characters as JSON (got ${length})`)
    hasWritten = true
    putOwn(world, copyValue(kept))
  }

  /** Shows records as they are stored now, with what the override has set on them since. */
  function sync(): void {
    for (const each of drafts) {
      const stored = each.collection.get(each.key)
      if (!stored || stored === each.record) continue
      const { before, shown } = each
      const names = [...new Set([...Object.keys(before), ...Object.keys(shown)])]
      const set = names.filter((name) => !isSameJson(before[name], shown[name])).map((name) => [name, shown[name]])
      each.record = stored
      each.before = visible(stored.values)
      for (const name of Object.keys(shown)) delete shown[name]
      Object.assign(shown, copyValue(each.before), Object.fromEntries(set))
      for (const [name, value] of set) if (value === undefined) delete shown[String(name)]
    }
  }

  function behave(): MarkedAnswer {
    if (behaved) return behaved.answer
    // What is set on the record is stored after it, so that the record is still in the state that the behaviour needs.
    if (ownBody) request.body = withBody(body, ownBody.value)
    const written = applyBare(input)
    sync()
    const facts = { path: given.sent.path, now: context.now }
    const rendered = written instanceof Refusal ? (written.rendered ?? render(written, operation, facts)) : undefined
    const { status, headers = {} } = rendered ?? (written as Written)
    const made: MarkedAnswer[typeof answered] = { from: written, ...(rendered && { rendered }) }
    const answer = mark(status, headers, () => bodyOf(rendered ?? (made.from as Written)), made)
    const record = recordOf(written)
    behaved = { answer, written, record }
    if (!(written instanceof Refusal)) use(flush)
    if (record) context.progress.notes = [...context.progress.notes, ...replacedIn(record)]
    show(answer)
    return Object.assign(answer, { record: record?.shown })
  }

  /** A note for each value that the override set on the body, and that the record has not. */
  function replacedIn({ shown }: RecordDraft): string[] {
    const set = ownBody?.value
    const sent = body.value
    if (!isObject(set) || !isObject(sent)) return []
    return Object.entries(set)
      .filter(([name, value]) => !isSameJson(value, sent[name]) && !isSameJson(value, shown[name] ?? value))
      .map(([name, value]) => {
        const [own, kept] = [value, shown[name]].map((each) => JSON.stringify(each)?.slice(0, 60))
        return `the override set ${name} to ${own}, but the record has ${kept}: the document allows no such value, or the service writes it`
      })
  }

  async function toNext(answer: unknown): Promise<MarkedAnswer> {
    const marked = await toMarked(answer, operation)
    return 'record' in marked ? marked : Object.assign(marked, { record: behaved?.record?.shown })
  }

  function isBehaviour(outcome: Outcome): boolean {
    const written = behaved?.written
    if (hasWritten || !written) return false
    if (outcome instanceof Refusal || written instanceof Refusal) return outcome === written
    return outcome.status === written.status && outcome.content === written.content
  }

  function show(answer: unknown): void {
    // A changed copy of the answer has the same mark.
    if (!behaved || !isMarked(answer) || answer[answered] !== behaved.answer[answered]) return
    const { written, record } = behaved
    const content = written instanceof Refusal ? undefined : written.content
    if (!record || !content?.record || record.record.values === content.record || !content.show) return
    answer[answered].from = { ...(written as Written), content: content.show(record.record) }
  }

  const base = {
    operation: operation.id,
    key: world.key,
    now: new Date(context.now),
    random: () => random.next(),
    params: request.path,
    query: request.query,
    headers: copyValue(headers),
    cookies: copyValue(cookies),
    get body() {
      const { value, file } = body
      ownBody ??= { value: value === '' && file ? file.bytes.slice() : copyValue(value) }
      return ownBody.value
    },
    get record() {
      return selectRecord()?.shown
    },
    get user() {
      const user = findUser(input)
      return user && copyValue(visible(user.values))
    },
    get own() {
      own ??= copyValue(world.extras?.own ?? {}) as Record<string, unknown>
      return own
    },
    records: openRecords,
    answer: (status: number, value?: unknown, headers: Record<string, string> = {}) => {
      if (!Number.isInteger(status) || status < 200 || status > 599)
        throw new RangeError(`answer() takes a status from 200 to 599 (got ${String(status)})`)
      return mark(status, headers, () => value)
    },
    refuse: (reason: number | string, message: string, fields?: object) => {
      const refusal = toRefusal(reason, message)
      const rendered = render(refusal, operation, { path: given.sent.path, now: context.now })
      const body = rendered && fields ? withFields(bodyOf(rendered), message, toJsonValue(fields) as Values) : undefined
      const text = body === undefined ? undefined : writeByShape(body, [], 0)
      const whole = text !== undefined && rendered ? { ...rendered, body: text } : undefined
      const from = whole ? new Refusal(refusal.reason, message, { status: whole.status, rendered: whole }) : refusal
      const { status = 500 } = rendered ?? {}
      return mark(status, {}, () => body ?? (rendered && bodyOf(rendered)), {
        from,
        ...(rendered && { rendered: whole ?? rendered }),
      })
    },
  }

  function openRecords(name: string) {
    const model = findModel(contract, name)
    const run = async <T>(work: (collection: StoredCollection, now: number) => T): Promise<T> =>
      use(() => work(storedOf(contract, world, given.server, model.name), context.now))
    const fresh = async <T>(work: (collection: StoredCollection, now: number) => T): Promise<T> => {
      const result = await run(work)
      sync()
      return result
    }
    const { get, list, add, replace, remove } = createCollection(model, fresh as never, given.openProgress)
    const toValues = (values: unknown) => {
      hasWritten = true
      return toJsonValue(values) as Values
    }
    return {
      get,
      list: (filter: object = {}) => list({ filter }),
      add: (values: unknown) => add(toValues(values)),
      replace: (key: Key, values: unknown) => replace(key, toValues(values)),
      async update(key: Key, values: unknown) {
        const before = await get(key)
        return before && replace(key, { ...before, ...toValues(values) })
      },
      async remove(key: Key) {
        hasWritten = true
        return (await remove(key)) !== undefined
      },
    }
  }

  return {
    context: (next) =>
      Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(base), next: { value: next } }),
    behave,
    flush: () => use(flush),
    toNext,
    isBehaviour,
    show,
    end() {
      isEnded = true
    },
  }
}

export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`
}

/** The values without those that no body shows. */
function visible(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isPathProperty(name)))
}

/** The records that have the same owners as some values, which keys of their own identify. */
function ownedBy(records: StoredCollection, values: Values): Records {
  const { scope } = records.context
  if (!scope) return records
  const within = withinOf(values, scope)
  return Object.assign(Object.create(records) as Records, {
    get: (key: Key) => records.get(key, within),
    replace: (key: Key, next: Values) => records.replace(key, next, within),
  })
}

/** A collection by its name, or by its path as `explain` and overlays write it. */
function findModel({ collections, operations }: RequestContract, given: string): CollectionModel {
  const at = operations.find(({ path, effect }) => path === given && 'collection' in effect)?.effect
  const name = at && 'collection' in at ? at.collection : given
  const found = collections.find((each) => each.name === name) ?? collections.find((each) => `/${each.name}` === name)
  if (found) return found
  const names = collections.map((each) => each.name)
  throw new SandboxError('INVALID_OPTION', `There is no collection "${given}"${suggestion(given, names)}`)
}

/** A body with another value, or with the bytes of another file. */
function withBody(body: ReadBody, value: unknown): ReadBody {
  if (body.file && value instanceof Uint8Array) return { ...body, file: { ...body.file, bytes: value } }
  return { ...body, value: toJsonValue(value) }
}

function toRefusal(reason: number | string, message: string): Refusal {
  if (typeof message !== 'string') throw new TypeError('refuse() takes a status or reason, and a message')
  if (Number.isInteger(reason) && Number(reason) >= 400 && Number(reason) <= 599)
    return new Refusal('forced', message, { status: Number(reason) })
  const known = refusalReasons().find((each) => each === reason)
  if (known) return new Refusal(known, message)
  const all = refusalReasons().join(', ')
  throw new TypeError(`refuse() takes a status from 400 to 599 or a reason: ${all} (got ${JSON.stringify(reason)})`)
}

/** Sets members of an error body: where it has them, else beside the message. */
function withFields(body: unknown, message: string, fields: Values): unknown {
  if (!isObject(body)) return fields
  const objects: Record<string, unknown>[] = [body]
  for (const each of objects) objects.push(...Object.values(each).flat().filter(isObject))
  const beside = objects.find((each) => Object.values(each).includes(message)) ?? body
  for (const [name, value] of Object.entries(fields)) {
    const place = objects.find((each) => Object.hasOwn(each, name)) ?? beside
    place[name] = value
  }
  return body
}
