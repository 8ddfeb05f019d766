/** The resource model of a document: collections of records, and singletons. */

import { Lines } from '../../behaviour/line.js'
import type { CollectionLines } from '../../behaviour/members.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { findRecordSchema, schemaName } from '../facts/body-shape.js'
import type { OperationFacts } from '../facts/facts.js'
import { propertyOfPath } from '../facts/find-own-property.js'
import { operationAt, type PathNode } from './path-tree.js'

/** A collection, or a singleton: a record that exists once, or once for each of its parents. */
export interface Resource {
  kind: 'collection' | 'singleton'
  /** The path template of the collection, or of the singleton. */
  home: string
  node: PathNode
  /** The node of one record. */
  item: PathNode | undefined
  /** The last segment of its path. */
  name: string
  /** The resource of its owner. */
  parent: Resource | undefined
  /** The schema that best describes a record. */
  record: Located<Schema> | undefined
  /** The property that holds the key. Undefined if the key occurs only in the path. */
  key: string | undefined
  /** The schema of a key that only callers and the answer of the creation have. */
  keySchema?: Located<Schema>
  /** The property of answers that has the record: of `{"ok": true, "channel": {…}}` it is `channel`. */
  wrapper?: string
  /** What is said of its records. */
  lines: CollectionLines
  /** Why this property is the key. */
  keyReason: string
  isKeyCertain: boolean
  /** Whether the document says it. */
  isKeyStated?: true
  /** Whether an operation selects a record by its key in the path, or in the query or body of an RPC operation. */
  isKeyed: boolean
}

/** Creates a resource whose record schema and key are not known yet. */
export function createResource(found: Pick<Resource, 'kind' | 'home' | 'node' | 'item' | 'name' | 'parent'>): Resource {
  return {
    ...found,
    ...{ record: undefined, key: undefined, keyReason: '', isKeyCertain: false, isKeyed: false, lines: new Lines() },
  }
}

export type FactsOf = (operation: DescribedOperation) => OperationFacts

/** Resources by the node of their path, or of a record of theirs. */
export interface FoundResources {
  /** By the nodes of collections, of other lists of their records, and of singletons. */
  at: Map<PathNode, Resource>
  /** By the nodes of one record. */
  byItem: Map<PathNode, Resource>
  /** By the nodes of verbs after the path of a collection: `/users/list` */
  rpcs: Map<PathNode, Resource>
  /** The same nodes by their resource. */
  verbs: Map<Resource, PathNode[]>
  /** By the nodes of parts of a record that are themselves records of a collection: `/orders/{id}/customer` */
  parts: Map<PathNode, Resource>
}

/** The facts of the operation with a method at a node. */
export function factsAt(node: PathNode, method: string, factsOf: FactsOf): OperationFacts | undefined {
  const operation = operationAt(node, method)
  return operation && factsOf(operation)
}

/** The items of the list of an owner that has the name of a resource below it: `labels` of a ticket for `/tickets/{id}/labels` */
export function itemsOfOwner(
  document: OpenApiDocument,
  { parent, node }: Resource,
  factsOf: FactsOf,
): { owner: string; items: Located<Schema> } | undefined {
  if (!parent?.item || node.parent !== parent.item) return undefined
  const schema = factsAt(parent.item, 'GET', factsOf)?.success?.schema
  const shown = schema && findRecordSchema(document, schema, parent.name, () => false)
  const [, list] = (shown && propertyOfPath(document, shown.schema, node)) ?? []
  const items = list && flattenSchema(document, list).items
  const owner = shown && schemaName(shown.schema)
  return items && owner !== undefined && schemaName(items) !== owner ? { owner, items } : undefined
}

/** What requests have that write records of a resource. */
export function sentTo({ node, item }: Resource, verbs: readonly PathNode[], factsOf: FactsOf): FlatSchema[] {
  const operations = [node, ...(item ? [item] : []), ...verbs].flatMap((each) => each.operations)
  return operations.filter(({ method }) => method !== 'GET').flatMap((each) => factsOf(each).body.flat ?? [])
}
