/** A form for an operation, made from its schema. It sends requests to the service with the key of the world in view. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Exchange, Form, Operation, Violation } from '../api-types.js'
import { Button, CopyButton } from '../parts/bits.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { KeyPrompt } from '../parts/request-actions.js'
import { messagesAt, ValueInput } from '../parts/value-input.js'
import { send } from '../requests/replay.js'
import { describeSchema, schemaAt } from '../schema.js'
import { environment, exchanges, keyOf, world } from '../store.js'
import { type Answered, AnswerView, readAnswer } from './answer-view.js'
import { BodyForm } from './body-form.js'
import { type BodyContent, exampleOf, hasFields, kindOf, usualContent } from './body-kind.js'
import type { EditedBody } from './body-value.js'
import { bodyDraftOf, type Draft, draftOf } from './drafts.js'
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
  const isAsking = useSignal(false)
  const element = useRef<HTMLFormElement>(null)
  const contents = form.body?.contents ?? []
  const content = contents.find(({ mediaType }) => mediaType === draft.mediaType.value) ?? usualContent(contents)
  const body = content && toEditedBody(content, form, draft)
  const exchange = answered.value && findExchange(operation.id, answered.value.after)
  const violations = jobs.problem.value?.violations ?? exchange?.violations ?? []
  useEffect(() => {
    if (violations.length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [exchange, jobs.problem.value])

  async function sendShown(): Promise<void> {
    const key = keyOf(world.value)
    if (key === undefined) {
      isAsking.value = true
      throw new Error(`The key of the world ${world.value} is not known here`)
    }
    const parameters = toParameters(form, draft.parameters.value)
    const request = await writeRequest({ operation, key, environment: environment.value, parameters, body })
    last.value = request
    if (request.body && /^(GET|HEAD)$/.test(request.method))
      throw new Error(`Browsers send no body with ${request.method}. Copy the request as curl to send it`)
    const after = exchanges.value.at(-1)?.id ?? 0
    const response = await send({ ...request, body: request.body && toFetchBody(request.body) }).catch(() => {
      throw new Error('The connection was closed without a whole answer')
    })
    answered.value = await readAnswer(response, operation.id, after)
    // Otherwise the next exchange could be mistaken for this one.
    await waitForExchange(operation.id, after)
  }

  async function submit(event?: Event): Promise<void> {
    event?.preventDefault()
    if (jobs.isBusy.value) return
    isAsking.value = false
    answered.value = undefined
    await jobs.run(sendShown)
  }

  return (
    <section class="try" aria-label="Try it">
      <h3>Try it</h3>
      <form ref={element} onSubmit={submit} noValidate aria-label={`Try ${operation.id}`}>
        <ParameterFields form={form} draft={draft} violations={violations} />
        {form.body && content && (
          <BodyForm {...{ draft, contents, content, body, violations }} isRequired={form.body.required} />
        )}
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={jobs.isBusy.value}>
            Send
          </button>
          {last.value && <CopyButton text={() => toCurlOf(last.value as SentRequest)} label="Copy as curl" />}
          <Button label="Start over" kind="quiet" onClick={onReset} />
          <span class="dim">
            with the key of <b>{world.value}</b>
          </span>
        </div>
      </form>
      {isAsking.value && <KeyPrompt world={world.value} onKey={() => void submit()} />}
      <ProblemText jobs={jobs} />
      <p class="spoken" role="status">
        {answered.value && `Answered with ${exchange?.response.status ?? answered.value.status ?? 'a redirect'}`}
      </p>
      {answered.value && <AnswerView answered={answered.value} exchange={exchange} />}
    </section>
  )
}

/** @returns undefined if an optional body is left out */
function toEditedBody(content: BodyContent, form: Form, draft: Draft): EditedBody | undefined {
  const { mediaType } = content
  const example = exampleOf(content, form)
  const hasBody = form.body?.required === true || (draft.hasBody.value ?? example !== undefined)
  if (!hasBody) return undefined
  const schema = schemaAt(content.schema)
  const kind = kindOf(mediaType, schema)
  return {
    ...{ kind, mediaType, schema, example },
    hasFields: hasFields(kind, schema, example),
    draft: bodyDraftOf(draft, mediaType),
  }
}

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

function ParameterFields(props: { form: Form; draft: Draft; violations: Violation[] }): JSX.Element | null {
  const { form, draft, violations } = props
  const { parameters: texts } = draft
  if (form.parameters.length === 0) return null
  return (
    <div class="fields">
      {form.parameters.map(({ in: place, name, required, description, schema }) => {
        const id = idOf(place, name)
        return (
          <ValueInput
            key={id}
            name={name}
            schema={schemaAt(schema)}
            value={form.example.parameters?.[place]?.[name]}
            texts={texts.value}
            id={id}
            isRequired={required}
            description={description ?? ''}
            hint={[place, describeSchema(schemaAt(schema))].filter(Boolean).join(', ')}
            errors={messagesAt(violations, place, name)}
            onText={(text) => {
              texts.value = { ...texts.value, [id]: text }
            }}
          />
        )
      })}
    </div>
  )
}
