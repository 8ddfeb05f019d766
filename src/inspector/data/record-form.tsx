/** The form of a record, with what the user typed and has not saved. Violations of its schema are shown next to their property. */
import { type Signal, signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { type Collection, call, type StoredRecord, type Values } from '../api.js'
import { Fields, useVariant } from '../forms/fields.js'
import { type FormField, messagesFor, useFocusOnWrong, withRecords } from '../forms/form.js'
import { BesideJson, problemOf } from '../forms/json-pane.js'
import { isObject, parseExact, toText, writeExact } from '../json-text.js'
import { Button } from '../parts/bits.js'
import { Problem, ProblemText, useJobs, useLoaded } from '../parts/jobs.js'
import { route, toHash, withQuery } from '../router.js'
import { propertiesOf, schemaAt } from '../schema.js'
import { dataVersion, loadWorlds } from '../store.js'
import { toPath, toRecordHash } from './place.js'
import { fieldsOfRecord, referenceIn, toFixed, toReferences } from './record-fields.js'

export interface Draft {
  /** The changed properties. Undefined removes one. */
  readonly changed: Values
  /** Their values when the user changed them. */
  readonly base: Values
}

export const noDraft: Draft = { changed: {}, base: {} }

/** Drafts by world, environment and address of the record. */
const drafts: Signal<Readonly<Record<string, Draft>>> = signal({})

addEventListener('beforeunload', (event) => {
  if (Object.keys(drafts.value).length > 0) event.preventDefault()
})

export function draftOf(place: string): Draft | undefined {
  return drafts.value[place]
}

/** Stores a draft, or removes it if it changes nothing. */
export function keepDraft(place: string, draft: Draft): void {
  const { [place]: _, ...others } = drafts.value
  drafts.value = Object.keys(draft.changed).length > 0 ? { ...others, [place]: draft } : others
}

/** Records an edit. Editing back to the saved value removes it. */
function withValue(draft: Draft, name: string, next: unknown, values: Values): Draft {
  if (isSame(next, values[name])) return without(draft, [name])
  const base = name in draft.changed ? draft.base : { ...draft.base, [name]: values[name] }
  return { changed: { ...draft.changed, [name]: next }, base }
}

function without({ changed, base }: Draft, names: readonly string[]): Draft {
  const isLeft = ([name]: [string, unknown]) => !names.includes(name)
  return {
    changed: Object.fromEntries(Object.entries(changed).filter(isLeft)),
    base: Object.fromEntries(Object.entries(base).filter(isLeft)),
  }
}

/** The values with the input. Unedited ones keep every digit. */
function withChanges(values: Values, { changed }: Draft): Values {
  const all = Object.entries({ ...values, ...changed })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** The rest of a draft after saving: the input since then. */
function afterSaving(draft: Draft, sent: Draft, saved: Values): Draft {
  const names = Object.keys(sent.changed)
  const unchanged = names.filter((name) => isSame(draft.changed[name], sent.changed[name]))
  const { changed, base } = without(draft, unchanged)
  return { changed, base: { ...base, ...Object.fromEntries(names.map((name) => [name, saved[name]])) } }
}

/** The edited properties that somebody else has changed to another value in the meantime. */
function conflictsOf({ changed, base }: Draft, latest: Values): string[] {
  return Object.keys(changed).filter(
    (name) => !isSame(base[name], latest[name]) && !isSame(changed[name], latest[name]),
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return writeExact(one) === writeExact(other)
}

interface RecordFormProps {
  collection: Collection
  /** Identifies its draft. */
  place: string
  /** Undefined for a new one. */
  record: StoredRecord | undefined
  /** Whether somebody else has removed it. */
  isRemoved: boolean
  /** Reads the current record. */
  load: () => Promise<StoredRecord | undefined>
  onSaved: (record: StoredRecord) => void
}

/** A record with what the user typed: what is changed, and what somebody else has changed in the meantime. */
function useEditedRecord({ collection, place, record, isRemoved }: RecordFormProps) {
  const isNew = record === undefined
  const json = useSignal<string | undefined>(undefined)
  const draft = draftOf(place) ?? noDraft
  const referenceOf = (name: string) => referenceIn(collection, name)
  function change(next: Draft): void {
    json.value = undefined
    keepDraft(place, next)
  }
  const { own: schema, choice } = useVariant({
    ...{ name: 'the record', schema: schemaAt(collection.schema), referenceOf },
    value: withChanges(record?.values ?? {}, draft),
    onChange: (next) => change(withAll(next as Values)),
  })
  const properties = propertiesOf(schema)
  const { loaded: keys } = useLoaded(
    () => (isNew ? (withRecords(toReferences(collection, properties), referenceOf) as Promise<Values>) : undefined),
    [isNew, schema],
  )
  const values = record?.values ?? { ...toFixed(properties), ...keys.value }
  const now = withChanges(values, draft)
  const withAll = (next: Values) =>
    [...new Set([...Object.keys(now), ...Object.keys(next)])].reduce(
      (whole, name) => withValue(whole, name, next[name], values),
      draft,
    )
  // Another variant leaves out properties of the last one.
  const others = [...(isNew ? collection.scope : []), ...(choice ? [] : Object.keys(draft.changed))]
  return {
    ...{ isNew, draft, values, now, choice, json },
    fields: fieldsOfRecord({ collection, schema, values: choice ? now : values, now, isNew, others }),
    conflicts: isNew || isRemoved ? [] : conflictsOf(draft, values),
    problem: json.value === undefined ? undefined : problemIn(json.value),
    set: (name: string, next: unknown) => change(withValue(draft, name, next, values)),
    setAll: (next: Values) => keepDraft(place, withAll(next)),
    /** Accepts the value that somebody else wrote. */
    take: (name: string) => change(without(draft, [name])),
    /** Overwrites the value that somebody else wrote. */
    keep: (name: string) => keepDraft(place, { ...draft, base: { ...draft.base, [name]: values[name] } }),
    discard: () => change(noDraft),
  }
}

const notObject = 'A record is a JSON object'

/** Why a text is no record. */
function problemIn(text: string): string | undefined {
  return problemOf(text) ?? (text.trim() !== '' && isObject(parseExact(text)) ? undefined : notObject)
}

/** @throws Error if nothing is saved */
async function saveRecord(edited: ReturnType<typeof useEditedRecord>, props: RecordFormProps): Promise<void> {
  const { isNew, draft, values, problem } = edited
  const { collection, place, isRemoved, load, onSaved } = props
  const at = route.value.parts.join('/')
  if (problem !== undefined) throw new Error('Nothing is saved yet: the JSON is wrong, see above')
  const latest = isNew || isRemoved ? undefined : await load()
  if (!isNew && !isRemoved && !latest)
    throw new Error('It was removed in the meantime. Save again to add it as a new record')
  if (latest) onSaved(latest)
  if (latest && conflictsOf(draft, latest.values).length > 0)
    throw new Error('Nothing is saved yet: the same values were changed elsewhere in the meantime. Choose above')
  const whole = withChanges(latest?.values ?? values, draft)
  const path = toPath(collection, latest ? `/${latest.id}` : '')
  const saved = await call<StoredRecord>(latest ? 'PUT' : 'POST', path, whole)
  keepDraft(place, isNew ? noDraft : afterSaving(draftOf(place) ?? noDraft, draft, saved.values))
  if (!isNew) onSaved(saved)
  // Does nothing if the user has navigated away.
  if (isNew && route.value.parts.join('/') === at) location.hash = withQuery(toRecordHash(collection, saved.values))
  await loadWorlds()
}

/** Called after a record was removed. */
async function leaveRecord({ collection, place }: RecordFormProps): Promise<void> {
  keepDraft(place, noDraft)
  location.hash = withQuery(toHash('data', collection.name))
  dataVersion.value++
  await loadWorlds().catch(() => {})
}

export function RecordForm(props: RecordFormProps): JSX.Element {
  const { collection, record, isRemoved } = props
  const edited = useEditedRecord(props)
  const { isNew, draft, values, now, fields, choice, conflicts, json, problem } = edited
  const jobs = useJobs()
  const form = useRef<HTMLFormElement>(null)
  const violations = jobs.problem.value?.violations ?? []
  const facts = { violations, hasReadOnly: true, referenceOf: (name: string) => referenceIn(collection, name) }
  useFocusOnWrong(form, jobs.problem.value)

  function focusOn(name: string): void {
    const field = form.current?.querySelector(`[data-field="${CSS.escape(name)}"]`)
    field?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const { value: text } = json
    const isSaved = await jobs.run(() => saveRecord(edited, props))
    if (isSaved && json.value === text) json.value = undefined
    dataVersion.value++
  }

  async function remove(): Promise<void> {
    if (await jobs.run(() => call('DELETE', toPath(collection, `/${record?.id}`)))) await leaveRecord(props)
  }

  const withConflict = (field: FormField): FormField => {
    const { name } = field
    const choose = (work: (name: string) => void) => () => {
      work(name)
      focusOn(name)
    }
    const after = <Conflict value={values[name]} onTake={choose(edited.take)} onKeep={choose(edited.keep)} />
    return conflicts.includes(name) ? { ...field, after } : field
  }
  return (
    <form onSubmit={save} noValidate ref={form}>
      <div role="alert">{isRemoved && <p class="notice">It was removed elsewhere. Your input is still here.</p>}</div>
      <BesideJson
        legend="Values"
        loose={messagesFor(
          facts,
          '',
          fields.map(({ name }) => name),
        )}
        isBroken={problem !== undefined}
        label="Record as JSON"
        value={now}
        text={json.value}
        errors={problem === notObject ? [notObject] : []}
        onText={(text, read) => {
          json.value = text
          if (isObject(read?.value)) edited.setAll(read.value)
        }}
      >
        {choice}
        <Fields
          fields={fields.map(withConflict)}
          values={now}
          form={facts}
          onChange={({ name }, next) => edited.set(name, next)}
        />
      </BesideJson>
      {violations.length === 0 ? <ProblemText jobs={jobs} /> : <Problem text="Nothing is saved yet: see above." />}
      <div class="actions">
        <button type="submit" class="primary" disabled={jobs.isBusy.value}>
          {isNew ? 'Add the record' : isRemoved ? 'Add it again' : 'Save'}
        </button>
        {Object.keys(draft.changed).length > 0 && <Button label="Discard changes" onClick={edited.discard} />}
        {!isNew && !isRemoved && <Button label="Remove" kind="danger" disabled={jobs.isBusy.value} onClick={remove} />}
      </div>
    </form>
  )
}

function Conflict(props: { value: unknown; onTake: () => void; onKeep: () => void }): JSX.Element {
  const { value, onTake, onKeep } = props
  return (
    <span class="conflict" role="alert">
      {value === undefined ? (
        'It was removed in the meantime.'
      ) : (
        <>
          Meanwhile it is <code>{toText(value)}</code>
        </>
      )}{' '}
      <Button label="Take that" onClick={onTake} /> <Button label="Keep mine" onClick={onKeep} />
    </span>
  )
}
