/** A form for an operation, made from its schema. It sends requests to the service with the key of the world in view. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import type { Exchange, Form, Operation, Values } from '../api.js'
import { Fields } from '../forms/fields.js'
import {
  type FormFacts,
  type FormField,
  type FormReference,
  idOf,
  messagesFor,
  useFocusOnWrong,
} from '../forms/form.js'
import { ValueInput } from '../forms/value-input.js'
import { isObject } from '../json-text.js'
import { Button, CopyButton, Status } from '../parts/bits.js'
import { Check } from '../parts/inputs.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { ForgetKey, KeyPrompt } from '../parts/world-key.js'
import { send } from '../requests/replay.js'
import { ChangedRecords } from '../requests/why-panel.js'
import { describeSchema, exampleIn, objectAt, schemaAt } from '../schema.js'
import { environment, exchanges, keyOf, nextExchange, world, worldName } from '../store.js'
import { type Answered, AnswerView, readAnswer } from './answer-view.js'
import {
  type BodyContent,
  BodyForm,
  bodyValue,
  type EditedBody,
  exampleOf,
  hasFields,
  kindOf,
  usualContent,
} from './body-form.js'
import { bodyDraftOf, type Draft, draftOf, markKept, newKey } from './drafts.js'
import { type SentRequest, toCurlOf, toFetchBody, toParameters, writeRequest } from './sent-request.js'

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
  const exchange = answered.value && exchanges.value.find(isAnswerOf(operation.id, answered.value.after))
  const refused = answered.value ? exchange?.violations : draft.refused.value
  const violations = jobs.problem.value?.violations ?? refused ?? []
  useFocusOnWrong(element, violations.length > 0 ? (jobs.problem.value ?? exchange ?? violations) : undefined)
  const { idempotency } = form
  const facts: FormFacts = {
    violations,
    referenceOf: (name) => form.references.find((each) => each.name === name && each.in === undefined),
  }

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
    await nextExchange(isAnswerOf(operation.id, after), waitMs)
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
        <ParameterFields {...{ form, draft, facts }} />
        {idempotency && (
          <OnceKey
            name={idempotency.name}
            draft={draft}
            errors={messagesFor(facts, idempotency.name, [], idempotency.in)}
          />
        )}
        {form.body && content && (
          <BodyForm
            {...{ draft, contents, content, body }}
            form={{ ...facts, violations: violations.filter((each) => each.in === 'body') }}
            isRequired={form.body.required}
          />
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

/** Whether an exchange answers a request of the form. @param after id of the newest exchange before it */
const isAnswerOf =
  (operation: string, after: number) =>
  (each: Exchange): boolean =>
    each.id > after && each.operation === operation && !each.sent

/** Writes the key into the value, unless the user typed the text. */
function setOnce(body: EditedBody, name: string, key: string): void {
  const value = bodyValue(body)
  if (isObject(value) && body.draft.text.value === undefined)
    body.draft.value.value = { value: { ...value, [name]: key } }
}

/** The key by which the service knows a repeated request. Each request has another one, unless the user keeps it. */
function OnceKey({ name, draft, errors }: { name: string; draft: Draft; errors: string[] }): JSX.Element {
  const hint = 'Requests with the same key are the same request: the second one gets the first answer.'
  const after = (
    <Check
      label="Keep it"
      spoken={`Keep ${name} for the next requests`}
      isOn={draft.isKeyKept.value}
      onChange={(isOn) => (draft.isKeyKept.value = isOn)}
    />
  )
  return (
    <div class="once">
      <ValueInput
        field={{ name, schema: { type: 'string' }, hint, after }}
        value={draft.onceKey.value}
        errors={errors}
        onChange={(next) => (draft.onceKey.value = String(next ?? ''))}
      />
    </div>
  )
}

function ParameterFields({ form, draft, facts }: { form: Form; draft: Draft; facts: FormFacts }): JSX.Element | null {
  const { parameters: edited } = draft
  const { idempotency, references, parameters } = form
  const fields = parameters
    .filter(({ in: part, name }) => part !== idempotency?.in || name !== idempotency.name)
    .map((parameter) => toField(parameter, references))
  const examples = fields.map((field) => [idOf(field), form.example.parameters?.[field.in]?.[field.name]])
  return fields.length === 0 ? null : (
    <fieldset class="plain">
      <legend>Parameters</legend>
      <Fields
        fields={fields}
        values={{ ...Object.fromEntries(examples), ...edited.value }}
        form={facts}
        onChange={(field, next, record) => {
          const owners = record ? ownersOf(field.reference ?? facts.referenceOf(field.name), record) : {}
          edited.value = { ...edited.value, [idOf(field)]: next, ...owners }
        }}
      />
    </fieldset>
  )
}

type Parameter = Form['parameters'][number]

/** The records of a parameter of the path are those of its place. */
function toField(parameter: Parameter, references: readonly FormReference[]): FormField & Pick<Parameter, 'in'> {
  const { in: part, name, required, description, schema: pointer } = parameter
  const schema = schemaAt(pointer)
  const example = exampleIn(objectAt(pointer?.replace(/\/schema$/, '') ?? ''))
  const own = references.find((each) => each.in === 'path' && each.name === name)
  return {
    ...{ name, in: part, isRequired: required },
    schema: { ...schema, ...(description !== undefined && { description }), ...(example !== undefined && { example }) },
    hint: [part, describeSchema(schema)].filter(Boolean).join(', '),
    ...(part === 'path' && { reference: own }),
  }
}

/** The parameters of the path that the same record has: those of its owners. */
function ownersOf(reference: FormReference | undefined, record: Values): Values {
  const pairs = (reference?.others ?? []).map(({ parameter, property }) => [
    idOf({ in: 'path', name: parameter }),
    record[property],
  ])
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
}
