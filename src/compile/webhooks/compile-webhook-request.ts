/** Compiles the request of a callback or webhook: its body and its required parameters. */

import { bareMediaType } from '../../contract/http/media-types.js'
import type { ShownRecord, Webhook, WebhookBody, WebhookParameter, WebhookSignature } from '../../contract/webhook.js'
import {
  type Located,
  type MediaTypeObject,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type RequestBodyObject,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { withLazy } from '../../document/once.js'
import { resolve } from '../../document/references.js'
import { toJson } from '../../json/exact-json.js'
import { isSignature, signatureIn } from '../../lexicon/headers.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { jsonContent } from '../../schemas/operations/describe-operations.js'
import { ofTransport } from '../operations/compile-headers.js'
import { sampleMediaType } from '../samples/sample.js'
import { sampleBody, toJsonExample } from '../samples/sample-body.js'
import { chooseEvent, findEvents, findRecordPlaces } from './find-events.js'
import type { NamedEvent, WebhookContext } from './webhook-context.js'

export function compileWebhookRequest(
  context: WebhookContext,
  event: NamedEvent,
  item: Located<PathItem>,
  operation: Located<OperationObject> & { method: string },
): Pick<Webhook, 'parameters' | 'signatures' | 'body'> {
  const parameters = compileParameters(context, event, item, operation)
  const body = hasContent(context, operation) ? compileBody(context, event, operation) : undefined
  const signatures = findSignatures(context, item, operation)
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(signatures.length > 0 && { signatures }),
    ...(body && { body }),
  }
}

/** The headers with a signature, also optional ones, in the form that their descriptions and examples show. */
function findSignatures(
  { document }: WebhookContext,
  ...owners: Located<PathItem | OperationObject>[]
): WebhookSignature[] {
  const found = new Map<string, WebhookSignature>()
  for (const { value, path } of owners) {
    for (const [index, written] of (value.parameters ?? []).entries()) {
      const parameter = resolve<ParameterObject>(document, written, [...path, 'parameters', index])
      const { in: place, name } = parameter.value
      if (place !== 'header' || !isSignature(name)) continue
      const { keywords } = flattenSchema(document, schemaOf(parameter))
      found.set(name.toLowerCase(), { name, ...signatureIn(name, toJson([parameter.value, keywords])) })
    }
  }
  return [...found.values()]
}

/** Content of GET, HEAD and TRACE has no meaning or is forbidden (RFC 9110, section 9.3), and `fetch` refuses it. */
function hasContent(
  { notes }: WebhookContext,
  { value, path, method }: Located<OperationObject> & { method: string },
): boolean {
  if (!/^(GET|HEAD|TRACE)$/i.test(method)) return true
  if (value.requestBody !== undefined)
    notes.add([...path, 'requestBody'], `A request with ${method.toUpperCase()} has no body`, 'it is sent without one')
  return false
}

/** Headers that other keywords describe (OpenAPI 3.1, section 4.8.12.1), or that the sender sets. */
const ownHeaders = ['accept', 'content-type', 'authorization', 'host', 'expect']

function compileParameters(
  { document }: WebhookContext,
  event: NamedEvent,
  ...owners: Located<PathItem | OperationObject>[]
): WebhookParameter[] {
  const found = new Map<string, WebhookParameter>()
  for (const { value, path } of owners) {
    for (const [index, written] of (value.parameters ?? []).entries()) {
      const parameter = resolve<ParameterObject>(document, written, [...path, 'parameters', index])
      const { in: place, name, required } = parameter.value
      if ((place !== 'header' && place !== 'query') || !required) continue
      if (place === 'header' && (ownHeaders.includes(name.toLowerCase()) || ofTransport.test(name))) continue
      const compiled = withLazy({ in: place, name }, 'value', () => writeParameter(document, event, parameter))
      found.set(`${place} ${name}`, compiled)
    }
  }
  return [...found.values()]
}

function writeParameter(
  document: WebhookContext['document'],
  event: NamedEvent,
  { value, path }: Located<ParameterObject>,
): string {
  const chosen = chooseEvent(flattenSchema(document, schemaOf({ value, path })).keywords, event)
  const sampled: unknown = chosen ?? sampleMediaType(document, { value: value as MediaTypeObject, path })
  if (Array.isArray(sampled)) return sampled.map(String).join(',')
  return typeof sampled === 'object' ? toJson(sampled) : String(sampled ?? '')
}

function compileBody(
  context: WebhookContext,
  event: NamedEvent,
  { value, path }: Located<OperationObject>,
): WebhookBody | undefined {
  const { document, ensures } = context
  if (value.requestBody === undefined) return undefined
  const body = resolve<RequestBodyObject>(document, value.requestBody, [...path, 'requestBody'])
  const { content } = body.value
  const json = jsonContent(content, body.path)
  const form = Object.entries(content).find(([name]) => bareMediaType(name) === 'application/x-www-form-urlencoded')
  const media = json ?? (form && { mediaType: form[0], value: form[1], path: [...body.path, 'content', form[0]] })
  if (!media) return compileOther(context, content, body.path)
  const schema = schemaOf(media)
  const records = findAllPlaces(context, event, schema)
  const shown = Object.values(records).flatMap(({ places }) =>
    places.map(({ pointer, values }) => ({ pointer, values })),
  )
  return withLazy(
    {
      mediaType: media.mediaType,
      codec: json ? ('json' as const) : ('form' as const),
      ensure: ensures.add(schema),
      ...(Object.keys(records).length > 0 && { records }),
      ...findEvents(context, schema, event, shown),
    },
    'example',
    () => toJsonExample(document, media),
  )
}

/** A body that does not depend on the state: a text, a file, or multipart. */
function compileOther(
  { document, notes }: WebhookContext,
  content: Record<string, MediaTypeObject>,
  path: Located<unknown>['path'],
): WebhookBody | undefined {
  const sampled = sampleBody(document, content, path)
  if (!sampled) return undefined
  const { mediaType, text, base64 } = sampled
  if (mediaType.startsWith('multipart/')) {
    notes.addLimit(path, 'Bodies of several parts are not made', 'the request is sent without a body')
    return undefined
  }
  return { mediaType, example: text ?? '', ...(base64 !== undefined && { base64 }) }
}

/** The places of records in the body, by the collections of the operations. */
function findAllPlaces(
  { document, operations, collections, records, shapes }: WebhookContext,
  { on }: NamedEvent,
  schema: Located<Schema>,
): Record<string, ShownRecord> {
  const found: Record<string, ShownRecord> = {}
  for (const { id, effect } of operations) {
    if (!on.includes(id) || !('collection' in effect) || Object.hasOwn(found, effect.collection)) continue
    const { collection } = effect
    const record = records.get(collection)
    const model = collections.find(({ name }) => name === collection)
    if (!record || !model) continue
    const places = findRecordPlaces(document, schema, record, model)
    if (places.length > 0) found[collection] = { shape: shapes.add(record, 'response'), places }
  }
  return found
}
