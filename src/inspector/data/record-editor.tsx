/** Edits, adds and removes a record. What its schema does not allow is said beside the property. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { call, get } from '../api.js'
import type { Collection, StoredRecord, Values } from '../api-types.js'
import { writeExact } from '../exact-json.js'
import { Empty } from '../parts/bits.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { readValue, ValueInput } from '../parts/value-input.js'
import { goTo, toHash } from '../router.js'
import { propertiesOf, type Schema, schemaAt } from '../schema.js'
import { collections, dataVersion, loadWorlds, world } from '../store.js'
import { toTarget } from './links.js'
import { toPath } from './place.js'

export function RecordEditor({ collection, id }: { collection: Collection; id: string }): JSX.Element {
  const record = useSignal<StoredRecord | undefined>(undefined)
  const missing = useSignal('')
  const version = dataVersion.value
  useEffect(() => {
    if (id === 'new') {
      record.value = { id: -1, values: {} }
      return
    }
    get<StoredRecord>(toPath(collection, `/${id}`)).then(
      (loaded) => {
        missing.value = ''
        record.value = loaded
      },
      (error: Error) => {
        missing.value = error.message
      },
    )
  }, [id, world.value, version])
  return (
    <aside class="editor" aria-label={id === 'new' ? 'New record' : 'Record'}>
      {missing.value !== '' ? (
        <Empty title="It is not there">
          <p>{missing.value}</p>
          <a href={toHash('data', collection.name)}>Close</a>
        </Empty>
      ) : (
        record.value && <Fields key={writeExact(record.value)} collection={collection} record={record.value} />
      )}
    </aside>
  )
}

function Fields({ collection, record }: { collection: Collection; record: StoredRecord }): JSX.Element {
  const isNew = record.id < 0
  const schema = schemaAt(collection.schema)
  const known = propertiesOf(schema)
  const parents = isNew ? collection.scope : []
  const others = [...parents, ...Object.keys(record.values)].filter((name) => !known.some(([each]) => each === name))
  const fields: [string, Schema, boolean][] = [
    ...known,
    ...[...new Set(others)]
      .filter((name) => name !== '{}')
      .map((name): [string, Schema, boolean] => [name, ownerSchema(collection, name), false]),
  ]
  /** Texts of the properties that were changed. Undefined removes one. */
  const changed = useSignal<Record<string, string | undefined>>({})
  const jobs = useJobs()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])

  /** Values that nobody changed stay as they are, with every digit. @throws Error for what is no JSON */
  function toValues(): Values {
    const values: Values = { ...record.values }
    for (const [name, text] of Object.entries(changed.value)) {
      const [, own = {}] = fields.find(([each]) => each === name) ?? []
      if (text === undefined) delete values[name]
      else values[name] = readValue(text, own, name)
    }
    return values
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const done = await jobs.run(async () => {
      const path = toPath(collection, isNew ? '' : `/${record.id}`)
      const saved = await call<StoredRecord>(isNew ? 'POST' : 'PUT', path, toValues())
      await loadWorlds()
      goTo('data', collection.name, saved.id)
    })
    if (done) dataVersion.value++
  }

  async function remove(): Promise<void> {
    const done = await jobs.run(() => call('DELETE', toPath(collection, `/${record.id}`)))
    if (!done) return
    goTo('data', collection.name)
    dataVersion.value++
    await loadWorlds().catch(() => {})
  }

  const violations = jobs.problem.value?.violations ?? []
  const loose = violations.filter(({ at }) => !fields.some(([name]) => isAt(at, name)))
  return (
    <form onSubmit={save} noValidate>
      <header>
        <h2 ref={title} tabIndex={-1}>
          {isNew ? `New in ${collection.name}` : `${collection.key} ${String(record.values[collection.key] ?? '')}`}
        </h2>
        <a class="close" href={toHash('data', collection.name)} aria-label="Close">
          ×
        </a>
      </header>
      <div class="fields">
        {fields.map(([name, own, isRequired]) => {
          const found = violations.filter(({ at }) => isAt(at, name))
          const { [name]: value } = record.values
          const isFixed = !isNew && name === collection.key
          const target = toTarget(collection, record.values, name)
          return (
            <ValueInput
              key={name}
              name={name}
              schema={own}
              value={value}
              text={name in changed.value ? { text: changed.value[name] } : undefined}
              isRequired={isRequired && !(isNew && name === collection.key)}
              isFixed={isFixed}
              description={typeof own['description'] === 'string' ? own['description'] : undefined}
              hint={isFixed ? 'The key stays' : isNew && name === collection.key ? 'Made if it is left out' : undefined}
              errors={found.map(({ message }) => message)}
              after={target === undefined ? undefined : <a href={target}>Open</a>}
              onText={(text) => {
                changed.value = { ...changed.value, [name]: text }
              }}
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
          {isNew ? 'Add the record' : 'Save'}
        </button>
        {!isNew && (
          <button type="button" class="danger" onClick={remove} disabled={jobs.isBusy.value}>
            Remove
          </button>
        )}
      </div>
    </form>
  )
}

/** The schema of the key of the record to which a record belongs. Only paths have it. */
function ownerSchema({ links }: Collection, property: string): Schema {
  for (const { collection, values } of links) {
    const other = values.find(({ own }) => own === property)?.other
    const target = collections.value.find(({ name }) => name === collection)
    const found = propertiesOf(schemaAt(target?.schema)).find(([name]) => name === other)
    if (found) return { ...found[1], description: `the ${other} of its record in ${collection}` }
  }
  return {}
}

function isAt(at: string, name: string): boolean {
  return at === name || at.startsWith(`${name}.`) || at.startsWith(`${name}[`)
}
