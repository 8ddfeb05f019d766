/** Finds the schema of the records of a resource, and their key. */

import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document/document.js'
import { endsWithId, isKey, isOfKey } from '../../lexicon/keys.js'
import { bareName, nounOf, singular, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { findRecordSchema, schemaName } from '../facts/body-shape.js'
import { type OperationFacts, rpcKind, segmentVerb, selectingParameter } from '../facts/facts.js'
import { findKey } from '../facts/find-key.js'
import { linkedNames } from '../facts/linked-keys.js'
import { extensionsOf } from '../read-extensions.js'
import type { PathNode } from './path-tree.js'
import { type FactsOf, type FoundResources, factsAt, itemsOfOwner, type Resource, sentTo } from './resource.js'

/** What describes the records of a resource. */
interface Describing {
  document: OpenApiDocument
  resource: Resource
  found: FoundResources
  /** The path nodes of other lists of its records. */
  views: readonly PathNode[]
  factsOf: FactsOf
  /** The operations of its verbs by what they do. */
  saying(kind: string): OperationFacts[]
  /** The key of a record in an answer. */
  keyIn(flat: FlatSchema): ReturnType<typeof findKey>
}

/** @param views the path nodes of other lists of its records */
export function describeResource(
  document: OpenApiDocument,
  resource: Resource,
  found: FoundResources,
  views: readonly PathNode[],
  factsOf: FactsOf,
): void {
  const { node, item, name } = resource
  const verbs = (found.verbs.get(resource) ?? []).flatMap((child) => child.operations.map(factsOf))
  const saying = (kind: string) => verbs.filter((facts) => rpcKind(facts.node, factsOf) === kind)
  const asked = [...saying('read'), ...saying('remove'), ...saying('update'), ...saying('replace')]
  const inQuery = node.operations.map(factsOf).flatMap((facts) => selectingParameter(facts) ?? [])
  const asking = item ? [] : [...inQuery, ...asked.map((facts) => keyParameter(facts, name))]
  const parameter = item?.step.parameter ?? asking.find((each) => each !== undefined)
  // If the whole path of a record is one parameter, every record has a name.
  const isWhole = () => node.step.depth !== undefined && resource.key === 'name'
  const selecting = item && parameterOf(item)
  const keyIn = (flat: FlatSchema) =>
    findKey(document, flat, parameter, name, selecting?.value.description, selecting && schemaOf(selecting))
  const describing: Describing = { document, resource, found, views, factsOf, saying, keyIn }
  for (const facts of answersWithRecords(describing)) {
    readAnswer(describing, facts)
    if (resource.record && (resource.key !== undefined || resource.kind === 'singleton')) break
  }
  if (!item) takeKeyOfCallers(describing, asked)
  takeLinkedKey(describing)
  takeCorrection(describing)
  // biome-ignore lint/style/noParameterAssign: describes what it is given to describe
  resource.isKeyed = item !== undefined || parameter !== undefined || isWhole()
}

/** The operations whose answers may show a record, those that show it best first. */
function answersWithRecords({ document, resource, views, factsOf, saying }: Describing): OperationFacts[] {
  const { node, item } = resource
  const found = [
    item && factsAt(item, 'GET', factsOf),
    ...(item ? readsBehind(item, factsOf) : []),
    ...saying('read'),
    factsAt(node, 'GET', factsOf),
    ...saying('list'),
    ...['PUT', 'PATCH', 'POST'].map((method) => item && factsAt(item, method, factsOf)),
    ...['POST', 'PUT', 'PATCH'].map((method) => factsAt(node, method, factsOf)),
    ...saying('create'),
    ...saying('update'),
    ...views.map((view) => factsAt(view, 'GET', factsOf)),
  ]
  const inOwner = itemsOfOwner(document, resource, factsOf)
  const isOwner = ({ success }: OperationFacts) => {
    const shown = success?.schema && findRecordSchema(document, success.schema, resource.name, () => false)
    return inOwner !== undefined && shown !== undefined && schemaName(shown.schema) === inOwner.owner
  }
  return found.filter((facts) => facts !== undefined && !isOwner(facts)) as OperationFacts[]
}

/** Takes the schema of records and their key from an answer, as far as nothing before has said them. */
function readAnswer(describing: Describing, facts: OperationFacts): void {
  const { document, resource, found, factsOf, keyIn } = describing
  const schema = facts.success?.schema
  if (!schema) return
  const sent = sentTo(resource, found.verbs.get(resource) ?? [], factsOf)
  const hasKey = (flat: FlatSchema) => keyIn(flat)?.isCertain === true
  const isList = showsList(describing, facts)
  const inAnswer = isList ? undefined : findRecordSchema(document, schema, resource.name, hasKey, { sent })
  const record = isList ? facts.list?.hasRecords && facts.list.item : inAnswer?.schema
  if (!record) return
  const [wrapper, ...inner] = inAnswer?.pointer ?? []
  if (wrapper !== undefined && inner.length === 0) resource.wrapper ??= wrapper
  const flat = flattenSchema(document, record)
  if (flat.properties.size === 0 && resource.record) return
  const key = resource.kind === 'collection' ? keyIn(flat) : undefined
  if (!resource.record || (!resource.key && key)) resource.record = record
  if (!key || resource.key) return
  Object.assign(resource, { key: key.property, keyReason: key.why, isKeyCertain: key.isCertain })
}

function showsList({ resource, found, views }: Describing, { node, method, list }: OperationFacts): boolean {
  if (resource.kind !== 'collection') return false
  const isAtList = (node === resource.node || views.includes(node)) && method === 'GET' && list !== undefined
  return isAtList || (found.rpcs.has(node) && segmentVerb(node)?.kind === 'list')
}

/** Takes the key that the creation answers and that all others require, if records do not show it. */
function takeKeyOfCallers({ document, resource, saying }: Describing, asked: readonly OperationFacts[]): void {
  const { record } = resource
  const given = record && keyOfCallers(saying('create'), asked)
  if (!given || flattenSchema(document, record).properties.has(given.name)) return
  const why = 'the creation answers it, and others require it'
  Object.assign(resource, { key: given.name, keySchema: given.schema, keyReason: why, isKeyCertain: true })
}

/** Takes the key that links of its operations give to the path of a record. Of several, the one that is usual. */
function takeLinkedKey({ document, resource, views, factsOf }: Describing): void {
  const { node, item, record, kind } = resource
  if (!item || !record || kind !== 'collection') return
  const own = [node, item, ...views].flatMap(({ operations }) => operations)
  const names = linkedNames(document, own, item.step.template, !resource.isKeyCertain)
  const [name] = names
  if (name === undefined) return
  resource.isKeyStated = true
  if (names.includes(resource.key ?? '')) return
  const answers = [record, ...own.flatMap((each) => factsOf(each).success?.schema ?? [])]
  const shown = answers.flatMap((each) => flattenSchema(document, each).properties.get(name) ?? [])[0]
  const parameter = parameterOf(item)
  const schema = shown ?? (parameter && schemaOf(parameter))
  const isShown = flattenSchema(document, record).properties.has(name)
  Object.assign(resource, { key: name, keyReason: `links give it to ${item.step.template}`, isKeyCertain: true })
  if (!isShown && schema) resource.keySchema = schema
}

/** Takes the key that a correction names. */
function takeCorrection({ document, resource, found }: Describing): void {
  const { node, item, record } = resource
  const own = [node, ...(item ? [item] : []), ...(found.verbs.get(resource) ?? [])].flatMap((each) => each.operations)
  resource.lines = extensionsOf(document).of(own, record)
  const chosen = resource.lines.value('key')
  const { properties } = record ? flattenSchema(document, record) : {}
  if (chosen === undefined || chosen === resource.key || !properties?.has(chosen)) return
  delete resource.keySchema
  Object.assign(resource, { key: chosen, keyReason: 'x-sandbox-resource names it', isKeyCertain: true })
}

/** A text that the answers of creations have, and that all other operations require: `access_token` */
function keyOfCallers(
  creations: readonly OperationFacts[],
  asked: readonly OperationFacts[],
): { name: string; schema: Located<Schema> } | undefined {
  const shown = creations.flatMap(({ success }) => [...(success?.flat?.properties ?? [])])
  const isAsked = (name: string) =>
    asked.every(
      ({ operation, body }) =>
        body.flat?.required.has(name) ||
        operation.parameters.some(({ value }) => value.in === 'query' && value.required && value.name === name),
    )
  const [name, schema] = (asked.length > 0 && shown.find(([each]) => isAsked(each))) || []
  return name !== undefined && schema ? { name, schema } : undefined
}

function parameterOf({ step, operations }: PathNode): DescribedOperation['parameters'][number] | undefined {
  const parameters = operations.flatMap((operation) => operation.parameters)
  return parameters.find(({ value }) => value.in === 'path' && value.name === step.parameter)
}

/** Operations that read a record by a verb in the path: `/books/get/{id}` */
function readsBehind(item: PathNode, factsOf: FactsOf): OperationFacts[] {
  const reading = item.children.filter((child) => child.step.isVerb && rpcKind(child, factsOf) === 'read')
  return reading
    .filter(({ step }) => wordsOf(step.text ?? '').length === 1)
    .flatMap(({ operations }) => operations.map(factsOf))
}

/** The property of the body, or the query parameter, by which an RPC operation selects a record. */
function keyParameter({ operation, body }: OperationFacts, name: string): string | undefined {
  const query = operation.parameters.filter(({ value }) => value.in === 'query')
  const names = [...(body.flat?.required ?? []), ...query.flatMap(({ value }) => (value.required ? value.name : []))]
  const all = [...names, ...(body.flat?.properties.keys() ?? []), ...query.map(({ value }) => value.name)]
  const own = bareName(wordsOf(name).map(singular).join(''))
  const noun = bareName(nounOf(name))
  const isOwn = (each: string) => {
    const bare = bareName(each)
    return [own, noun].some((start) => start !== '' && bare.startsWith(start) && isOfKey(bare.slice(start.length)))
  }
  return all.find(isOwn) ?? all.find((each) => isKey(each) || each.toLowerCase() === 'name') ?? names.find(endsWithId)
}
