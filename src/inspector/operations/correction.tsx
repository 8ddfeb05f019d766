/** Corrects what is inferred for an operation: the usual parts of an `x-sandbox-effect` as a form, and the overlay that has them. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { call, encode, get } from '../api.js'
import type { Operation, PrintedOverlay, Values } from '../api-types.js'
import { isObject } from '../json-text.js'
import { Button, Command } from '../parts/bits.js'
import { Check, Choice, Select } from '../parts/inputs.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { readValue, toInputText } from '../parts/value-input.js'
import { toDocs } from '../router.js'
import { choicesOf, type Property, propertiesOf, type Schema, schemaAt, typeOf } from '../schema.js'
import { collections, served } from '../store.js'

const effects: readonly (readonly [effect: string, label: string])[] = [
  ['list', 'list: shows many records'],
  ['create', 'create: makes a record'],
  ['read', 'read: shows a record'],
  ['replace', 'replace: gives a record new values'],
  ['update', 'update: changes some values of a record'],
  ['remove', 'remove: removes a record'],
  ['action', 'action: does something to a record'],
  ['example', 'example: shows a sample, keeps nothing'],
  ['undescribed', 'undescribed: is not answered'],
]

export function Correction({ operation: { id, file = 'openapi.yaml' } }: { operation: Operation }): JSX.Element {
  const jobs = useJobs()
  const printed = useSignal<PrintedOverlay | undefined>(undefined)
  const tried = useSignal<Values | undefined>(undefined)
  const { value: sent } = tried
  // Another document has another overlay.
  useEffect(() => {
    const path = `/operations/${encode(id)}/overlay`
    void jobs.run(async () => {
      const loaded = await (sent ? call<PrintedOverlay>('POST', path, sent) : get<PrintedOverlay>(path))
      if (tried.value === sent) printed.value = loaded
    })
  }, [sent, served.value?.instance])
  const named = /^[\w./:-]+$/.test(file) ? file : `'${file}'`
  const {
    overlay,
    effect: known,
    corrected,
    reason,
    file: saved = '',
    command = `petstore-sandbox ${named} --overlay ${saved}`,
  } = printed.value ?? {}
  const { effect = '', collection = '', changes, needs }: Values = { ...known, ...sent }
  const records = collections.value.find(({ path }) => path === collection)
  const properties = propertiesOf(schemaAt(records?.schema)).filter(([name]) => name !== records?.key)
  const edit = (change: Values) => (tried.value = { ...(sent ?? corrected), ...change })
  const paths = [...new Set(collections.value.map(({ path }) => path))]
  if (!known) return <ProblemText jobs={jobs} />
  return (
    <section class="correction" aria-label="Correction">
      <div class="inline-form">
        <Choice
          label="Effect"
          value={String(effect)}
          options={effects}
          onChoice={(chosen) => edit({ effect: chosen })}
        />
        {!/^(example|undescribed)$/.test(String(effect)) && (
          <Choice
            label="Of the records of"
            value={String(collection)}
            options={(paths.includes(String(collection)) ? paths : [String(collection), ...paths]).map((path) => [
              path,
            ])}
            onChoice={(chosen) => edit({ collection: chosen })}
          />
        )}
      </div>
      {/^(replace|update|remove|action)$/.test(String(effect)) && (
        <ValueRows
          title="Only if the record has these values"
          word="is"
          values={needs}
          properties={properties}
          isSeveral
          onChange={(value) => edit({ needs: value })}
        />
      )}
      {/^(create|replace|update|remove|action)$/.test(String(effect)) && (
        <ValueRows
          title="Then the record gets"
          word="becomes"
          values={changes}
          properties={properties}
          avoided={needs}
          onChange={(value) => edit({ changes: value })}
        />
      )}
      <ProblemText jobs={jobs} />
      {sent && !jobs.isBusy.value && !jobs.problem.value && (
        <p class="notice">
          It is then: {effect}
          {collection && ` of ${collection}`}
          {/changes nothing$/.test(reason ?? '') && ', but changes nothing: say what the record gets'}
        </p>
      )}
      <p>
        Save this as <code>{saved}</code>, and start with it. There are{' '}
        <a href={toDocs('corrections.md')} target="_blank" rel="noreferrer">
          further corrections
        </a>
        .
      </p>
      <Command text={overlay ?? ''} label="Copy the overlay" />
      <Command text={command} label="Copy the command" />
      {command.includes('***') && <p class="dim">*** stands for a secret that is not shown here.</p>}
    </section>
  )
}

/** Properties of a record, each with a value. @param props.isSeveral whether each may have one of several values */
function ValueRows(props: {
  title: string
  word: string
  values: unknown
  properties: readonly Property[]
  isSeveral?: boolean
  /** Values that no property has at first. */
  avoided?: unknown
  onChange: (values: Values) => void
}): JSX.Element | null {
  const { title, word, properties, isSeveral = false, onChange } = props
  const avoided: Values = isObject(props.avoided) ? props.avoided : {}
  const values: Values = isObject(props.values) ? props.values : {}
  const all = new Map(properties.map(([name, own]) => [name, own]))
  if (all.size === 0) return null
  const isChosen = (name: string) => Object.hasOwn(values, name)
  const free = [...all.keys()].filter((name) => !isChosen(name))
  // States are changed most often.
  const next = free.find((name) => (choicesOf(all.get(name) ?? {})?.length ?? 0) > 1) ?? free[0]
  const first = (name: string) => firstOf(all.get(name) ?? {}, [avoided[name]].flat())
  const rename = (from: string, to: string) =>
    onChange(
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => (name === from ? [to, first(to)] : [name, value])),
      ),
    )
  return (
    <fieldset class="value-rows">
      <legend>{title}</legend>
      {Object.entries(values).map(([name, value]) => {
        const set = (to: unknown) => onChange({ ...values, [name]: to })
        const options = [name, ...free].map((each) => [each] as const)
        const { [name]: _, ...others } = values
        return (
          <div key={name} class="actions">
            <Select label={title} value={name} options={options} onChoice={(to) => rename(name, to)} /> {word}
            <ValueChoice name={name} value={value} schema={all.get(name) ?? {}} isSeveral={isSeveral} onChange={set} />
            <Button label={`Remove ${name}`} kind="quiet" onClick={() => onChange(others)} />
          </div>
        )
      })}
      {next !== undefined && (
        <Button label="Add a property" onClick={() => onChange({ ...values, [next]: first(next) })} />
      )}
    </fieldset>
  )
}

/** What a property gets until another value is chosen. */
function firstOf(schema: Schema, avoided: readonly unknown[]): unknown {
  const plain: Values = { integer: 0, number: 0, array: [], object: {} }
  const choices = choicesOf(schema)
  const other = choices?.find((each) => !avoided.includes(each)) ?? choices?.[0]
  return other ?? (schema['format'] === 'date-time' ? '$now' : (plain[typeOf(schema)] ?? ''))
}

function ValueChoice(props: {
  name: string
  value: unknown
  schema: Schema
  isSeveral: boolean
  onChange: (value: unknown) => void
}): JSX.Element {
  const { name, value, schema, isSeveral, onChange } = props
  const choices = choicesOf(schema) ?? []
  const chosen = isSeveral && Array.isArray(value) ? value : [value]
  if (choices.length === 0 || !chosen.every((each) => choices.includes(each)))
    return (
      <input
        aria-label={`Value of ${name}`}
        placeholder={isSeveral ? 'a value' : 'a value, $now or $request.body#/name'}
        value={toInputText(value)}
        onChange={({ currentTarget }) => onChange(readValue(currentTarget.value, schema))}
      />
    )
  if (!isSeveral)
    return (
      <Select
        label={`Value of ${name}`}
        value={toInputText(value)}
        options={choices.map((each) => [toInputText(each)])}
        onChoice={(text) => onChange(readValue(text, schema))}
      />
    )
  const toggle = (each: unknown, isOn: boolean) => {
    const now = choices.filter((other) => (other === each ? isOn : chosen.includes(other)))
    onChange(now.length === 1 ? now[0] : now)
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
