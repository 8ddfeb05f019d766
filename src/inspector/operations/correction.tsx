/** Corrects what is inferred for an operation: the usual parts of an `x-sandbox-effect` as a form, and the overlay that has them. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { call, encode, get, type OpenFact, type PrintedOverlay, type Values } from '../api.js'
import { Control, toInputText } from '../forms/control.js'
import { type FormField, withMember } from '../forms/form.js'
import { InlineFields } from '../forms/inline-fields.js'
import { isObject } from '../json-text.js'
import { Button, Command } from '../parts/bits.js'
import { OverlayFile } from '../parts/corrections.js'
import { Check, Options } from '../parts/inputs.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { toDocs } from '../router.js'
import { choicesOf, type Property, propertiesOf, type Schema, schemaAt } from '../schema.js'
import { collections, refresh, served } from '../store.js'

type Part = 'collection' | 'needs' | 'changes'

/** The effects of the vocabulary, and the parts of each that the form has. */
const effects: Readonly<Record<string, readonly [about: string, ...parts: Part[]]>> = {
  list: ['shows many records', 'collection'],
  create: ['makes a record', 'collection', 'changes'],
  read: ['shows a record', 'collection'],
  replace: ['gives a record new values', 'collection', 'needs', 'changes'],
  update: ['changes some values of a record', 'collection', 'needs', 'changes'],
  remove: ['removes a record', 'collection', 'needs', 'changes'],
  action: ['does something to a record', 'collection', 'needs', 'changes'],
  example: ['shows a sample, keeps nothing'],
  undescribed: ['is not answered'],
}

/** What is printed for the effect that was edited, or for the one in force, and what changes it. */
function useCorrection(id: string, begun: Values | undefined) {
  const jobs = useJobs()
  const printed = useSignal<PrintedOverlay | undefined>(undefined)
  /** The effect that was edited, and is not in force. */
  const tried = useSignal<Values | undefined>(undefined)
  const { value: sent } = tried
  const at = `/operations/${encode(id)}`
  // Another document has another overlay.
  useEffect(() => {
    void jobs.run(async () => {
      const path = `${at}/overlay`
      const loaded = await (sent ? call<PrintedOverlay>('POST', path, sent) : get<PrintedOverlay>(path))
      if (tried.value !== sent) return
      if (begun && !printed.value) tried.value = { ...loaded.corrected, ...begun }
      printed.value = loaded
    })
  }, [sent, served.value?.instance])
  return {
    ...{ jobs, tried, printed: printed.value },
    change: (method: 'PUT' | 'DELETE') =>
      jobs.run(async () => {
        await call(method, `${at}/correction`, method === 'PUT' ? sent : undefined)
        printed.value = await get<PrintedOverlay>(`${at}/overlay`)
        await refresh()
        tried.value = undefined
      }),
  }
}

const focus = (element: HTMLElement | null): void => element?.focus()

/** @param props.fact a guess that is wrong: the form begins with its correction */
export function Correction(props: { operation: string; fact: OpenFact | undefined }): JSX.Element {
  const { operation, fact } = props
  const { kind = '', correct: action } = fact ?? {}
  const isElsewhere = fact !== undefined && !/^(effect|changes|refusal|left|status)$/.test(kind)
  const begun = isElsewhere || kind === 'effect' ? undefined : action?.update['x-sandbox-effect']
  const correction = useCorrection(operation, begun as Values | undefined)
  const { jobs, printed, tried } = correction
  if (!printed?.effect)
    return (
      <>
        {jobs.isBusy.value && <p class="dim">Reading what is inferred…</p>}
        <ProblemText jobs={jobs} />
      </>
    )
  const { value: sent } = tried
  return (
    <section class="correction" aria-label="Correction" tabIndex={-1} ref={fact ? focus : null}>
      {fact && (
        <p class="notice">
          Wrong: {fact.fact}
          {isElsewhere && '. The form has no part for it: edit this action of an overlay, and start with it.'}
        </p>
      )}
      {isElsewhere && <Command text={JSON.stringify(action, undefined, 2)} label="Copy the action" />}
      <EffectFields
        values={{ ...printed.effect, ...sent }}
        onEdit={(change) => (tried.value = { ...(sent ?? printed.corrected), ...change })}
      />
      <ProblemText jobs={jobs} />
      <Outcome correction={correction} printed={printed} />
      {!(sent && jobs.problem.value) && (
        <OverlayFile
          printed={printed}
          isOpen={sent ? printed.applied === undefined : printed.applied}
          summary={
            sent || printed.applied
              ? `To keep it: save ${printed.file}, and start with it`
              : 'What is inferred, as an overlay'
          }
        />
      )}
      <p>
        <a href={toDocs('corrections.md')} target="_blank" rel="noreferrer">
          Further corrections
        </a>
      </p>
    </section>
  )
}

/** The effect, its records, what they need, and what they get. */
function EffectFields({ values, onEdit }: { values: Values; onEdit: (change: Values) => void }): JSX.Element {
  const { effect = '', collection = '', needs, changes } = values
  const [, ...parts] = effects[String(effect)] ?? ['']
  const records = collections.value.find(({ path }) => path === collection)
  const properties = propertiesOf(schemaAt(records?.schema)).filter(([name]) => name !== records?.key)
  const paths = new Set(collections.value.map(({ path }) => path))
  const all = paths.has(String(collection)) ? [...paths] : [collection, ...paths]
  const labels = Object.entries(effects).map(([each, [about]]) => [each, `${each}: ${about}`])
  const fields: FormField[] = [
    { name: 'effect', label: 'Effect', schema: { type: 'string', $options: labels } },
    ...(parts.includes('collection')
      ? [{ name: 'collection', label: 'Of the records of', schema: { type: 'string', $options: all } }]
      : []),
  ]
  return (
    <>
      <div class="inline-form">
        <InlineFields
          fields={fields}
          values={{ effect, collection }}
          onChange={(next, { name }) => onEdit({ [name]: next[name] ?? '' })}
        />
      </div>
      {parts.includes('needs') && (
        <PickedFields
          key={`needs ${collection}`}
          title="Only if the record has these values"
          word="is"
          values={isObject(needs) ? needs : {}}
          properties={properties}
          isSeveral
          placeholder="a value"
          onChange={(value) => onEdit({ needs: value })}
        />
      )}
      {parts.includes('changes') && (
        <PickedFields
          key={`changes ${collection}`}
          title="Then the record gets"
          word="becomes"
          values={isObject(changes) ? changes : {}}
          properties={properties}
          placeholder="a value, $now, $add.1 or $request.body#/name"
          usualOf={({ format }) => (format === 'date-time' ? '$now' : undefined)}
          onChange={(value) => onEdit({ changes: value })}
        />
      )}
    </>
  )
}

/** What the operation then does, with buttons that use it and take it back. */
function Outcome(props: { correction: ReturnType<typeof useCorrection>; printed: PrintedOverlay }): JSX.Element {
  const { printed } = props
  const { jobs, tried, change } = props.correction
  const { value: sent } = tried
  const { applied, reason = '', does = [] } = printed
  const { effect, collection }: Values = { ...printed.effect, ...sent }
  const isWrong = jobs.problem.value !== undefined
  const isEmpty = /; (it changes nothing$|nothing says )/.test(reason)
  return (
    <>
      {sent && !jobs.isBusy.value && !isWrong && (
        <p class="notice">
          It is then: {String(effect)}
          {collection ? ` of ${collection}` : ''}
          {does.map((each) => `, ${each}`)}
          {isEmpty && ', but changes nothing: say what the record gets'}
        </p>
      )}
      {!sent && applied && (
        <p class="notice">In force until the sandbox stops. The file below has all corrections that are in force.</p>
      )}
      <div class="actions">
        {sent && applied !== undefined && !isEmpty && !isWrong && (
          <Button
            label={jobs.isBusy.value ? 'Applying…' : 'Use it now'}
            kind="primary"
            disabled={jobs.isBusy.value}
            onClick={() => change('PUT')}
          />
        )}
        {applied && <Button label="Take it back" disabled={jobs.isBusy.value} onClick={() => change('DELETE')} />}
      </div>
    </>
  )
}

interface PickedFieldsProps {
  title: string
  /** What stands between a property and its value. */
  word: string
  values: Values
  properties: readonly Property[]
  /** Whether each may have one of several values. */
  isSeveral?: boolean
  /** Shown in an empty input. */
  placeholder: string
  /** The value of a property that is picked. */
  usualOf?: (schema: Schema) => unknown
  onChange: (values: Values) => void
}

function PickedFields(props: PickedFieldsProps): JSX.Element | null {
  const { title, word, values, properties, isSeveral = false, placeholder, usualOf, onChange } = props
  // Their values may not be chosen yet.
  const added = useSignal<readonly string[]>([])
  const schemas = new Map(properties.map(([name, schema]) => [name, schema]))
  if (schemas.size === 0) return null
  const shown = new Set([...Object.keys(values), ...added.value])
  const free = [...schemas.keys()].filter((name) => !shown.has(name))
  const set = (name: string, to: unknown) => onChange(withMember(values, name, to))
  function add(name: string): void {
    added.value = [...added.value, name]
    const usual = usualOf?.(schemas.get(name) ?? {})
    if (usual !== undefined) set(name, usual)
  }
  function remove(name: string): void {
    added.value = added.value.filter((each) => each !== name)
    set(name, undefined)
  }
  return (
    <fieldset class="value-rows">
      <legend>{title}</legend>
      {[...shown].map((name) => (
        <div key={name} class="actions">
          <code>{name}</code> {word}
          <PickedValue
            {...{ name, isSeveral, placeholder }}
            schema={schemas.get(name) ?? {}}
            value={values[name]}
            onChange={(to) => set(name, to)}
          />
          <Button label={`Remove ${name}`} kind="quiet" onClick={() => remove(name)} />
        </div>
      ))}
      {free.length > 0 && (
        <Options
          aria-label={`${title}: add a property`}
          value=""
          options={[['', 'Add a property'], ...free.map((name) => [name] as const)]}
          onChoice={add}
        />
      )}
    </fieldset>
  )
}

interface PickedValueProps {
  name: string
  schema: Schema
  value: unknown
  isSeveral: boolean
  placeholder: string
  onChange: (value: unknown) => void
}

function PickedValue({ name, schema, value, isSeveral, placeholder, onChange }: PickedValueProps): JSX.Element {
  const id = useId()
  const choices = choicesOf(schema) ?? []
  const chosen = isSeveral && Array.isArray(value) ? value : value === undefined ? [] : [value]
  const isListed = choices.length > 0 && chosen.every((each) => choices.includes(each))
  if (isListed && isSeveral) {
    const toggle = (each: unknown, isOn: boolean) => {
      const now = choices.filter((other) => (other === each ? isOn : chosen.includes(other)))
      onChange(now.length > 1 ? now : now[0])
    }
    return (
      <>
        {choices.map((each) => (
          <Check
            key={toInputText(each)}
            label={toInputText(each)}
            isOn={chosen.includes(each)}
            onChange={(isOn) => toggle(each, isOn)}
          />
        ))}
      </>
    )
  }
  return (
    <Control
      {...{ name, value, onChange }}
      // An expression of the vocabulary is typed.
      schema={isListed ? schema : { type: schema['type'] }}
      isLate
      attributes={{ id, 'aria-label': `Value of ${name}`, ...(!isListed && { placeholder, size: 40 }) }}
    />
  )
}
