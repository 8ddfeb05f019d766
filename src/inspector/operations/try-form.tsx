/** A form for an operation, made from its schema. It sends to the service itself, with the key of the world in view. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { call, encode } from '../api.js'
import type { Form, Operation, ParameterValues, WrittenRequest } from '../api-types.js'
import { parseExact, prettify, writeExact } from '../exact-json.js'
import { Status } from '../parts/bits.js'
import { CopyButton } from '../parts/copy-button.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { JsonView } from '../parts/json-view.js'
import { KeyPrompt } from '../parts/key-prompt.js'
import { readValue, ValueInput } from '../parts/value-input.js'
import { send, toCurl } from '../requests/replay.js'
import { toHash } from '../router.js'
import { describeSchema, propertiesOf, schemaAt } from '../schema.js'
import { environment, exchanges, keyOf, world } from '../store.js'

interface Answered {
  status: number | string
  body: string
  /** The newest exchange before it. */
  after: number
}

export function TryForm({ operation, form }: { operation: Operation; form: Form }): JSX.Element {
  const jobs = useJobs()
  const { example } = form
  /** Texts of parameters by place and name. */
  const changed = useSignal<Record<string, string | undefined>>({})
  const body = useSignal(example.body === undefined ? '' : writeExact(example.body, 2))
  const answered = useSignal<Answered | undefined>(undefined)
  const last = useSignal<WrittenRequest | undefined>(undefined)
  const isAsking = useSignal(false)
  const [content] = form.body?.contents ?? []
  const isJson = content === undefined || /json/i.test(content.mediaType)
  const nameOf = (place: string, name: string) => `${place} ${name}`
  useEffect(() => {
    answered.value = undefined
  }, [operation.id])

  function toParameters(): ParameterValues {
    const values: ParameterValues = {}
    for (const { in: place, name, schema } of form.parameters) {
      const id = nameOf(place, name)
      const known = example.parameters?.[place]?.[name]
      const { [id]: text } = changed.value
      const value =
        id in changed.value ? (text === undefined ? undefined : readValue(text, schemaAt(schema), name)) : known
      if (value === undefined && place === 'path')
        throw new Error(`${name} is part of the path, and cannot be left out`)
      values[place] = { ...values[place], ...(value !== undefined && { [name]: value }) }
    }
    return values
  }

  async function write(): Promise<WrittenRequest> {
    const key = keyOf(world.value)
    if (key === undefined) {
      isAsking.value = true
      throw new Error(`The key of the world ${world.value} is not known here`)
    }
    const parameters = toParameters()
    const has = body.value.trim() !== '' && form.body !== undefined
    const chosen = operation.environments.includes(environment.value) ? { environment: environment.value } : {}
    // Text that is no JSON is sent as it is, to see how it is refused.
    const value = has ? (isJson ? 0 : readBody(body.value)) : undefined
    const sent = { key, ...chosen, parameters, ...(value !== undefined && { body: value }) }
    const written = await call<WrittenRequest>('POST', `/operations/${encode(operation.id)}/request`, sent)
    return has && isJson ? { ...written, body: body.value } : written
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    isAsking.value = false
    await jobs.run(async () => {
      const request = await write()
      last.value = request
      const after = exchanges.value.at(-1)?.id ?? 0
      const response = await send({ ...request, body: request.body }).catch(() => {
        throw new Error('The connection was closed without a whole answer')
      })
      const text = await response.text().catch(() => '(cut off)')
      // Browsers do not say where a redirect leads.
      const isRedirect = response.type === 'opaqueredirect'
      answered.value = { status: isRedirect ? '3XX' : response.status, body: text, after }
    })
  }

  return (
    <form class="try" onSubmit={submit} noValidate aria-label={`Try ${operation.id}`}>
      <h3>Try it</h3>
      {form.parameters.length > 0 && (
        <div class="fields">
          {form.parameters.map(({ in: place, name, required, description, schema }) => {
            const id = nameOf(place, name)
            return (
              <ValueInput
                key={id}
                name={name}
                schema={schemaAt(schema)}
                value={example.parameters?.[place]?.[name]}
                text={id in changed.value ? { text: changed.value[id] } : undefined}
                isRequired={required}
                description={description}
                hint={[place, describeSchema(schemaAt(schema))].filter(Boolean).join(', ')}
                onText={(text) => {
                  changed.value = { ...changed.value, [id]: text }
                }}
              />
            )
          })}
        </div>
      )}
      {form.body && (
        <label class="body">
          <span>
            Body <span class="dim">{content?.mediaType}</span>
          </span>
          <textarea
            rows={Math.min(18, Math.max(4, body.value.split('\n').length + 1))}
            spellcheck={false}
            value={body.value}
            onInput={({ currentTarget }) => {
              body.value = currentTarget.value
            }}
          />
          <BodyHint schema={content?.schema} />
        </label>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={jobs.isBusy.value}>
          Send
        </button>
        {last.value && <CopyButton text={() => toCurl(toSent(last.value as WrittenRequest))} label="Copy as curl" />}
        <span class="dim">
          with the key of <b>{world.value}</b>
        </span>
      </div>
      {isAsking.value && (
        <KeyPrompt
          world={world.value}
          onKey={() => {
            isAsking.value = false
          }}
        />
      )}
      <ProblemText jobs={jobs} />
      {answered.value && <AnswerView answered={answered.value} operation={operation.id} />}
    </form>
  )
}

function toSent(request: WrittenRequest): WrittenRequest & { body: string | undefined } {
  return { ...request, body: request.body }
}

/** The properties of the body, in a line. */
function BodyHint({ schema }: { schema: string | undefined }): JSX.Element {
  const properties = propertiesOf(schemaAt(schema))
  return (
    <span class="hint">
      {properties.map(([name, each, isRequired]) => (
        <span key={name} class="property">
          <code>{name}</code>
          {isRequired && <span class="required">*</span>} {describeSchema(each)}
        </span>
      ))}
    </span>
  )
}

/** A body of another media type is written by the sandbox, from a value. */
function readBody(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return text
  }
}

function AnswerView({ answered, operation }: { answered: Answered; operation: string }): JSX.Element {
  const { status, body, after } = answered
  const exchange = exchanges.value.find((each) => each.id > after && each.operation === operation)
  return (
    <section class="answer" aria-label="Answer">
      <h3>
        <Status status={status} />{' '}
        {exchange && (
          <a href={toHash('requests', exchange.id)}>
            Why? <span class="dim">{exchange.why.step}</span>
          </a>
        )}
      </h3>
      {exchange?.refused !== undefined && <p class="problem">{exchange.why.text}</p>}
      {body === '' ? <p class="dim">No body</p> : <JsonView text={prettify(body)} label="Body of the answer" />}
    </section>
  )
}
