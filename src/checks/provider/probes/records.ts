/** Is what was created there afterwards, as it was sent: by its key, in the list, behind a filter, and for good? */
import {
  isSame,
  limitOf,
  longestList,
  type ProviderCollection,
  recordOf,
  type SubjectOf,
  type Values,
  withKey,
} from '../collection.js'
import { type Draft, withBody, withParameter } from '../draft.js'
import type { Wire } from '../lab.js'
import { rules } from '../rules.js'
import { violationsOf } from '../values/judge-draft.js'
import { simplerDrafts } from '../values/simpler-drafts.js'
import type { Created, ProbeContext } from './context.js'
import { fetchRecords, toText } from './lists.js'

type Made = Required<Created>

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

  async function createRecord(wire: Wire, draft: Draft): Promise<Made | undefined> {
    const answer = await wire.send(draft, 'success', { at: 'body', words: sayBody(draft) })
    const record = answer && answer.status < 300 ? recordOf(answer) : undefined
    if (!record) return undefined
    checkValues(wire, draft, { was: 'sent', is: 'answered', at: 'created' }, sentOf(draft), record)
    const key = record[model.key]
    if (key === undefined) return undefined
    if (keys.has(key)) {
      const message = `answered the ${model.key} ${key}, which another record has already`
      wire.blame(draft, { rule: rules.keyReused, at: '', message })
    }
    keys.add(key)
    const made = { key, record }
    keep(collection, made)
    return made
  }

  async function checkRead(wire: Wire, draft: Draft, { key, record }: Made): Promise<void> {
    if (!read) return
    const answer = await wire.send(withKey(read, key), 'found', { at: 'just created' })
    const found = answer && answer.status < 300 ? recordOf(answer) : undefined
    if (found) checkValues(wire, withKey(read, key), { was: 'created', is: 'read', at: 'read' }, record, found)
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
      return value === undefined || typeof value === 'object' || !isValid(narrowed)
        ? []
        : [{ parameter, draft: narrowed }]
    })
    for (const { parameter, draft: asked } of [{ parameter: undefined, draft: whole }, ...filtered]) {
      const records = await fetchRecords(wire, list, asked)
      const found = records?.find((each) => isSame(each[model.key], key))
      if (found) checkValues(wire, asked, { was: 'created', is: 'listed', at: 'listed' }, record, found)
      if (!records || found || records.length >= limitOf(list, asked)) continue
      const where =
        parameter === undefined ? 'the list' : `the list with ${parameter}=${asked.parameters.query[parameter]}`
      const rule = parameter === undefined ? rules.recordLost : rules.filterNotKept
      const at = parameter === undefined ? 'listed' : `query ${parameter}: left out`
      wire.blame(asked, { rule, at, message: `left the record ${key} out of ${where}, right after creating it` })
    }
  }

  /** Each documented property must come back with the same value. */
  function checkValues(
    wire: Wire,
    draft: Draft,
    { was, is, at }: { was: string; is: string; at: string },
    before: Values,
    after: Values,
  ): void {
    for (const name of collection.known) {
      if (!Object.hasOwn(before, name) || isSame(before[name], after[name])) continue
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
  { lab }: ProbeContext,
  { read, known }: ProviderCollection,
  created: readonly Created[],
): Promise<void> {
  if (!read) return
  // The first and the last ones: what is lost is lost by age or by number.
  const kept = created.flatMap(({ key, record }) => (record ? [{ key, record }] : []))
  const some = [...new Set([...kept.slice(0, 10), ...kept.slice(-10)])]
  for (const { key, record } of some) {
    await lab.run({
      input: undefined,
      run: async (_, wire) => {
        const draft = withKey(read, key)
        const answer = await wire.send(draft, 'found', { at: 'later', words: 'created earlier in this check' })
        const found = answer && answer.status < 300 ? recordOf(answer) : undefined
        const changed = found && known.find((name) => Object.hasOwn(record, name) && !isSame(record[name], found[name]))
        if (changed === undefined) return
        const message = `${changed} was created as ${JSON.stringify(record[changed], toText)} and is ${JSON.stringify(found?.[changed], toText)} later`
        wire.blame(draft, { rule: rules.recordChanged, at: `later ${changed}`, message })
      },
    })
  }
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
