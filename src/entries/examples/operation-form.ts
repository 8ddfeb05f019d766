/** Describes the form with which users try an operation, with a valid request as its example. */
import { withPathKey } from '../../checks/provider/provider-collection.js'
import { createDraft, type Draft, violationsOf, withBody } from '../../checks/provider/requests/request-draft.js'
import { valueContentOf } from '../../contract/body-content.js'
import type { Operation, RequestContract } from '../../contract/contract.js'
import { bareMediaType } from '../../contract/http/media-types.js'
import type { OperationForm } from '../../control/inspected.js'
import { toJsonPointer } from '../../json/json-pointer.js'
import { isObject } from '../../json/own-value.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import type { World } from '../../sandbox/facade/world.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import type { Examples } from './example-draft.js'
import { createExample } from './example-request.js'
import type { createFormReferences } from './form-references.js'
import { findPathValues } from './path-values.js'

/** What forms are made from. */
export interface FormContext {
  sandbox: Sandbox
  /** Loads what makes requests from the schemas. */
  exampleRequests: () => Promise<Examples>
  formReferences: () => ReturnType<typeof createFormReferences>
  /** What is known about the records of a collection. */
  factsOf(collection: string): OperationForm['facts']
}

/** @param canTry whether the document allows users to try it */
export async function createForm(
  context: FormContext,
  operation: Operation,
  canTry: boolean,
  described: DescribedOperation | undefined,
  world: World,
): Promise<OperationForm> {
  const draft = await createTrial(context, operation, world)
  const form = describeForm(context, operation, canTry, described, draft)
  return form.body && form.body.contents.length > 1 ? withExamples(context, form, operation, world) : form
}

/** Makes a valid request, including an optional body. @returns undefined if no valid request can be made */
async function createTrial(context: FormContext, operation: Operation, world: World): Promise<Draft | undefined> {
  const { bodyOf, draftOf } = await context.exampleRequests()
  const draft =
    (await createExample(context.sandbox, context.exampleRequests, operation, world)) ??
    draftOf(operation) ??
    (await createPart(context, operation, world))
  if (!operation.body) return draft
  const body = draft?.body ? undefined : bodyOf(operation)
  const whole = body === undefined ? draft : withBody(draft ?? createDraft(operation), body)
  return whole && withNewKey(context.sandbox.contract, whole, world)
}

/** The known part of a request that cannot be made completely. */
async function createPart(context: FormContext, operation: Operation, world: World): Promise<Draft | undefined> {
  const [path] = await findPathValues(context.sandbox, operation, operation.servers[0] ?? '', world)
  return path && [...path].reduce((draft, [name, value]) => withPathKey(draft, name, value), createDraft(operation))
}

/** Adds an example for each media type, because their schemas may differ. */
async function withExamples(
  context: FormContext,
  form: OperationForm,
  operation: Operation,
  world: World,
): Promise<OperationForm> {
  const { required = false, contents = [] } = form.body ?? {}
  const usual = valueContentOf(operation)?.mediaType
  const described = await Promise.all(
    contents.map(async (each) => {
      const isUsual = bareMediaType(each.mediaType) === usual
      const example = isUsual
        ? form.example.body
        : await createBody(context, withMediaType(operation, each.mediaType), world)
      return { ...each, ...optional('example', example) }
    }),
  )
  return { ...form, body: { required, contents: described } }
}

async function createBody(context: FormContext, operation: Operation, world: World): Promise<unknown> {
  const value = (await context.exampleRequests()).bodyOf(operation)
  if (value === undefined) return undefined
  const draft = withBody(createDraft(operation), value)
  const { body } = await withNewKey(context.sandbox.contract, draft, world)
  return body && 'value' in body ? body.value : value
}

function describeForm(
  { formReferences, factsOf }: FormContext,
  operation: Operation,
  canTry: boolean,
  found: DescribedOperation | undefined,
  draft: Draft | undefined,
): OperationForm {
  const { summary, description } = membersOf(found?.value)
  const { effect, extras, parameters: compiled } = operation
  const { idempotencyKey, idempotencyProperty } = extras?.kind === 'http' ? extras : {}
  const key = found?.parameters.find(
    ({ value }) => value.in === 'header' && value.name.toLowerCase() === idempotencyKey,
  )
  const contents = Object.entries(found?.body?.value.content ?? {})
  return {
    ...optional('summary', textOf(summary)),
    ...optional('description', textOf(description)),
    canTry,
    parameters: (found?.parameters ?? []).flatMap((parameter) => {
      const { name, in: place, required = false, description } = parameter.value
      if (!compiled.some((each) => each.name === name && each.in === place)) return []
      const schema = parameterSchema(parameter)
      return {
        ...{ in: place, name, required, schema: toJsonPointer(schema.path) },
        ...optional('description', textOf(description)),
      }
    }),
    ...(found?.body && {
      body: {
        required: found.body.value.required === true,
        contents: contents.map(([mediaType, { schema }]) => ({
          mediaType,
          ...(schema !== undefined &&
            found.body && { schema: toJsonPointer([...found.body.path, 'content', mediaType, 'schema']) }),
        })),
      },
    }),
    responses: [...(found?.responses ?? [])].map(([status, { value }]) => ({
      status,
      ...optional('description', textOf(value.description)),
    })),
    references: formReferences()(operation, found),
    ...(idempotencyKey !== undefined && {
      idempotency: { in: 'header' as const, name: key?.value.name ?? 'Idempotency-Key' },
    }),
    ...(idempotencyKey === undefined &&
      idempotencyProperty !== undefined && { idempotency: { in: 'body' as const, name: idempotencyProperty } }),
    facts: 'collection' in effect ? factsOf(effect.collection ?? '') : [],
    example: {
      ...(draft && { parameters: draft.parameters }),
      ...(draft?.body && { body: 'value' in draft.body ? draft.body.value : draft.body.text }),
    },
  }
}

/** A copy that accepts only bodies of this media type, if the operation accepts it. */
export function withMediaType(operation: Operation, mediaType: string): Operation {
  const { body } = operation
  const content = body?.content.filter((each) => each.mediaType === bareMediaType(mediaType)) ?? []
  return body && content.length > 0 ? { ...operation, body: { ...body, content } } : operation
}

/** A copy with a member, if it has a value. */
export function optional<Name extends string, T>(name: Name, value: T | undefined): { [Key in Name]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: T }
}

export function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** The text of a value without spaces around it, if it has any. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Maximum newest records to check for used keys. */
const maxRecords = 1000

const maxTried = 50

/** @returns the request itself, if its key is unused or callers cannot choose it */
async function withNewKey(contract: RequestContract, draft: Draft, world: World): Promise<Draft> {
  const { effect } = draft.operation
  const value = draft.body && 'value' in draft.body ? draft.body.value : undefined
  if (effect.kind !== 'create' || !isObject(value)) return draft
  const model = contract.collections.find(({ name }) => name === effect.collection)
  if (!model || !Object.hasOwn(value, model.key)) return draft
  const records = await world.collection(model.name).list({ limit: maxRecords })
  const taken = new Set(records.map((record) => String(record[model.key])))
  const { [model.key]: first } = value
  for (let tried = 0; tried < maxTried; tried++) {
    const key = tried === 0 ? first : nextKey(first, tried, records.length)
    const other = withBody(draft, { ...value, [model.key]: key })
    if (!taken.has(String(key)) && violationsOf(contract, other).length === 0) return other
  }
  return draft
}

/** Increments a number, or changes the end of a text. */
function nextKey(first: unknown, tried: number, count: number): unknown {
  if (typeof first === 'number' || typeof first === 'bigint') return Number(first) + count + tried - 1
  const text = String(first)
  const end = String(count + tried)
  return tried % 2 === 1 ? `${text}-${end}` : text.slice(0, Math.max(0, text.length - end.length)) + end
}
