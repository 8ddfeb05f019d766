/** Says which operations link records with another one: by their keys in the path or the body, or by a verb in the path. */
import { guess } from '../behaviour/line.js'
import type { LinkUse } from '../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { firstVerb } from '../lexicon/operation-names.js'
import { saysMoved } from '../lexicon/texts.js'
import { isLinking, isUnlinking } from '../lexicon/verbs.js'
import { bareName, isSameName, nounOf, wordsOf } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import { findRequestRecord } from '../schemas/operations/request-record.js'
import { keysInQuery } from './bulk.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { segmentVerb } from './facts/facts.js'
import { findLink, listsOf } from './facts/find-link.js'
import { type Collections, findRelationsOf, type Paths, stepsOf } from './owners.js'
import type { FoundResources } from './paths/find-resources.js'
import type { PathNode } from './paths/path-tree.js'

export function* findLinks(paths: Paths, candidates: readonly Candidate[]): Generator<undefined, void> {
  for (const candidate of candidates) {
    findLinkOf(paths, candidate)
    yield
  }
}

function findLinkOf(paths: Paths, candidate: Candidate): void {
  const { document, resources, collections } = paths
  const { operation, isChosen, success, decision, lines, node: own } = candidate
  if (isChosen || !success || !/^(POST|PUT|PATCH|DELETE)$/.test(operation.method)) return
  if (decision.rule === 'record-part') return
  const found = findInPath(resources, collections, candidate) ?? findInName(document, resources, collections, candidate)
  if (!found) return
  const { collection, does, node, isVerb } = found
  const parameter = found.parameter ?? (operation.body ? undefined : keysInQuery(operation, collection))
  const sent = parameter === undefined ? findSentKeys(document, candidate, collection) : undefined
  if (parameter === undefined && !sent && (does !== 'remove' || operation.body)) return
  findRelationsOf(paths, collection, stepsOf({ node, decision }))
  const isOnly = saysMoved(describe(operation))
  const says = {
    ...{ to: collection.path, does, key: sent?.key ?? collection.model.key },
    // The path before a verb, or that of the list with the record.
    ...(node !== own && { above: 1 as const }),
    ...(isVerb && { isVerb }),
    ...(parameter !== undefined && { parameter }),
    ...(sent && { given: sent.given, names: sent.names }),
    ...(sent && namesRecords(document, collection) && { creates: true as const }),
    ...(isOnly && { isOnly: true as const }),
  }
  lines.add('links', '', says, guess('name', 'it has the keys of records that its path lists'))
}

interface Linked extends Pick<LinkUse, 'does' | 'parameter'> {
  collection: KnownCollection
  /** The list of the linked records, or the record that they are linked with. */
  node: PathNode
  /** Whether a verb behind the record says it. */
  isVerb?: true
}

/** What an operation does with linked records, by the verb of its name, else by its method. */
function doesOf({ method, value, called }: DescribedOperation, isItem: boolean): LinkUse['does'] | undefined {
  const verbs = [firstVerb(called), wordsOf(String(value.summary ?? ''))[0] ?? '']
  const said = verbs.filter((verb) => verb !== method.toLowerCase())
  if (method === 'DELETE' || said.some(isUnlinking)) return 'remove'
  if (said.some(isLinking) || isItem || method === 'POST') return 'add'
  return method === 'PUT' ? 'set' : undefined
}

/** A path that lists records of a collection below another record, or is that of one of them. */
function findInPath(
  { at, byItem }: FoundResources,
  collections: Collections,
  { node, operation, decision: { steps } }: Candidate,
): Linked | undefined {
  const item = byItem.get(node)
  const list = item ? node.parent : node
  const resource = list && at.get(list)
  const collection = resource && collections.get(resource.home)
  if (!collection || resource.kind !== 'collection' || (item && (item !== resource || operation.body))) return undefined
  const does = doesOf(operation, item !== undefined)
  const { parameter } = steps.at(-1) ?? {}
  return does && { collection, does, node: list, ...(item && parameter !== undefined && { parameter }) }
}

/** The name of what is linked behind a record, or a verb with it: `PUT /tasks/{taskId}/tags`, `/tasks/{taskId}/addTag` */
function findInName(
  document: OpenApiDocument,
  resources: FoundResources,
  collections: Collections,
  { node, operation, decision }: Candidate,
): Linked | undefined {
  const [verb = '', ...others] = wordsOf(node.step.text ?? '')
  const said = isLinking(verb) ? 'add' : isUnlinking(verb) ? 'remove' : undefined
  const isVerb = said !== undefined && others.length > 0 && segmentVerb(node) !== undefined
  const list = said !== undefined && others.length === 0 ? node.parent : node
  const owner = list?.parent && resources.byItem.get(list.parent)
  const above = owner && collections.get(owner.home)
  // What has the name of the list is its new value: `{"tags": [1, 2]}`
  const { at } = decision
  const does = isVerb || list !== node ? said : at && at.from === at.property ? undefined : doesOf(operation, false)
  if (!list?.parent || !above || !does) return undefined
  const name = isVerb ? others.join('-') : (list.step.text ?? '')
  const collection = [...collections.values()].find((each) => {
    const link = findLink(document, resources, above, each, name)
    if (nounOf(each.resource?.name ?? '') !== nounOf(name)) return link && isSameName(link.property, name)
    return link || listsOf(resources, above, each) || listsOf(resources, each, above)
  })
  const isSent = operation.body || (collection && keysInQuery(operation, collection) !== undefined)
  return collection && isSent
    ? { collection, does, node: isVerb ? list.parent : list, ...(isVerb && { isVerb }) }
    : undefined
}

interface SentKeys {
  given: string[]
  names: string[]
  key: string
}

/** Where a body has keys of records, and nothing else of them. */
function findSentKeys(document: OpenApiDocument, member: Candidate, collection: KnownCollection): SentKeys | undefined {
  const request = findRequestRecord(document, { ...member, pointer: [] }, collection.record)
  if (!request) return undefined
  const { model, resource, record, lines } = collection
  const own = [model.key, ...lines.all('finds').map(({ about }) => about)].map(bareName)
  const noun = bareName(nounOf(resource?.name ?? ''))
  const singles = [noun, `${noun}id`, ...own.map((key) => noun + key)]
  const lists = ['id', ...own, ...singles].map((name) => `${name}s`)
  // The name alone may be that of a new record.
  const wanted = new Set(['id', bareName(model.key), ...singles, ...lists, bareName(resource?.name ?? '')])
  const flat = flattenSchema(document, request.schema)
  const known = flattenSchema(document, record).properties
  const keyOf = ({ types, properties }: FlatSchema): string | undefined => {
    if (properties.size === 0) return types.has('string') || types.has('integer') ? model.key : undefined
    // Whatever has more of a record than its key is a new record.
    const isNew = [...properties.keys()].some((name) => known.has(name) && !own.includes(bareName(name)))
    return isNew ? undefined : [...properties.keys()].find((name) => own.includes(bareName(name)))
  }
  const ofItems = (schema: Located<Schema> | undefined) => schema && keyOf(flattenSchema(document, schema))
  if (flat.types.has('array') && !isObjectSchema(flat)) {
    const key = ofItems(flat.items)
    return key === undefined ? undefined : { given: request.given, names: [], key }
  }
  const named = [...flat.properties].filter(([name]) => wanted.has(bareName(name)))
  if (named.length === 0 || [...flat.properties.keys()].some((name) => known.has(name) && !wanted.has(bareName(name))))
    return undefined
  const keys = named.map(([, schema]) => ofItems(flattenSchema(document, schema).items ?? schema))
  const names = named.flatMap(([name], index) => (keys[index] === undefined ? [] : [name]))
  const key = keys.find((each) => each !== undefined)
  return key === undefined ? undefined : { given: request.given, names, key }
}

/** Whether callers choose the keys of new records, so that a text is enough to name one. */
function namesRecords(document: OpenApiDocument, { members, record, model }: KnownCollection): boolean {
  if (model.keyKind !== 'string') return false
  return members.some((member) => {
    const whole = { ...member, pointer: [] }
    const request = member.kind === 'create' ? findRequestRecord(document, whole, record) : undefined
    return request !== undefined && flattenSchema(document, request.schema).required.has(model.key)
  })
}

function describe({ value }: DescribedOperation): string {
  return [value.summary, 'description' in value ? value.description : ''].join(' ')
}
