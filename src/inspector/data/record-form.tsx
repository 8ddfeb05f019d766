/** The form of a record. What its schema does not allow is said beside the property. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { call } from '../api.js'
import type { Collection, StoredRecord, Values } from '../api-types.js'
import { toText } from '../exact-json.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { ValueInput } from '../parts/value-input.js'
import { isAt } from '../parts/violations.js'
import { route, toHash, withQuery } from '../router.js'
import { dataVersion, loadWorlds } from '../store.js'
import { afterSaving, conflictsOf, draftOf, keepDraft, noDraft, without, withText } from './drafts.js'
import { fieldsOf, useSuggestions, withTexts } from './fields.js'
import { toTarget } from './links.js'
import { toPath, toRecordHash } from './place.js'

export interface RecordFormProps {
  collection: Collection
  /** Identifies its draft. */
  place: string
  /** Undefined for a new one. */
  record: StoredRecord | undefined
  /** Whether somebody else has removed it. */
  isRemoved: boolean
  /** Reads the record as it is now. */
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

  function change(name: string, text: string | undefined): void {
    keepDraft(place, withText(draft, name, text, values))
  }

  /** Leaves what somebody else wrote. */
  function drop(name: string): void {
    keepDraft(place, without(draft, [name]))
    focusOn(name)
  }

  /** Writes over what somebody else wrote. */
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
      if (!isNew && !isRemoved && !latest) throw new Error('It was removed meanwhile. Save again to add it anew')
      if (latest) onSaved(latest)
      if (latest && conflictsOf(draft, latest.values).length > 0)
        throw new Error('Nothing is saved yet: somebody else changed the same meanwhile. Choose above')
      const whole = withTexts(latest?.values ?? values, draft, fields)
      const saved = await call<StoredRecord>(
        latest ? 'PUT' : 'POST',
        toPath(collection, latest ? `/${latest.id}` : ''),
        whole,
      )
      keepDraft(place, isNew ? noDraft : afterSaving(draftOf(place) ?? noDraft, draft, saved.values))
      if (!isNew) onSaved(saved)
      // Who went elsewhere meanwhile stays there.
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
      <div role="alert">
        {isRemoved && <p class="notice">Somebody else has removed it. What you typed is still here.</p>}
      </div>
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
              text={name in texts ? { text: texts[name] } : undefined}
              isRequired={isRequired && !(isNew && isKey)}
              isFixed={isFixed}
              description={typeof own['description'] === 'string' ? own['description'] : undefined}
              hint={isFixed ? (isKey ? 'The key stays' : 'Its owner stays') : hintOf(isNew && isKey)}
              suggestions={isFixed ? [] : suggestions(name)}
              errors={violations.filter(({ at }) => isAt(at, name)).map(({ message }) => message)}
              after={
                conflicts.includes(name) ? (
                  <Conflict value={values[name]} onTake={() => drop(name)} onKeep={() => keep(name)} />
                ) : target === undefined ? undefined : (
                  <a href={target}>Open</a>
                )
              }
              onText={(text) => change(name, text)}
            />
          )
        })}
      </div>
      {violations.length === 0 ? <ProblemText jobs={jobs} /> : <p class="problem">Nothing is saved yet: see above.</p>}
      {loose.map(({ message }) => (
        <p key={message} class="problem">
          {message}
        </p>
      ))}
      <div class="actions">
        <button type="submit" class="primary" disabled={jobs.isBusy.value}>
          {isNew ? 'Add the record' : isRemoved ? 'Add it again' : 'Save'}
        </button>
        {hasDraft && (
          <button type="button" onClick={() => keepDraft(place, noDraft)}>
            Discard changes
          </button>
        )}
        {!isNew && !isRemoved && (
          <button type="button" class="danger" onClick={remove} disabled={jobs.isBusy.value}>
            Remove
          </button>
        )}
      </div>
    </form>
  )
}

function Conflict(props: { value: unknown; onTake: () => void; onKeep: () => void }): JSX.Element {
  const { value, onTake, onKeep } = props
  return (
    <span class="conflict" role="alert">
      {value === undefined ? (
        'Left out meanwhile.'
      ) : (
        <>
          Meanwhile it is <code>{toText(value)}</code>
        </>
      )}{' '}
      <button type="button" onClick={onTake}>
        Take that
      </button>{' '}
      <button type="button" onClick={onKeep}>
        Keep mine
      </button>
    </span>
  )
}

function titleOf({ key }: Collection, values: Values): string {
  return `${key} ${toText(values[key])}`
}

function hintOf(isNewKey: boolean): string | undefined {
  return isNewKey ? 'Made if it is left out' : undefined
}
