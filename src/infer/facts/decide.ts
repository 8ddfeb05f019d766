/** Decides the effect of each operation on the resources of a document. */

import type { KeptState } from '../../behaviour/model.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { toJson } from '../../json/exact-json.js'
import { bareName, nounOf, wordsOf } from '../../lexicon/words.js'
import { flattenSchema, placeOf } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { findSuccess } from '../../schemas/operations/find-success.js'
import { findResources } from '../paths/find-resources.js'
import { isKept, isShown } from '../paths/find-rpc.js'
import type { PathStep } from '../paths/path-steps.js'
import { behind, createPathTree, isParameter, type PathNode } from '../paths/path-tree.js'
import { type FoundResources, type Resource, sentTo } from '../paths/resource.js'
import { allMethods, example, firstVerdict, type RpcFacts, type RuleInput, type Verdict } from '../rules/rule.js'
import { rulesFor } from '../rules/rules.js'
import { type FoundRecordSchema, findList, findRecordSchema, schemaName } from './body-shape.js'
import { collectFacts, nameOf, type OperationFacts, rpcKind, segmentVerb } from './facts.js'
import { findKey } from './find-key.js'
import { keyPlace, linkedKeys } from './linked-keys.js'

/** The effect of an operation, with the parts of its answer. */
export interface Decision extends Omit<Verdict, 'resource'> {
  facts: OperationFacts
  /** The steps of its path, one for each node of the tree. */
  steps: readonly PathStep[]
  state: KeptState
  resource: Resource | undefined
  /** The properties that lead to the list in the success body. */
  list: string[] | undefined
  /** The property of each list item that holds the record. */
  wrapper: string | undefined
  /** The record in the success body. */
  record: FoundRecordSchema | undefined
  /** The schema of one record in the answer. */
  recordSchema: Located<Schema> | undefined
}

/** @returns a decision for each operation in order, and the resources */
export function* decideAll(
  document: OpenApiDocument,
  operations: readonly DescribedOperation[],
): Generator<undefined, { decisions: Decision[]; resources: FoundResources }> {
  const { root, nodes, steps } = createPathTree(operations)
  const factsOf = oncePer((operation: DescribedOperation) =>
    collectFacts(document, operation, nodes.get(operation) ?? root, findSuccess(document, operation)),
  )
  for (const operation of operations) {
    factsOf(operation)
    yield
  }
  const resources = findResources(document, root, factsOf)
  yield
  const byRecord = collectionsByRecord(resources)
  const byAnyRecord = collectionsByRecord(resources, false)

  const decisions: Decision[] = []
  for (const operation of operations) {
    decisions.push(decide(operation))
    yield
  }
  return { decisions, resources }

  function decide(operation: DescribedOperation): Decision {
    const facts = factsOf(operation)
    const { node, success } = facts
    // QUERY reads like GET, and its body asks (OpenAPI 3.2, section 4.10).
    const method = facts.method === 'QUERY' ? 'GET' : facts.method
    const over = behind(node)
    const resource = resources.byItem.get(node) ?? resources.at.get(node)
    const input: RuleInput = {
      ...facts,
      method,
      document,
      resource,
      above: over && resources.at.get(over),
      owner: ownerOf(node),
      rpc: rpcOf(node),
      factsOf,
      isShown: (each) => isShown(each, resources, factsOf),
      isKept: (each) => isKept(each, resources, factsOf),
      recordSize: resource?.record ? flattenSchema(document, resource.record).properties.size : 0,
      resources,
      get linked() {
        return linkedBy(operation)
      },
      get shownCollection() {
        return success?.schema && method !== 'DELETE' ? collectionOf(success.schema) : undefined
      },
      get shownInside() {
        return success?.schema ? collectionIn(success.schema, 2) : undefined
      },
      answersKey: ({ name, key }) => {
        const wanted = [key ?? '', `${nounOf(name)}id`].map(bareName)
        return [...(success?.flat?.properties.keys() ?? [])].some((property) => wanted.includes(bareName(property)))
      },
      other(wanted) {
        const found = node.operations.find((each) => each.method === wanted && each !== operation)
        return found && factsOf(found)
      },
    }
    if (!success)
      return toDecision(facts, { effect: 'undescribed', reason: 'it documents no success', sure: 'high' }, undefined)
    if (!allMethods.includes(method)) return toDecision(facts, example(`${method} changes nothing`, 'high'), undefined)
    const found = firstVerdict(rulesFor(input), input) ?? example('no rule matches this path')
    const isSafe = method === facts.method || ['list', 'read', 'example'].includes(found.effect)
    const verdict = isSafe ? found : example('QUERY changes nothing', 'high')
    const shown = verdict.effect === 'read' ? resources.parts.get(node) : undefined
    return toDecision(
      facts,
      verdict,
      shown ?? verdict.resource ?? (verdict.effect === 'example' ? undefined : resource),
    )
  }

  /** The resource of the nearest record above a node. */
  function ownerOf(node: PathNode): Resource | undefined {
    for (let above = node.parent; above; above = above.parent) {
      const found = resources.byItem.get(above)
      if (found) return found
      // A path below a collection but not below a record has no owner.
      if (!isParameter(above) && resources.at.get(above)?.kind === 'collection') return undefined
    }
    return undefined
  }

  function linkedBy(operation: DescribedOperation): RuleInput['linked'] {
    for (const { from, pointer, in: at, place, isRead } of linkedKeys(document)) {
      if (from !== operation || at !== 'answer' || !isRead) continue
      const found = [...resources.byItem].find(([node]) => keyPlace(node.step.template) === place)
      if (found?.[1].kind === 'collection') return { resource: found[1], property: pointer.at(-1) ?? '' }
    }
    return undefined
  }

  function collectionOf(schema: Located<Schema>): Resource | undefined {
    const name = schemaName(schema)
    return name === undefined ? undefined : byRecord.get(name)
  }

  /** The collection whose records an object has in a property, or in one of an object around it. */
  function collectionIn(schema: Located<Schema>, depth: number): Resource | undefined {
    const inner = [...flattenSchema(document, schema).properties.values()]
    const [found] = inner.flatMap((each) => byAnyRecord.get(schemaName(each) ?? '') ?? [])
    return found ?? (depth > 1 ? inner.map((each) => collectionIn(each, depth - 1)).find(Boolean) : undefined)
  }

  function rpcOf(node: PathNode): RpcFacts | undefined {
    const verb = segmentVerb(node)
    const kind = rpcKind(node, factsOf)
    const parent = node.parent
    if (kind === undefined || !parent || isParameter(node)) return undefined
    const item = resources.byItem.get(parent)
    if (item) {
      // After a record, only a single verb is about the record: `/users/{id}/delete`, but not `/users/{id}/deleteTag`.
      const isAlone = wordsOf(nameOf(node)).length === 1 && verb?.isCertain === true
      return isAlone ? { kind, resource: item, isOfItem: true } : undefined
    }
    const resource = resources.rpcs.get(node) ?? resources.at.get(parent)
    return resource && (resources.rpcs.has(node) || parent.step.isNoun)
      ? { kind, resource, isOfItem: false }
      : undefined
  }

  function toDecision(facts: OperationFacts, verdict: Verdict, resource: Resource | undefined): Decision {
    const { effect, state = 'none', adds } = verdict
    const { success, node } = facts
    const isList = effect === 'list'
    // The name of a verb does not identify the list.
    const list =
      isList && resource && success?.schema && segmentVerb(node)
        ? findList(document, success.schema, resource.name)
        : facts.list
    const hasRecord = resource !== undefined && !isList && success?.schema !== undefined
    let record =
      hasRecord && success.schema
        ? findRecordSchema(
            document,
            success.schema,
            resource.name,
            (flat) => {
              const property = resource.key
              return property === undefined
                ? resource.kind === 'collection' &&
                    findKey(document, flat, resource.item?.step.parameter, resource.name)?.isCertain === true
                : flat.properties.has(property)
            },
            {
              isSingleton: resource.kind === 'singleton',
              sent: sentTo(resource, resources.verbs.get(resource) ?? [], factsOf),
            },
          )
        : undefined
    const isShown = effect === 'read' || (record && resource && isLike(record, resource, adds))
    if (
      !isShown ||
      ((effect === 'remove' || !resource?.record) && effect !== 'read' && record?.flat.properties.size === 0)
    )
      record = undefined
    return {
      ...verdict,
      facts,
      steps: steps.get(facts.operation) ?? [],
      state,
      resource,
      list: isList ? list?.pointer : undefined,
      wrapper: isList ? list?.wrapper : undefined,
      record,
      recordSchema: isList ? list?.item : record?.schema,
    }
  }

  /** Whether two schemas list the same values, or none: a `status` of `success` or `error` is not that of an order. */
  function listsSame(...schemas: (Located<Schema> | undefined)[]): boolean {
    const [one, other] = schemas.map((each) => each && toJson(flattenSchema(document, each).keywords.enum))
    return one === other
  }

  /** Whether an answer shows a record of a resource, and does not only say what was done. */
  function isLike({ schema, flat }: FoundRecordSchema, { record, key }: Resource, adds: Verdict['adds']): boolean {
    if (!record) return true
    if (placeOf(document, schema) === placeOf(document, record)) return true
    // The answer may be what was added.
    if (adds) return false
    const known = flattenSchema(document, record).properties
    const names = [...flat.properties.keys()]
    if (names.length === 0) return false
    const shared = names.filter((name) => known.has(name) && listsSame(flat.properties.get(name), known.get(name)))
    if (key !== undefined && flat.properties.has(key) && names.length <= 3) return true
    return shared.length >= Math.min(names.length, known.size) / 2
  }
}

/** The first collection for each named record schema. */
function collectionsByRecord({ at }: FoundResources, isItem = true): Map<string, Resource> {
  const named = [...at.values()].flatMap((resource): [string, Resource][] => {
    const isKeyed = resource.kind === 'collection' && (resource.item || !isItem)
    const name = isKeyed && resource.record && schemaName(resource.record)
    return name ? [[name, resource]] : []
  })
  // The shortest path is that of the records themselves; others are views of them.
  const rankOf = ({ home, node }: Resource) => home.split('/').length + (node.operations.length === 0 ? 0.5 : 0)
  return new Map(named.toReversed().toSorted(([, one], [, other]) => rankOf(other) - rankOf(one)))
}
