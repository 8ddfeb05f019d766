/** Finds the schema of the records of a resource, and their key. */
import type { OpenApiDocument } from '../document.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { findRecord } from './body-shape.js'
import { type OperationFacts, procedureKind, segmentVerb, selectingParameter } from './facts.js'
import { findKey } from './find-key.js'
import type { PathNode } from './path-tree.js'
import { type FactsOf, type FoundResources, factsAt, type Resource } from './resource.js'
import { bareName, nounOf, singular, wordsOf } from './words.js'

/** Finds the schema of its records and their key. */
export function describeResource(
  document: OpenApiDocument,
  resource: Resource,
  { procedures, verbs: verbNodes }: FoundResources,
  factsOf: FactsOf,
): void {
  const { node, item } = resource
  const verbs = (verbNodes.get(resource) ?? []).flatMap((child) => child.operations.map(factsOf))
  const saying = (kind: string) => verbs.filter((facts) => procedureKind(facts.node, factsOf) === kind)
  const asked = [...saying('read'), ...saying('remove'), ...saying('update'), ...saying('replace')]
  const inQuery = node.operations.map(factsOf).flatMap((facts) => selectingParameter(facts) ?? [])
  const selecting = item ? [] : [...inQuery, ...asked.map((facts) => keyParameter(facts, resource.name))]
  const parameter = item?.step.parameter ?? selecting.find((name) => name !== undefined)
  resource.isKeyed = item !== undefined || parameter !== undefined
  const hasKey = (flat: FlatSchema) => findKey(document, flat, parameter, resource.name)?.isCertain === true
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
  ]
  for (const facts of candidates) {
    const schema = facts?.success?.schema
    if (!facts || !schema) continue
    const isVerb = procedures.has(facts.node)
    const isList =
      resource.kind === 'collection' &&
      ((facts.node === node && facts.method === 'GET' && facts.list !== undefined) ||
        (isVerb && segmentVerb(facts.node)?.kind === 'list'))
    const record = isList
      ? facts.list?.hasRecords && facts.list.item
      : findRecord(document, schema, resource.name, hasKey)?.schema
    if (!record) continue
    const flat = flattenSchema(document, record)
    if (flat.properties.size === 0 && resource.record) continue
    const key = resource.kind === 'collection' ? findKey(document, flat, parameter, resource.name) : undefined
    if (!resource.record || (!resource.key && key)) resource.record = record
    if (key && !resource.key) {
      resource.key = key.property
      resource.keyReason = key.why
      resource.isKeyCertain = key.isCertain
    }
    if (resource.key !== undefined || resource.kind === 'singleton') break
  }
  // Where the path of a record is one parameter, every record has its name.
  if (node.step.depth !== undefined && resource.key === 'name') resource.isKeyed = true
}

/** Operations that read a record by a verb behind its path: `/books/get/{id}` */
function readsBehind(item: PathNode, factsOf: FactsOf): OperationFacts[] {
  const reading = item.children.filter((child) => child.step.isVerb && procedureKind(child, factsOf) === 'read')
  return reading
    .filter(({ step }) => wordsOf(step.text ?? '').length === 1)
    .flatMap(({ operations }) => operations.map(factsOf))
}

/** The property of the body, or the query parameter, by which a procedure selects a record. */
function keyParameter({ operation, body }: OperationFacts, name: string): string | undefined {
  const query = operation.parameters.filter(({ value }) => value.in === 'query')
  const names = [...(body.flat?.required ?? []), ...query.flatMap(({ value }) => (value.required ? value.name : []))]
  const all = [...names, ...(body.flat?.properties.keys() ?? []), ...query.map(({ value }) => value.name)]
  const own = bareName(wordsOf(name).map(singular).join(''))
  const noun = bareName(nounOf(name))
  const isOwn = (each: string) => {
    const bare = bareName(each)
    return [own, noun].some(
      (start) =>
        start !== '' &&
        bare.startsWith(start) &&
        /^(|id|name|arn|identifier|key|code|uuid)$/.test(bare.slice(start.length)),
    )
  }
  return (
    all.find(isOwn) ??
    all.find((each) => /^(id|uuid|name|arn|key)$/i.test(each)) ??
    names.find((each) => /id$/i.test(each))
  )
}
