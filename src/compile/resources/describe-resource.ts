/** Finds the schema of the records of a resource, and their key. */

import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document/document.js'
import { endsLikeKey, isKey, isOfAny } from '../../lexicon/keys.js'
import { bareName, nounOf, singular, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../describe-operations.js'
import { correctionsOf } from './corrections/find-corrections.js'
import { findRecordSchema } from './facts/body-shape.js'
import { type OperationFacts, rpcKind, segmentVerb, selectingParameter } from './facts/facts.js'
import { findKey } from './facts/find-key.js'
import type { PathNode } from './paths/path-tree.js'
import { type FactsOf, type FoundResources, factsAt, type Resource, sentTo } from './paths/resource.js'

/** @param views the path nodes of other lists of its records */
export function describeResource(
  document: OpenApiDocument,
  resource: Resource,
  { rpcs, verbs: verbNodes }: FoundResources,
  views: readonly PathNode[],
  factsOf: FactsOf,
): void {
  const { node, item } = resource
  const verbs = (verbNodes.get(resource) ?? []).flatMap((child) => child.operations.map(factsOf))
  const saying = (kind: string) => verbs.filter((facts) => rpcKind(facts.node, factsOf) === kind)
  const asked = [...saying('read'), ...saying('remove'), ...saying('update'), ...saying('replace')]
  const inQuery = node.operations.map(factsOf).flatMap((facts) => selectingParameter(facts) ?? [])
  const asking = item ? [] : [...inQuery, ...asked.map((facts) => keyParameter(facts, resource.name))]
  const parameter = item?.step.parameter ?? asking.find((name) => name !== undefined)
  resource.isKeyed = item !== undefined || parameter !== undefined
  const selecting = item && parameterOf(item)
  const [said, sentKey] = [selecting?.value.description, selecting && schemaOf(selecting)]
  const hasKey = (flat: FlatSchema) =>
    findKey(document, flat, parameter, resource.name, said, sentKey)?.isCertain === true
  const sent = sentTo(resource, verbNodes.get(resource) ?? [], factsOf)
  const candidates = [
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
  for (const facts of candidates) {
    const schema = facts?.success?.schema
    if (!facts || !schema) continue
    const isVerb = rpcs.has(facts.node)
    const isList =
      resource.kind === 'collection' &&
      (((facts.node === node || views.includes(facts.node)) && facts.method === 'GET' && facts.list !== undefined) ||
        (isVerb && segmentVerb(facts.node)?.kind === 'list'))
    const found = isList ? undefined : findRecordSchema(document, schema, resource.name, hasKey, { sent })
    const record = isList ? facts.list?.hasRecords && facts.list.item : found?.schema
    if (!record) continue
    const [wrapper, ...inner] = found?.pointer ?? []
    if (wrapper !== undefined && inner.length === 0) resource.wrapper ??= wrapper
    const flat = flattenSchema(document, record)
    if (flat.properties.size === 0 && resource.record) continue
    const key =
      resource.kind === 'collection' ? findKey(document, flat, parameter, resource.name, said, sentKey) : undefined
    if (!resource.record || (!resource.key && key)) resource.record = record
    if (key && !resource.key) {
      resource.key = key.property
      resource.keyReason = key.why
      resource.isKeyCertain = key.isCertain
    }
    if (resource.key !== undefined || resource.kind === 'singleton') break
  }
  const given = item || resource.record === undefined ? undefined : keyOfCallers(saying('create'), asked)
  if (given && !flattenSchema(document, resource.record as Located<Schema>).properties.has(given.name)) {
    const why = 'the creation answers it, and others require it'
    Object.assign(resource, { key: given.name, keySchema: given.schema, keyReason: why, isKeyCertain: true })
  }
  const own = [node, ...(item ? [item] : []), ...(verbNodes.get(resource) ?? [])].flatMap((each) => each.operations)
  resource.corrected = correctionsOf(document).of(own, resource.record)
  const chosen = resource.corrected?.key
  const { properties } = resource.record ? flattenSchema(document, resource.record) : {}
  if (chosen !== undefined && chosen !== resource.key && properties?.has(chosen)) {
    delete resource.keySchema
    Object.assign(resource, { key: chosen, keyReason: 'x-sandbox-resource names it', isKeyCertain: true })
  }
  // If the whole path of a record is one parameter, every record has a name.
  if (node.step.depth !== undefined && resource.key === 'name') resource.isKeyed = true
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
    return [own, noun].some((start) => start !== '' && bare.startsWith(start) && isOfAny(bare.slice(start.length)))
  }
  return all.find(isOwn) ?? all.find((each) => isKey(each) || each.toLowerCase() === 'name') ?? names.find(endsLikeKey)
}
