/** Facts about an operation for the rules of effects. */

import type { Method } from '../../contract/contract.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document/document.js'
import { isPageName } from '../../lexicon/envelopes.js'
import { calledAfterNoun, endsWithId, isFromOutside } from '../../lexicon/keys.js'
import { isDetails, saysList, saysUpsert } from '../../lexicon/operation-names.js'
import { isKeyOf } from '../../lexicon/record-names.js'
import { type VerbKind, verbOfId, verbOfSegment, verbOfSummary } from '../../lexicon/verbs.js'
import { bareName, isSameName, nounOf, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema, isObjectSchema, placeOf } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import type { FoundSuccess } from '../../schemas/operations/find-success.js'
import { recordContent } from '../../schemas/operations/request-content.js'
import { behind, isParameter, type PathNode } from '../paths/path-tree.js'
import { type FoundList, findList, isPage, valuesOf } from './body-shape.js'

export interface OperationFacts {
  operation: DescribedOperation
  method: Method
  node: PathNode
  success: FoundSuccess | undefined
  /** The list in the success body. */
  list: FoundList | undefined
  /** Whether the success body is a JSON object, or an array of them for one record. */
  answersObject: boolean
  /** Whether the success body is a file or a text. */
  answersFile: boolean
  /** Whether the success body is a picture, a sound, a document or an archive. */
  answersMedia: boolean
  /** The kind of verb in the operationId, else in the summary. */
  verb: VerbKind | undefined
  /** All words of the operationId and the summary. */
  words: ReadonlySet<string>
  /** Whether the operationId or the summary says that several records are returned. */
  saysList: boolean
  /** Whether the summary says that the operation adds or replaces: `Create or update a user` */
  saysUpsert: boolean
  /** Whether the answer is a list of booleans or numbers. */
  answersFlags: boolean
  body: BodyFacts
}

export interface BodyFacts {
  exists: boolean
  flat: FlatSchema | undefined
  /** Whether it is a list, or an object with nothing but a list, or with nothing but records by their keys. */
  isList: boolean
  /** Whether one of its properties is a list. */
  hasList: boolean
  /** Whether it is or contains a file. */
  isFile: boolean
}

const noBody: BodyFacts = { exists: false, flat: undefined, isList: false, hasList: false, isFile: false }

export function collectFacts(
  document: OpenApiDocument,
  operation: DescribedOperation,
  node: PathNode,
  success: FoundSuccess | undefined,
): OperationFacts {
  const { method, value } = operation
  const { schema, flat, mediaType } = success ?? {}
  const list = schema && findList(document, schema, nameOf(node))
  const id = operation.called
  const summary = typeof value.summary === 'string' ? value.summary : ''
  const said = summary || firstSentence('description' in value ? value.description : undefined)
  return {
    operation,
    method,
    node,
    success,
    list,
    answersObject: flat !== undefined && isObjectSchema(flat),
    answersFile: mediaType !== undefined && flat === undefined && !/json|xml|yaml/.test(mediaType),
    answersMedia: /^(image|audio|video)\/|pdf|zip|octet/.test(mediaType ?? ''),
    verb: verbOfId(id, method) ?? verbOfSummary(summary),
    words: new Set([...wordsOf(id), ...wordsOf(summary)]),
    saysList: saysList(id, said),
    saysUpsert: saysUpsert(said || id),
    answersFlags:
      list !== undefined && [...flattenSchema(document, list.item).types].some((type) => /boolean|number/.test(type)),
    body: bodyFacts(document, operation, nameOf(node)),
  }
}

/** @param name of the collection */
function bodyFacts(document: OpenApiDocument, operation: DescribedOperation, name: string): BodyFacts {
  const { body } = operation
  const content = body?.value.content ?? {}
  const [media] = Object.entries(content)
  if (!body || !media) return noBody
  const record = recordContent(document, operation)
  const flat = record?.value.schema === undefined ? undefined : flattenSchema(document, schemaOf(record))
  const isBinary = (schema: Located<Schema>) =>
    /^(binary|byte)$/.test(flattenSchema(document, schema).keywords.format ?? '')
  const members = [...(flat?.properties ?? [])]
  const isFile =
    /^(image|audio|video)\/|octet-stream|pdf|zip/.test(media[0]) ||
    (/multipart/.test(media[0]) && members.some(([, property]) => isBinary(property)))
  const [only] = members
  const map = members.length === 1 && only && isSameName(only[0], name) ? valuesOf(document, only[1]) : undefined
  const isMap = map !== undefined && isObjectSchema(flattenSchema(document, map))
  const isList = flat !== undefined && (isMap || isListOfRecords(document, flat))
  const hasList = members.some(([, property]) => flattenSchema(document, property).types.has('array'))
  return { exists: true, flat, isList, hasList, isFile }
}

function firstSentence(text: unknown): string {
  return typeof text === 'string' ? (/^[^.]*/.exec(text)?.[0] ?? '') : ''
}

/** Whether a body is a list of objects, or such a list in an envelope that only describes its page. */
function isListOfRecords(document: OpenApiDocument, flat: FlatSchema): boolean {
  const list = flat.types.has('array') ? flat : undefined
  const lists = [...flat.properties].flatMap(([name, property]) => {
    const inner = flattenSchema(document, property)
    return inner.types.has('array') ? [{ name, inner }] : []
  })
  const [only] = lists
  const inEnvelope = lists.length === 1 && only && isPage(flat, only.name) ? only.inner : undefined
  const items = (list ?? inEnvelope)?.items
  return items !== undefined && isObjectSchema(flattenSchema(document, items))
}

/** The kind of a verb at the end of a path: `info` with a key in the query reads. */
export function rpcKind(
  node: PathNode,
  factsOf: (operation: DescribedOperation) => OperationFacts,
): VerbKind | undefined {
  const said = segmentVerb(node)?.kind
  const [first = '', ...others] = wordsOf(node.step.text ?? '')
  if (said !== undefined || others.length > 0 || !isDetails(first)) return said
  return node.operations.some(
    (operation) =>
      (operation.method === 'POST' && [...(factsOf(operation).body.flat?.properties.keys() ?? [])].some(endsWithId)) ||
      (operation.method === 'GET' && selectingParameter(factsOf(operation)) !== undefined),
  )
    ? 'read'
    : undefined
}

/** The query parameter that selects one record: it has the key by its name, or is required and the answer has the same property. */
export function selectingParameter({ operation, success, node }: OperationFacts): string | undefined {
  // What is called details is that of the path before it: `/orders/details?orderId`
  const name = nameOf(node.parent && isDetails(nameOf(node)) ? node.parent : node)
  const { items } = success?.flat ?? {}
  const shown = [...(success?.flat?.properties.keys() ?? [])].filter((each) => !isPageName(each)).map(bareName)
  const keys = [...calledAfterNoun(nounOf(name)).map(bareName), 'id', ...(items === undefined ? shown : [])]
  // With the noun before the key, as in `planId`. A bare `id` may be anything that is not required.
  const isNamed = (bare: string) =>
    bare !== 'id' && ['id', ...shown].some((key) => bare !== key && isKeyOf(bare, name, key))
  return operation.parameters.find(
    ({ value }) =>
      value.in === 'query' &&
      !isFromOutside(value.name) &&
      (isNamed(bareName(value.name)) || (value.required === true && keys.includes(bareName(value.name)))),
  )?.value.name
}

/**
 * The only required query parameter, if it has the value of a text of the record that is returned: `/books/by-title?title`.
 * Undefined if the answer has another schema than the records.
 */
export function lookupParameter(
  document: OpenApiDocument,
  { operation, success }: OperationFacts,
  record: Located<Schema> | undefined,
): string | undefined {
  if (!record || !success?.schema || placeOf(document, success.schema) !== placeOf(document, record)) return undefined
  const required = operation.parameters.filter(({ value }) => value.in === 'query' && value.required === true)
  const name = required.length === 1 ? (required[0]?.value.name ?? '') : ''
  const named = [...flattenSchema(document, record).properties].find(([each]) => bareName(each) === bareName(name))
  return named && flattenSchema(document, named[1]).types.has('string') ? name : undefined
}

/** The name of a node: its text, or that of the node before a parameter. */
export function nameOf(node: PathNode): string {
  const owner = isParameter(node) ? node.parent : node
  return owner?.step.text ?? ''
}

/** The verb in the segment of a node. */
export function segmentVerb(node: PathNode): ReturnType<typeof verbOfSegment> {
  const { text, isVerb } = node.step
  if (text === undefined) return undefined
  const verb = verbOfSegment(text)
  // Nothing that is read by a verb is changed there: `PATCH /books/{id}/read-progress`
  const isNoun = verb?.kind === 'read' && node.operations.some(({ method }) => /^(PUT|PATCH|DELETE)$/.test(method))
  if (isNoun && !isVerb) return undefined
  return isVerb ? { kind: verb?.kind ?? 'action', isCertain: true } : verb
}

/** The path without a verb at its end: `/users` for `/users/list`. */
export function withoutVerb(node: PathNode): string | undefined {
  return segmentVerb(node) && behind(node)?.step.template
}
