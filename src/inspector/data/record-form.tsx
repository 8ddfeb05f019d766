/** The form of a record. Violations of its schema are shown next to their property. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { call } from '../api.js'
import type { Collection, StoredRecord, Values } from '../api-types.js'
import { toText } from '../json-text.js'
import { Button } from '../parts/bits.js'
import { Problem, ProblemText, useJobs } from '../parts/jobs.js'
import { isAt, ValueInput } from '../parts/value-input.js'
import { route, toHash, withQuery } from '../router.js'
import { dataVersion, loadWorlds } from '../store.js'
import { afterSaving, conflictsOf, draftOf, keepDraft, noDraft, without, withText } from './drafts.js'
import { fieldsOf, useSuggestions, withTexts } from './fields.js'
import { toPath, toRecordHash, toTarget } from './place.js'

const keyHint = 'Generated if it is left out'

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
  const values = record?.values ?? {}
  const draft = draftOf(place) ?? noDraft
  const { texts } = draft
  const conflicts = isRemoved ? [] : conflictsOf(draft, values)
  const fields = fieldsOf(collection, values, [...(isNew ? collection.scope : []), ...Object.keys(texts)])
  const suggestions = useSuggestions(collection)
  const jobs = useJobs()
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const refused = useSignal(0)
  useEffect(() => title.current?.focus(), [])
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [refused.value])

  /** Accepts the value that somebody else wrote. */
  function drop(name: string): void {
    keepDraft(place, without(draft, [name]))
    focusOn(name)
  }

  /** Overwrites the value that somebody else wrote. */
  function keep(name: string): void {
    keepDraft(place, { texts, base: { ...draft.base, [name]: values[name] } })
    focusOn(name)
  }

  function focusOn(name: string): void {
    const field = form.current?.querySelector(`[data-field="${CSS.escape(name)}"]`)
    field?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const at = route.value.parts.join('/')
    const done = await jobs.run(async () => {
      const latest = isNew || isRemoved ? undefined : await load()
      if (!isNew && !isRemoved && !latest)
        throw new Error('It was removed in the meantime. Save again to add it as a new record')
      if (latest) onSaved(latest)
      if (latest && conflictsOf(draft, latest.values).length > 0)
        throw new Error('Nothing is saved yet: the same values were changed elsewhere in the meantime. Choose above')
      const whole = withTexts(latest?.values ?? values, draft, fields)
      const path = toPath(collection, latest ? `/${latest.id}` : '')
      const saved = await call<StoredRecord>(latest ? 'PUT' : 'POST', path, whole)
      keepDraft(place, isNew ? noDraft : afterSaving(draftOf(place) ?? noDraft, draft, saved.values))
      if (!isNew) onSaved(saved)
      // Does nothing if the user has navigated away.
      if (isNew && route.value.parts.join('/') === at) location.hash = withQuery(toRecordHash(collection, saved.values))
      await loadWorlds()
    })
    if (!done) refused.value++
    dataVersion.value++
  }

  async function remove(): Promise<void> {
    if (!record || !confirm(`Remove ${titleOf(collection, values)} from ${collection.name}?`)) return
    const done = await jobs.run(() => call('DELETE', toPath(collection, `/${record.id}`)))
    if (!done) return
    keepDraft(place, noDraft)
    location.hash = withQuery(toHash('data', collection.name))
    dataVersion.value++
    await loadWorlds().catch(() => {})
  }

  const violations = jobs.problem.value?.violations ?? []
  const loose = violations.filter(({ at }) => !fields.some(([name]) => isAt(at, name)))
  const hasDraft = Object.keys(texts).length > 0
  return (
    <form onSubmit={save} noValidate ref={form}>
      <header>
        <h2 ref={title} tabIndex={-1}>
          {isNew ? `New in ${collection.name}` : titleOf(collection, values)}
        </h2>
        {hasDraft && <span class="tag warn">not saved</span>}
        <a class="close" href={withQuery(toHash('data', collection.name))} aria-label="Close">
          ×
        </a>
      </header>
      <div role="alert">{isRemoved && <p class="notice">It was removed elsewhere. Your input is still here.</p>}</div>
      <div class="fields">
        {fields.map(([name, own, isRequired]) => {
          const isKey = name === collection.key
          const isFixed = !isNew && (isKey || collection.scope.includes(name))
          const target = toTarget(collection, values, name)
          return (
            <ValueInput
              key={name}
              name={name}
              schema={own}
              value={values[name]}
              texts={texts}
              isRequired={isRequired && !(isNew && isKey)}
              isFixed={isFixed}
              hint={isFixed ? (isKey ? 'The key stays' : 'Its owner stays') : isNew && isKey ? keyHint : undefined}
              suggestions={isFixed ? [] : suggestions(name)}
              errors={violations.filter(({ at }) => isAt(at, name)).map(({ message }) => message)}
              after={
                conflicts.includes(name) ? (
                  <Conflict value={values[name]} onTake={() => drop(name)} onKeep={() => keep(name)} />
                ) : target === undefined ? undefined : (
                  <a href={target}>Open</a>
                )
              }
              onText={(text) => keepDraft(place, withText(draft, name, text, values))}
            />
          )
        })}
      </div>
      {violations.length === 0 ? <ProblemText jobs={jobs} /> : <Problem text="Nothing is saved yet: see above." />}
      {loose.map(({ message }) => (
        <Problem key={message} text={message} />
      ))}
      <div class="actions">
        <button type="submit" class="primary" disabled={jobs.isBusy.value}>
          {isNew ? 'Add the record' : isRemoved ? 'Add it again' : 'Save'}
        </button>
        {hasDraft && <Button label="Discard changes" onClick={() => keepDraft(place, noDraft)} />}
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

function titleOf({ key }: Collection, values: Values): string {
  return `${key} ${toText(values[key])}`
}
