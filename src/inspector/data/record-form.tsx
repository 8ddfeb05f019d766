/** The form of a record. Violations of its schema are shown next to their property. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { call } from '../api.js'
import type { Collection, StoredRecord, Values } from '../api-types.js'
import { messagesFor, withRecords } from '../forms/form.js'
import { JsonPane, problemOf } from '../forms/json-pane.js'
import { Sections } from '../forms/object-fields.js'
import { useVariant, ValueField } from '../forms/value-field.js'
import { variantsOf } from '../forms/variants.js'
import { isComposite, isObject, parseExact, toText } from '../json-text.js'
import { Button } from '../parts/bits.js'
import { Problem, ProblemText, useJobs, useLoaded } from '../parts/jobs.js'
import { ValueInput } from '../parts/value-input.js'
import { route, toHash, withQuery } from '../router.js'
import { fixedOf, type Property, propertiesOf, schemaAt, typeOf } from '../schema.js'
import { dataVersion, loadWorlds } from '../store.js'
import { afterSaving, conflictsOf, draftOf, keepDraft, noDraft, withChanges, without, withValue } from './drafts.js'
import { fieldsOf, referenceIn } from './fields.js'
import { toPath, toRecordHash, toTarget } from './place.js'

const keyHint = 'Generated if it is left out'
const readOnlyHint = 'The service writes it'

export interface RecordFormProps {
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

export function RecordForm({ collection, place, record, isRemoved, load, onSaved }: RecordFormProps): JSX.Element {
  const isNew = record === undefined
  const json = useSignal<string | undefined>(undefined)
  const draft = draftOf(place) ?? noDraft
  const { changed } = draft
  const schema = schemaAt(collection.schema)
  const referenceOf = (name: string) => referenceIn(collection, name)
  const { own: variant, choice } = useVariant({
    ...{ name: 'the record', schema, form: { referenceOf }, value: withChanges(record?.values ?? {}, draft) },
    onChange: (next) => {
      json.value = undefined
      setAll(next as Values)
    },
  })
  const properties = propertiesOf(variant)
  const { loaded: keys } = useLoaded(
    () => (isNew ? (withRecords(toReferences(collection, properties), referenceOf) as Promise<Values>) : undefined),
    [isNew, variant],
  )
  const values = record?.values ?? { ...toFixed(properties), ...keys.value }
  const now = withChanges(values, draft)
  const conflicts = isNew || isRemoved ? [] : conflictsOf(draft, values)
  const others = [...(isNew ? collection.scope : []), ...(choice ? [] : Object.keys(changed))]
  // Another variant leaves out properties of the last one.
  const fields = fieldsOf(collection, variant, choice ? now : values, others)
  const jobs = useJobs()
  const form = useRef<HTMLFormElement>(null)
  const refused = useSignal(0)
  const problem = json.value === undefined ? undefined : problemIn(json.value)
  useEffect(() => {
    if (refused.value > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-wrong]')?.focus()
  }, [refused.value])

  /** Accepts the value that somebody else wrote. */
  function drop(name: string): void {
    json.value = undefined
    keepDraft(place, without(draft, [name]))
    focusOn(name)
  }

  /** Overwrites the value that somebody else wrote. */
  function keep(name: string): void {
    keepDraft(place, { changed, base: { ...draft.base, [name]: values[name] } })
    focusOn(name)
  }

  function focusOn(name: string): void {
    const field = form.current?.querySelector(`[data-field="${CSS.escape(name)}"]`)
    field?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }

  function discard(): void {
    json.value = undefined
    keepDraft(place, noDraft)
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const at = route.value.parts.join('/')
    const { value: text } = json
    const done = await jobs.run(async () => {
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
    })
    if (!done) refused.value++
    else if (json.value === text) json.value = undefined
    dataVersion.value++
  }

  async function remove(): Promise<void> {
    if (!record) return
    const done = await jobs.run(() => call('DELETE', toPath(collection, `/${record.id}`)))
    if (!done) return
    keepDraft(place, noDraft)
    location.hash = withQuery(toHash('data', collection.name))
    dataVersion.value++
    await loadWorlds().catch(() => {})
  }

  const violations = jobs.problem.value?.violations ?? []
  const facts = { violations, hasReadOnly: true, referenceOf }
  const names = fields.map(([name]) => name)
  const loose = messagesFor(facts, '', names)
  const hasDraft = Object.keys(changed).length > 0

  function set(name: string, next: unknown): void {
    json.value = undefined
    keepDraft(place, withValue(draft, name, next, values))
  }

  function setAll(next: Values): void {
    const all = [...new Set([...Object.keys(now), ...Object.keys(next)])]
    keepDraft(
      place,
      all.reduce((whole, name) => withValue(whole, name, next[name], values), draft),
    )
  }

  function show([name, own, isRequired]: Property): JSX.Element {
    const isKey = name === collection.key
    const isFixed = !isNew && (isKey || collection.scope.includes(name))
    const isWritten = isNew && own['readOnly'] === true
    const target = toTarget(collection, now, name)
    const common = {
      ...{ name, schema: own, value: now[name], isRequired: isRequired && !isWritten && !(isNew && isKey) },
      onChange: (next: unknown) => set(name, next),
      after: conflicts.includes(name) ? (
        <Conflict value={values[name]} onTake={() => drop(name)} onKeep={() => keep(name)} />
      ) : undefined,
    }
    if (/^(object|array)$/.test(typeOf(own)) || variantsOf(own).length > 0 || isComposite(now[name]))
      return <ValueField key={name} {...common} path={name} form={facts} />
    return (
      <ValueInput
        key={name}
        {...{ ...common, isFixed, target }}
        hint={
          isFixed
            ? isKey
              ? 'The key stays'
              : 'Its owner stays'
            : isNew && isKey
              ? keyHint
              : isWritten
                ? readOnlyHint
                : undefined
        }
        reference={facts.referenceOf(name)}
        errors={messagesFor(facts, name)}
      />
    )
  }

  // The key comes first, even if it is optional.
  const isFirst = ([name, own, isRequired]: Property) =>
    (isRequired && !(isNew && own['readOnly'] === true)) || name === collection.key
  const optional = fields.filter((each) => !isFirst(each))
  return (
    <form onSubmit={save} noValidate ref={form}>
      <div role="alert">{isRemoved && <p class="notice">It was removed elsewhere. Your input is still here.</p>}</div>
      {/* What is typed as JSON stays until it can be read. */}
      <fieldset class="plain" disabled={problem !== undefined}>
        <legend class="spoken">Values</legend>
        {choice}
        <Sections
          required={fields.filter(isFirst).map(show)}
          optional={optional.map(show)}
          filled={optional.filter(([name]) => now[name] !== undefined).length}
          isWrong={optional.some(([name]) => conflicts.includes(name) || messagesFor(facts, name).length > 0)}
        />
      </fieldset>
      <JsonPane
        label="Record as JSON"
        value={now}
        text={json.value}
        errors={problem === notObject ? [notObject] : []}
        onText={(text, read) => {
          json.value = text
          if (isObject(read?.value)) setAll(read.value)
        }}
      />
      {violations.length === 0 ? <ProblemText jobs={jobs} /> : <Problem text="Nothing is saved yet: see above." />}
      {loose.map((message) => (
        <Problem key={message} text={message} />
      ))}
      <div class="actions">
        <button type="submit" class="primary" disabled={jobs.isBusy.value}>
          {isNew ? 'Add the record' : isRemoved ? 'Add it again' : 'Save'}
        </button>
        {hasDraft && <Button label="Discard changes" onClick={discard} />}
        {!isNew && !isRemoved && <Button label="Remove" kind="danger" disabled={jobs.isBusy.value} onClick={remove} />}
      </div>
    </form>
  )
}

const notObject = 'A record is a JSON object'

/** Why a text is no record. */
function problemIn(text: string): string | undefined {
  return problemOf(text) ?? (text.trim() !== '' && isObject(parseExact(text)) ? undefined : notObject)
}

/** The values that each record of a variant has. */
function toFixed(properties: readonly Property[]): Values {
  const all = properties.flatMap(([name, own, isRequired]) => (isRequired ? [[name, fixedOf(own)]] : []))
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** The required properties that name records of other collections, without values. Owners are chosen. */
function toReferences(collection: Collection, properties: readonly Property[]): Values {
  const isReference = ([name, , isRequired]: Property) =>
    isRequired && !collection.scope.includes(name) && referenceIn(collection, name) !== undefined
  return Object.fromEntries(properties.filter(isReference).map(([name]) => [name, undefined]))
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
