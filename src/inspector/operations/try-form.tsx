/** A form for an operation, made from its schema. It sends requests to the service with the key of the world in view. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { Exchange, Form, Operation, Values, Violation } from '../api-types.js'
import { type FormFacts, type FormReference, messagesFor } from '../forms/form.js'
import { Sections } from '../forms/object-fields.js'
import { ValueField } from '../forms/value-field.js'
import { isObject } from '../json-text.js'
import { Button, CopyButton, Status } from '../parts/bits.js'
import { Check, describedBy, Field, into } from '../parts/inputs.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { ForgetKey, KeyPrompt } from '../parts/request-actions.js'
import { ValueInput } from '../parts/value-input.js'
import { ChangedRecords } from '../requests/effects-panel.js'
import { send } from '../requests/replay.js'
import { describeSchema, exampleIn, objectAt, type Schema, schemaAt, typeOf } from '../schema.js'
import { environment, exchanges, keyOf, world, worldName } from '../store.js'
import { type Answered, AnswerView, readAnswer } from './answer-view.js'
import { BodyForm } from './body-form.js'
import { type BodyContent, exampleOf, hasFields, kindOf, usualContent } from './body-kind.js'
import { bodyValue, type EditedBody } from './body-value.js'
import { bodyDraftOf, type Draft, draftOf, markKept, newKey } from './drafts.js'
import { type SentRequest, toCurlOf, toFetchBody } from './sent-body.js'
import { idOf, toParameters, writeRequest } from './write-request.js'

export interface TryFormProps {
  operation: Operation
  form: Form
  /** Restores the example. */
  onReset: () => void
}

export function TryForm({ operation, form, onReset }: TryFormProps): JSX.Element {
  const jobs = useJobs()
  const draft = draftOf(environment.value, operation.id)
  const answered = useSignal<Answered | undefined>(undefined)
  const last = useSignal<SentRequest | undefined>(undefined)
  const isKeyKnown = keyOf(world.value) !== undefined
  const element = useRef<HTMLFormElement>(null)
  const id = useId()
  const contents = form.body?.contents ?? []
  const content = contents.find(({ mediaType }) => mediaType === draft.mediaType.value) ?? usualContent(contents)
  const body = content && toEditedBody(content, form, draft, operation)
  const exchange = answered.value && findExchange(operation.id, answered.value.after)
  const refused = answered.value ? exchange?.violations : draft.refused.value
  const violations = jobs.problem.value?.violations ?? refused ?? []
  useEffect(() => {
    if (violations.length > 0)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')?.focus()
  }, [exchange, jobs.problem.value])
  const { idempotency } = form
  const referenceOf = (name: string) => form.references.find((each) => each.name === name && each.in === undefined)
  const factsAt = (place: Violation['in']): FormFacts => ({
    violations: violations.filter((each) => each.in === place),
    referenceOf,
  })

  async function sendShown(): Promise<void> {
    const key = keyOf(world.value)
    if (key === undefined) throw new Error('Enter the key of this world first, at the top of the form')
    const parameters = toParameters(form, draft.parameters.value)
    const { name, in: place } = idempotency ?? { name: '' }
    const once = place === 'header' ? { name, value: draft.onceKey.value } : undefined
    if (once && parameters.header) delete parameters.header[name]
    if (place === 'body' && body) setOnce(body, name, draft.onceKey.value)
    const request = await writeRequest({ operation, key, environment: environment.value, parameters, body, once })
    last.value = request
    if (request.body && withoutBody.test(request.method))
      throw new Error(`Browsers send no body with ${request.method}. Copy the request as curl to send it`)
    const after = exchanges.value.at(-1)?.id ?? 0
    if (!draft.isKeyKept.value) draft.onceKey.value = newKey()
    const started = performance.now()
    const response = await send({ ...request, body: request.body && toFetchBody(request.body) }).catch(() => {
      throw new Error('The connection was closed without a whole answer')
    })
    markKept(draft)
    answered.value = await readAnswer(response, operation.id, { after, started })
    // Otherwise the next exchange could be mistaken for this one.
    await waitForExchange(operation.id, after)
  }

  async function submit(event?: Event): Promise<void> {
    event?.preventDefault()
    if (jobs.isBusy.value) return
    answered.value = undefined
    await jobs.run(sendShown)
  }

  return (
    <section class="try" aria-label="Try it">
      <h3>
        Try it <span class="dim">in the world {worldName(world.value)}</span> <ForgetKey world={world.value} />
      </h3>
      {!isKeyKnown && (
        <KeyPrompt key={world.value} world={world.value} onKey={() => (jobs.problem.value = undefined)} />
      )}
      <form id={id} ref={element} onSubmit={submit} noValidate aria-label={`Try ${operation.id}`}>
        <ParameterFields form={form} draft={draft} factsAt={factsAt} />
        {idempotency && (
          <OnceKey
            name={idempotency.name}
            draft={draft}
            errors={messagesFor(factsAt(idempotency.in), idempotency.name)}
          />
        )}
        {form.body && content && (
          <BodyForm {...{ draft, contents, content, body }} form={factsAt('body')} isRequired={form.body.required} />
        )}
      </form>
      <div class="actions send">
        <button type="submit" form={id} class="primary" aria-disabled={jobs.isBusy.value}>
          Send
        </button>
        <Button label="Start over" kind="quiet" onClick={onReset} />
        {last.value && <CopyButton text={() => toCurlOf(last.value as SentRequest)} label="Copy as curl" />}
        {exchange && <Status status={exchange.response.status} />}
        <ChangedRecords changes={exchange?.changes} />
        <ProblemText jobs={jobs} />
      </div>
      <p class="spoken" role="status">
        {answered.value && `Answered with ${exchange?.response.status ?? answered.value.status ?? 'a redirect'}`}
      </p>
      {answered.value && <AnswerView answered={answered.value} exchange={exchange} />}
    </section>
  )
}

/** @returns undefined if an optional body is left out */
function toEditedBody(content: BodyContent, form: Form, draft: Draft, { method }: Operation): EditedBody | undefined {
  const { mediaType } = content
  const example = exampleOf(content, form)
  const hasBody =
    form.body?.required === true || (draft.hasBody.value ?? (example !== undefined && !withoutBody.test(method)))
  if (!hasBody) return undefined
  const schema = schemaAt(content.schema)
  const kind = kindOf(mediaType, schema)
  return {
    ...{ kind, mediaType, schema, example },
    hasFields: hasFields(kind, schema, example),
    draft: bodyDraftOf(draft, mediaType),
  }
}

/** Browsers send no body with these. */
const withoutBody = /^(GET|HEAD)$/

/** Milliseconds that a form waits for the exchange of its request. */
const waitMs = 1000

/** @param after id of the newest exchange before it */
function findExchange(operation: string, after: number): Exchange | undefined {
  return exchanges.value.find((each) => each.id > after && each.operation === operation && !each.sent)
}

function waitForExchange(operation: string, after: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, waitMs)
    const stop = exchanges.subscribe(() => {
      if (findExchange(operation, after)) queueMicrotask(end)
    })
    function end(): void {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}

/** Writes the key into the value, unless the user typed the text. */
function setOnce(body: EditedBody, name: string, key: string): void {
  const value = bodyValue(body)
  if (isObject(value) && body.draft.text.value === undefined)
    body.draft.value.value = { value: { ...value, [name]: key } }
}

/** The key by which the service knows a repeated request. Each request has another one, unless the user keeps it. */
function OnceKey({ name, draft, errors }: { name: string; draft: Draft; errors: string[] }): JSX.Element {
  const id = useId()
  const hint = 'Requests with the same key are the same request: the second one gets the first answer.'
  return (
    <div class="once">
      <Field id={id} label={name} errors={errors} hint={hint}>
        <Check
          label="Keep it"
          spoken={`Keep ${name} for the next requests`}
          isOn={draft.isKeyKept.value}
          onChange={(isOn) => (draft.isKeyKept.value = isOn)}
        />
        <input
          {...describedBy(id, errors)}
          autocomplete="off"
          spellcheck={false}
          value={draft.onceKey.value}
          onInput={into(draft.onceKey)}
        />
      </Field>
    </div>
  )
}

interface ParameterFieldsProps {
  form: Form
  draft: Draft
  factsAt: (place: Violation['in']) => FormFacts
}

function ParameterFields({ form, draft, factsAt }: ParameterFieldsProps): JSX.Element | null {
  const { parameters: edited } = draft
  const { idempotency, references } = form
  const all = form.parameters.filter(({ in: place, name }) => place !== idempotency?.in || name !== idempotency.name)
  const valueAt = (place: Form['parameters'][number]['in'], name: string) => {
    const id = idOf(place, name)
    return id in edited.value ? edited.value[id] : form.example.parameters?.[place]?.[name]
  }
  const show = (parameter: Form['parameters'][number]): JSX.Element => {
    const { in: place, name, required: isRequired, description, schema: pointer } = parameter
    const id = idOf(place, name)
    const schema: Schema = { ...schemaAt(pointer), ...(description !== undefined && { description }) }
    const value = valueAt(place, name)
    const facts = factsAt(place)
    const set = (next: unknown) => (edited.value = { ...edited.value, [id]: next })
    if (/^(object|array)$/.test(typeOf(schema)))
      return <ValueField key={id} {...{ name, path: name, schema, value, isRequired, form: facts }} onChange={set} />
    const reference =
      place === 'path' ? references.find((each) => each.in === 'path' && each.name === name) : facts.referenceOf(name)
    return (
      <ValueInput
        key={id}
        {...{ name, schema, value, isRequired, reference }}
        hint={[place, describeSchema(schema)].filter(Boolean).join(', ')}
        example={exampleIn(objectAt(pointer?.replace(/\/schema$/, '') ?? '')) ?? exampleIn(schema)}
        errors={messagesFor(facts, name)}
        onChange={(next, record) => {
          set(next)
          if (record) edited.value = { ...edited.value, ...ownersOf(reference, record) }
        }}
      />
    )
  }
  const optional = all.filter(({ required }) => !required)
  return all.length === 0 ? null : (
    <fieldset class="plain">
      <legend>Parameters</legend>
      <Sections
        required={all.filter(({ required }) => required).map(show)}
        optional={optional.map(show)}
        filled={optional.filter(({ in: place, name }) => valueAt(place, name) !== undefined).length}
        isWrong={optional.some(({ in: place, name }) => messagesFor(factsAt(place), name).length > 0)}
      />
    </fieldset>
  )
}

/** The parameters of the path that the same record has: those of its owners. */
function ownersOf(reference: FormReference | undefined, record: Values): Values {
  const pairs = (reference?.others ?? []).map(({ parameter, property }) => [idOf('path', parameter), record[property]])
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
}
