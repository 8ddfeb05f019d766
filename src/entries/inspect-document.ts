/** Collects facts about a document for the control API: reasons, places, and requests that users can try. */
import { withPathKey } from '../checks/provider/provider-collection.js'
import {
  createDraft,
  type Draft,
  toProviderRequest,
  withBody,
  withParameter,
} from '../checks/provider/requests/request-draft.js'
import { violationsOf } from '../checks/provider/values/judge-draft.js'
import type { CompiledText } from '../compile/compile-text.js'
import { type DescribedOperation, describeOperations } from '../compile/describe-operations.js'
import { locateViolation } from '../compile/locate-violation.js'
import { sampleValid } from '../compile/operations/compile-ensure.js'
import { parameterSchema } from '../compile/operations/compile-parameters.js'
import { bareMediaType } from '../compile/operations/media-types.js'
import { effectName, readEffect } from '../compile/resources/corrections/effect-correction.js'
import { valueContentOf } from '../contract/body-content.js'
import type { Operation, RequestContract } from '../contract/contract.js'
import { describeChanges } from '../contract/effects/describe-changes.js'
import type { ParameterPlace } from '../contract/request-model.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { DocumentPart, Inspected, OperationForm, RequestValues, WrittenRequest } from '../control/inspected.js'
import { type DocumentPath, filesMember, type Schema } from '../document/document.js'
import { once } from '../document/once.js'
import { createFindReferences } from '../generate/find-references.js'
import { fromJsonPointer, toJsonPointer } from '../json/json-pointer.js'
import { isObject, ownValue } from '../json/own-value.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { World } from '../sandbox/facade/world.js'
import { type Corrections, nextOverlay, writeCommand, writeOverlay } from './corrections.js'
import { completeRecord, ownersOf } from './examples/complete-record.js'
import type { Examples } from './examples/example-draft.js'
import { createExample } from './examples/example-request.js'
import { createFormReferences } from './examples/form-references.js'
import { findPathValues } from './examples/path-values.js'

const places = ['path', 'query', 'header', 'cookie'] as const

type Inspectable = Pick<
  CompiledText,
  'contract' | 'document' | 'explanations' | 'locate' | 'inferAgain' | 'collectionPaths' | 'collectionFacts'
>

export function inspectDocument(
  { contract: whole, document, explanations, locate, inferAgain, collectionPaths, collectionFacts }: Inspectable,
  sandbox: Sandbox,
  corrections: Corrections | undefined,
): Inspected {
  const { contract } = sandbox
  const all = describeOperations(document)
  const described = new Map(all.map((each) => [each.id, each]))
  const reasons = new Map(explanations.map((each) => [`${each.method} ${each.path}`, each]))
  const operations = new Map(contract.operations.map((each) => [each.id, each]))
  const isOn = canTryIn(document, true)
  const findReferences = createFindReferences(document, whole, () => true)
  const formReferences = once(() => createFormReferences(document, whole))

  /** Cached places of operations, because each list contains all of them. */
  const parts = new Map<string, DocumentPart>()
  const toPart = (path: DocumentPath): DocumentPart => ({ pointer: toPlainPointer(path), ...locate(path) })
  const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

  let examples: Promise<Examples> | undefined
  const loadExamples = async () => (await import('./examples/example-draft.js')).createExamples(contract, document, all)
  const exampleRequests = () => (examples ??= loadExamples())

  function canTry(id: string): boolean {
    return canTryIn(described.get(id)?.value, isOn)
  }

  return {
    canTry,
    reasonOf(id) {
      const operation = operations.get(id)
      return operation && reasons.get(`${operation.method} ${operation.path}`)
    },
    summaryOf: (id) => textOf(membersOf(described.get(id)?.value)['summary']),
    tagsOf(id) {
      const { tags } = membersOf(described.get(id)?.value)
      return Array.isArray(tags) ? tags.filter((each) => typeof each === 'string') : []
    },
    pathOf: (name) => collectionPaths.get(name) ?? '',
    async overlayOf(id, tried) {
      const { actions, change, effect, does, reason } = await correctionOf(id, tried)
      const { [id]: applied, ...others } = Object.fromEntries(corrections?.actions ?? [])
      const shown = tried ? change : applied
      const file = nextOverlay()
      return {
        overlay: await writeOverlay(
          `${shown ? 'Corrections' : 'What is inferred'} of ${whole.title} ${whole.version}`.trim(),
          shown ? [...Object.values(others), shown] : actions,
        ),
        file,
        ...optional('command', writeCommand(file)),
        ...{ effect, does, reason },
        corrected: tried ?? readEffect(described.get(id) as DescribedOperation) ?? {},
        ...(corrections && { applied: applied !== undefined }),
      }
    },
    ...(corrections && {
      async correct(id: string, effect?: object) {
        const change = effect && (await correctionOf(id, effect)).change
        if (effect && !change) throw new SandboxError('INVALID_OPTION', 'HEAD follows GET; correct that operation')
        await corrections.correct(id, change)
      },
    }),
    sampleOf(pointer, name) {
      const path = fromJsonPointer(pointer)
      const value = path.reduce<unknown>(
        (part, each) =>
          isObject(part) || Array.isArray(part) ? ownValue(part as Record<string, unknown>, each) : undefined,
        document,
      )
      if (!isObject(value) && value !== true) return undefined
      return sampleValid(document, { value: value as Schema, path }, name) ?? null
    },
    referencesOf(name) {
      const model = whole.collections.find((each) => each.name === name)
      return model ? findReferences(model).filter(({ isList }) => !isList) : []
    },
    complete(model, values, environment, world) {
      const collection = (name: string) => world.collection(name, environment)
      const newest = new Map(ownersOf(model).map((name) => [name, collection(name).select([], 1)[0]?.values]))
      const { size } = collection(model.name)
      const record = completeRecord(whole, model, values, { size, newest }) ?? values
      return { ...record, [model.key]: ownValue(values, model.key) }
    },
    locate(id, violation, sent) {
      const operation = described.get(id)
      if (!operation) return undefined
      if (violation) return toPart(locateViolation(document, operation, violation, sent))
      const part = parts.get(id) ?? toPart(operation.at)
      parts.set(id, part)
      return part
    },
    locateWebhook(name, method) {
      const isThere = (place: string) => Object.hasOwn(membersOf(membersOf(document)[place]), name)
      const place = ['webhooks', 'x-webhooks'].find(isThere)
      return place === undefined ? undefined : toPart([place, name, method.toLowerCase()])
    },
    async formOf(id, world) {
      const operation = operations.get(id) as Operation
      const draft = await createTrial(operation, world)
      const form = describeForm(id, canTry(id), described.get(id), draft)
      return form.body && form.body.contents.length > 1 ? withExamples(form, operation, world) : form
    },
    write(id, values) {
      const operation = operations.get(id) as Operation
      return writeRequest(sandbox, operation, values)
    },
  }

  /** What is inferred of an operation, or would be with a correction, and the change of the document for it. */
  async function correctionOf(id: string, tried: object | undefined) {
    const { method, path } = operations.get(id) as Operation
    const documented = described.get(id) as DescribedOperation
    const again = await inferAgain(tried && { at: [...documented.at, effectName], value: tried })
    const own = again.explanations.find((each) => each.method === method && each.path === path)
    const after = again.contract.operations.find((each) => each.id === id)
    const actions = again.overlay.filter((action) =>
      action.isOfRecords
        ? action.path === own?.collection
        : action.path === path && action.target.toLowerCase().endsWith(`.${method.toLowerCase()}`),
    )
    const action = actions.find(({ isOfRecords }) => !isOfRecords)
    const { effect = '', reason = '' } = reasons.get(`${method} ${path}`) ?? {}
    const description = `Before: ${effect}, because ${reason}`
    // A further correction is one of the same document.
    const known = corrections?.actions.get(id) ?? { description, isReplaced: readEffect(documented) !== undefined }
    const { description: before, isReplaced } = known
    return {
      actions,
      change: action && { ...action, description: before, isReplaced, update: { [effectName]: tried } },
      effect: membersOf(action?.update[effectName]),
      does: after ? describeChanges(after.effect) : [],
      reason: own?.reason ?? '',
    }
  }

  /** Makes a valid request, including an optional body. @returns undefined if no valid request can be made */
  async function createTrial(operation: Operation, world: World): Promise<Draft | undefined> {
    const { bodyOf, draftOf } = await exampleRequests()
    const draft =
      (await createExample(sandbox, exampleRequests, operation, world)) ??
      draftOf(operation) ??
      (await createPart(operation, world))
    if (!operation.body) return draft
    const body = draft?.body ? undefined : bodyOf(operation)
    const whole = body === undefined ? draft : withBody(draft ?? createDraft(operation), body)
    return whole && withNewKey(contract, whole, world)
  }

  /** The known part of a request that cannot be made completely. */
  async function createPart(operation: Operation, world: World): Promise<Draft | undefined> {
    const [path] = await findPathValues(sandbox, operation, operation.servers[0] ?? '', world)
    return path && [...path].reduce((draft, [name, value]) => withPathKey(draft, name, value), createDraft(operation))
  }

  /** Adds an example for each media type, because their schemas may differ. */
  async function withExamples(form: OperationForm, operation: Operation, world: World): Promise<OperationForm> {
    const { required = false, contents = [] } = form.body ?? {}
    const usual = valueContentOf(operation)?.mediaType
    const described = await Promise.all(
      contents.map(async (each) => {
        const isUsual = bareMediaType(each.mediaType) === usual
        const example = isUsual ? form.example.body : await createBody(withMediaType(operation, each.mediaType), world)
        return { ...each, ...optional('example', example) }
      }),
    )
    return { ...form, body: { required, contents: described } }
  }

  async function createBody(operation: Operation, world: World): Promise<unknown> {
    const value = (await exampleRequests()).bodyOf(operation)
    if (value === undefined) return undefined
    const draft = withBody(createDraft(operation), value)
    const { body } = await withNewKey(contract, draft, world)
    return body && 'value' in body ? body.value : value
  }

  function describeForm(
    id: string,
    canTry: boolean,
    found: DescribedOperation | undefined,
    draft: Draft | undefined,
  ): OperationForm {
    const { summary, description } = membersOf(found?.value)
    const operation = operations.get(id) as Operation
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
      facts: 'collection' in effect ? [...(collectionFacts.get(effect.collection ?? '') ?? [])] : [],
      example: {
        ...(draft && { parameters: draft.parameters }),
        ...(draft?.body && { body: 'value' in draft.body ? draft.body.value : draft.body.text }),
      },
    }
  }
}

function writeRequest(
  { contract }: Sandbox,
  described: Operation,
  { key, environment, parameters = {}, body, mediaType }: RequestValues,
): WrittenRequest {
  const operation = mediaType === undefined ? described : withMediaType(described, mediaType)
  const server = environment ?? operation.servers[0]
  const baseUrl = contract.servers.find(({ name }) => name === server)?.mount ?? ''
  let draft = createDraft(operation)
  for (const place of places) {
    for (const [name, value] of Object.entries(parameters[place] ?? {})) draft = withValue(draft, place, name, value)
  }
  if (body !== undefined) draft = withBody(draft, body)
  const { method, url, headers, body: text } = toProviderRequest(draft, { baseUrl, contract, key })
  // Without a scheme, a header of the sandbox names the world.
  const named = operation.security.length === 0 ? [['Sandbox-World', key] as const] : []
  return {
    method,
    target: url,
    headers: [...named, ...headers].map(([name, value]) => ({ name, value })),
    ...(text !== undefined && { body: text }),
  }
}

/** A copy that accepts only bodies of this media type, if the operation accepts it. */
function withMediaType(operation: Operation, mediaType: string): Operation {
  const { body } = operation
  const content = body?.content.filter((each) => each.mediaType === bareMediaType(mediaType)) ?? []
  return body && content.length > 0 ? { ...operation, body: { ...body, content } } : operation
}

function withValue(draft: Draft, place: ParameterPlace, name: string, value: unknown): Draft {
  return place === 'path' ? withPathKey(draft, name, value) : withParameter(draft, place, name, value)
}

/** A copy with a member, if it has a value. */
function optional<Name extends string, T>(name: Name, value: T | undefined): { [Key in Name]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: T }
}

function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** Whether a document or an operation allows trying: `x-sandbox-try`, or the extensions of ReadMe and others. */
function canTryIn(value: unknown, otherwise: boolean): boolean {
  const { 'x-sandbox-try': own, 'x-explorer-enabled': other, 'x-readme': readme } = membersOf(value)
  const said = [own, other, membersOf(readme)['explorer-enabled']].find((each) => typeof each === 'boolean')
  return typeof said === 'boolean' ? said : otherwise
}

/** A JSON Pointer in the file of a part. */
function toPlainPointer(path: DocumentPath): string {
  return toJsonPointer(path[0] === filesMember ? path.slice(2) : path)
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
