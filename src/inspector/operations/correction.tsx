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
import { choicesOf, type Property, propertiesOf, type Schema, schemaAt } from '../schema.js'
import { collections, refresh, served } from '../store.js'

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
    applied,
    reason,
    does = [],
    file: saved = '',
    command = `petstore-sandbox ${named} --overlay ${saved}`,
  } = printed.value ?? {}
  const { effect = '', collection = '', changes, needs }: Values = { ...known, ...sent }
  const records = collections.value.find(({ path }) => path === collection)
  const properties = propertiesOf(schemaAt(records?.schema)).filter(([name]) => name !== records?.key)
  const edit = (change: Values) => (tried.value = { ...(sent ?? corrected), ...change })
  const paths = [...new Set(collections.value.map(({ path }) => path))]
  const path = `/operations/${encode(id)}/correction`
  const isEmpty = /; (it changes nothing$|nothing says )/.test(reason ?? '')
  const change = (method: 'PUT' | 'DELETE') =>
    jobs.run(async () => {
      await call(method, path, method === 'PUT' ? sent : undefined)
      printed.value = await get<PrintedOverlay>(`/operations/${encode(id)}/overlay`)
      await refresh()
      tried.value = undefined
    })
  const copies = (
    <>
      <a class="button" download={saved} href={`data:application/yaml,${encodeURIComponent(overlay ?? '')}`}>
        Download {saved}
      </a>
      <Command text={overlay ?? ''} label="Copy the overlay" />
      <Command text={command} label="Copy the command" />
      {command.includes('***') && <p class="dim">*** stands for a secret that is not shown here.</p>}
    </>
  )
  if (!known)
    return (
      <>
        {jobs.isBusy.value && <p class="dim">Reading what is inferred…</p>}
        <ProblemText jobs={jobs} />
      </>
    )
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
          key={`needs ${collection}`}
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
          key={`changes ${collection}`}
          title="Then the record gets"
          word="becomes"
          values={changes}
          properties={properties}
          onChange={(value) => edit({ changes: value })}
        />
      )}
      <ProblemText jobs={jobs} />
      {sent && !jobs.isBusy.value && !jobs.problem.value && (
        <p class="notice">
          It is then: {effect}
          {collection && ` of ${collection}`}
          {does.map((each) => `, ${each}`)}
          {isEmpty && ', but changes nothing: say what the record gets'}
        </p>
      )}
      {!sent && applied && (
        <p class="notice">In force until the sandbox stops. The file below has all corrections that are in force.</p>
      )}
      <div class="actions">
        {sent && applied !== undefined && !isEmpty && !jobs.problem.value && (
          <Button
            label={jobs.isBusy.value ? 'Applying…' : 'Use it now'}
            kind="primary"
            disabled={jobs.isBusy.value}
            onClick={() => change('PUT')}
          />
        )}
        {applied && <Button label="Take it back" disabled={jobs.isBusy.value} onClick={() => change('DELETE')} />}
      </div>
      {!(sent && jobs.problem.value) && (
        <details open={sent ? applied === undefined : applied}>
          <summary>
            {sent || applied ? `To keep it: save ${saved}, and start with it` : 'What is inferred, as an overlay'}
          </summary>
          {copies}
        </details>
      )}
      <p>
        <a href={toDocs('corrections.md')} target="_blank" rel="noreferrer">
          Further corrections
        </a>
      </p>
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
  onChange: (values: Values) => void
}): JSX.Element | null {
  const { title, word, properties, isSeveral = false, onChange } = props
  // The properties that were added here. Their values may not be chosen yet.
  const added = useSignal<readonly string[]>([])
  const values: Values = isObject(props.values) ? props.values : {}
  const schemas = new Map(properties.map(([name, schema]) => [name, schema]))
  if (schemas.size === 0) return null
  const shown = new Set([...Object.keys(values), ...added.value])
  const free = [...schemas.keys()].filter((name) => !shown.has(name))
  function add(name: string): void {
    added.value = [...added.value, name]
    if (!isSeveral && schemas.get(name)?.['format'] === 'date-time') onChange({ ...values, [name]: '$now' })
  }
  return (
    <fieldset class="value-rows">
      <legend>{title}</legend>
      {[...shown].map((name) => {
        const { [name]: value, ...others } = values
        const set = (to: unknown) => onChange(to === undefined ? others : { ...values, [name]: to })
        function remove(): void {
          added.value = added.value.filter((each) => each !== name)
          set(undefined)
        }
        return (
          <div key={name} class="actions">
            <code>{name}</code> {word}
            <ValueChoice
              name={name}
              value={value}
              schema={schemas.get(name) ?? {}}
              isSeveral={isSeveral}
              onChange={set}
            />
            <Button label={`Remove ${name}`} kind="quiet" onClick={remove} />
          </div>
        )
      })}
      {free.length > 0 && (
        <Select
          label={`${title}: add a property`}
          value=""
          options={[['', 'Add a property'], ...free.map((name) => [name] as const)]}
          onChoice={add}
        />
      )}
    </fieldset>
  )
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
  const chosen = isSeveral && Array.isArray(value) ? value : value === undefined ? [] : [value]
  const text = value === undefined ? '' : toInputText(value)
  if (choices.length === 0 || !chosen.every((each) => choices.includes(each)))
    return (
      <input
        aria-label={`Value of ${name}`}
        placeholder={isSeveral ? 'a value' : 'a value, $now, $add.1 or $request.body#/name'}
        size={40}
        key={text}
        defaultValue={text}
        onChange={({ currentTarget }) => onChange(readValue(currentTarget.value, schema))}
      />
    )
  if (!isSeveral)
    return (
      <Select
        label={`Value of ${name}`}
        value={text}
        options={[
          ...(value === undefined ? [['', 'a value'] as const] : []),
          ...choices.map((each) => [toInputText(each)] as const),
        ]}
        onChoice={(text) => onChange(readValue(text, schema))}
      />
    )
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
