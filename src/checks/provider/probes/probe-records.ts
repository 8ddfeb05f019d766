/** Is what was created there afterwards, as it was sent: by its key, in the list, behind a filter, and for good? */
import type { Contract } from '../../../contract/contract.js'
import { type Draft, withBody, withParameter } from '../draft.js'
import { fresh } from '../fresh.js'
import type { Wire } from '../lab.js'
import {
  isKept,
  isSame,
  longestList,
  namesOf,
  type ProviderCollection,
  passesFilters,
  recordOf,
  type SubjectOf,
  type Values,
  withKey,
} from '../provider-collection.js'
import { rules } from '../provider-rules.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { Created, ProbeContext } from './probe-context.js'
import { fetchPage, fetchRecords, toText } from './probe-lists.js'

type Made = Required<Pick<Created, 'key' | 'record'>>

/** Records that are created at once, to see whether keys are given twice. */
const atOnce = 6

export async function probeRecords(
  { contract, lab, keep }: ProbeContext,
  collection: ProviderCollection,
  create: SubjectOf<'create'>,
): Promise<void> {
  const { model, list, read } = collection
  const keys = new Set<unknown>()
  const isValid = (draft: Draft) => violationsOf(contract, draft).length === 0
  const drafts = create.bodies.map((body) => withBody(create.draft, body)).filter(isValid)
  const [first = create.draft] = drafts
  const withCharset: Draft = { ...first, contentType: `${first.contentType}; charset=utf-8` }

  await lab.run({ input: undefined, run: (_, wire) => noteKeys(wire) })
  for (const draft of [...drafts, withCharset]) {
    await lab.run<Draft>({
      input: draft,
      run: async (input, wire) => {
        const made = await createRecord(wire, input)
        if (!made) return
        await checkRead(wire, input, made)
        await checkListed(wire, made)
      },
      simplify: (input) => simplerDrafts(input, isValid),
    })
  }
  await lab.run({
    input: undefined,
    run: async (_, wire) => {
      await Promise.all(Array.from({ length: atOnce }, () => createRecord(wire, first)))
    },
  })

  async function noteKeys(wire: Wire): Promise<void> {
    const records = list && (await fetchRecords(wire, list, longestList(contract, list)))
    for (const record of records ?? []) keys.add(record[model.key])
  }

  async function createRecord(wire: Wire, input: Draft): Promise<Made | undefined> {
    const draft = fresh(contract, input, model)
    const answer = await wire.send(draft, 'success', { at: 'body', words: sayBody(input) })
    const answered = answer && answer.status < 300 ? recordOf(answer) : undefined
    if (!answered) return undefined
    const words = { was: 'sent', is: 'answered', at: 'created' }
    checkValues(wire, draft, create, words, sentOf(draft), answered)
    const key = answered[model.key]
    if (key === undefined) return undefined
    // With another status it may be the record that was there already.
    if (keys.has(key) && answer?.status === create.operation.effect.status) {
      const message = `answered the ${model.key} ${key}, which another record has already`
      wire.blame(draft, { rule: rules.keyReused, at: '', message })
    }
    keys.add(key)
    const record = { ...sentOf(draft), ...answered }
    const made = { key, record }
    keep(collection, made)
    return made
  }

  async function checkRead(wire: Wire, draft: Draft, { key, record }: Made): Promise<void> {
    if (!read) return
    const answer = await wire.send(withKey(read, key), 'found', { at: 'just created' })
    const found = answer && answer.status < 300 ? recordOf(answer) : undefined
    if (found) checkValues(wire, withKey(read, key), read, { was: 'created', is: 'read', at: 'read' }, record, found)
    if (found && !isSame(found[model.key], key)) {
      const message = `answered the record ${found[model.key]} for the key ${key}`
      wire.blame(draft, { rule: rules.recordChanged, at: `read ${model.key}`, message })
    }
  }

  /** In the list as a whole, and behind each filter that it passes. */
  async function checkListed(wire: Wire, { key, record }: Made): Promise<void> {
    if (!list) return
    const whole = longestList(contract, list)
    const filtered = list.operation.effect.filters.flatMap(({ parameter, property }) => {
      const value = record[property]
      const narrowed = withParameter(whole, 'query', parameter, value)
      return value === undefined || value === '' || typeof value === 'object' || !isValid(narrowed)
        ? []
        : [{ parameter, draft: narrowed }]
    })
    for (const { parameter, draft: asked } of [{ parameter: undefined, draft: whole }, ...filtered]) {
      const page = await fetchPage(contract, wire, list, asked)
      const found = page?.records.find((each) => isSame(each[model.key], key))
      if (found) checkValues(wire, asked, list, { was: 'created', is: 'listed', at: 'listed' }, record, found)
      if (!page?.isWhole || found || !passesFilters(list, asked, record)) continue
      const where =
        parameter === undefined ? 'the list' : `the list with ${parameter}=${asked.parameters.query[parameter]}`
      const rule = parameter === undefined ? rules.recordLost : rules.filterNotKept
      const at = parameter === undefined ? 'listed' : `query ${parameter}: left out`
      wire.blame(asked, { rule, at, message: `left the record ${key} out of ${where}, right after creating it` })
    }
  }

  /** Each property that callers write must come back with the same value, where the answer has that property. */
  function checkValues(
    wire: Wire,
    draft: Draft,
    { operation: { effect } }: SubjectOf<'list' | 'create' | 'read'>,
    { was, is, at }: { was: string; is: string; at: string },
    before: Values,
    after: Values,
  ): void {
    const answered = namesOf(contract, effect.shape)
    for (const name of collection.written) {
      if (!answered.includes(name) || !Object.hasOwn(before, name)) continue
      if (isKept(contract, shapeOf(contract, effect.shape, name), before[name], after[name])) continue
      // The service makes the key.
      if (was === 'sent' && name === model.key) continue
      const [one, other] = [before[name], after[name]].map((value) => JSON.stringify(value, toText) ?? 'not there')
      const message = `${name} was ${was} as ${shorten(one)} and ${is} as ${shorten(other)}`
      wire.blame(draft, { rule: rules.recordChanged, at: `${at} ${name}`, message })
    }
  }
}

/** Are they still there, when all the rest has been asked? */
export async function probeLasting(
  { contract, lab }: ProbeContext,
  { read, written }: ProviderCollection,
  created: readonly Created[],
): Promise<void> {
  if (!read) return
  // The first and the last ones: what is lost is lost by age or by number.
  const kept = created.flatMap(({ key, record, isGone }) => (record && !isGone ? [{ key, record }] : []))
  const { shape } = read.operation.effect
  const known = namesOf(contract, shape).filter((name) => written.includes(name))
  const some = [...new Set([...kept.slice(0, 10), ...kept.slice(-10)])]
  for (const { key, record } of some) {
    await lab.run({
      input: undefined,
      run: async (_, wire) => {
        const draft = withKey(read, key)
        const answer = await wire.send(draft, 'found', { at: 'later', words: 'created earlier in this check' })
        const found = answer && answer.status < 300 ? recordOf(answer) : undefined
        const changed =
          found &&
          known.find(
            (name) =>
              Object.hasOwn(record, name) &&
              !isKept(contract, shapeOf(contract, shape, name), record[name], found[name]),
          )
        if (changed === undefined) return
        const message = `${changed} was created as ${JSON.stringify(record[changed], toText)} and is ${JSON.stringify(found?.[changed], toText)} later`
        wire.blame(draft, { rule: rules.recordChanged, at: `later ${changed}`, message })
      },
    })
  }
}

/** Number of the shape of a property. */
export function shapeOf({ shapes }: Contract, shape: number, name: string): number {
  return shapes[shape]?.properties?.find(([known]) => known === name)?.[1] ?? 0
}

function sentOf({ body }: Draft): Values {
  return body && 'value' in body ? (body.value as Values) : {}
}

function sayBody(draft: Draft): string {
  return shorten(JSON.stringify(sentOf(draft), toText))
}

function shorten(text = ''): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
