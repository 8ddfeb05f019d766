/** The form of a record. Violations of its schema are shown next to their property. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { call } from '../api.js'
import { Fields } from '../forms/fields.js'
import { type FormField, messagesFor, useFocusOnWrong } from '../forms/form.js'
import { BesideJson } from '../forms/json-pane.js'
import { isObject, toText } from '../json-text.js'
import { Button } from '../parts/bits.js'
import { Problem, ProblemText, useJobs } from '../parts/jobs.js'
import { dataVersion } from '../store.js'
import { leaveRecord, notObject, type RecordFormProps, saveRecord, useEditedRecord } from './edited-record.js'
import { toPath } from './place.js'
import { referenceIn } from './record-fields.js'

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
