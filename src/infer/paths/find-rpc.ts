/** Finds verbs after a path that replace HTTP methods: `/users/list` and `/users/create` */

import { isKey } from '../../lexicon/keys.js'
import { isOperationWord, saysSearch } from '../../lexicon/operation-names.js'
import { isOwnUser, isRegistration, isUsers } from '../../lexicon/persons.js'
import { isPlural, singular, wordsOf } from '../../lexicon/words.js'
import { nameOf, type OperationFacts, rpcKind, segmentVerb } from '../facts/facts.js'
import { isCollection } from './node-kind.js'
import { itemOf, operationAt, type PathNode } from './path-tree.js'
import { type FactsOf, type FoundResources, factsAt, type Resource } from './resource.js'

/** The kind of resource of a noun that occurs only in RPC operations. */
export function kindOfNoun(node: PathNode, factsOf: FactsOf): Resource['kind'] | undefined {
  if (isCollection(node, factsOf)) return 'collection'
  const found = rpcNodesOf(node, factsOf)
  const kinds = new Set(found.map((child) => rpcKind(child, factsOf)))
  if (kinds.has('list') || kinds.has('create') || kinds.has('remove')) return 'collection'
  const isOfAll = found.some(
    (child) =>
      wordsOf(child.step.text ?? '').includes('all') &&
      child.operations.map(factsOf).some(({ list, success }) => list !== undefined || success?.flat === undefined),
  )
  if (isOfAll) return 'collection'
  return kinds.has('read') || kinds.has('replace') || kinds.has('update') ? 'singleton' : undefined
}

/**
 * Whether a path adds records that are read below it, so that it is a collection whatever its name is: it lists them, or a
 * 201 or 202 says that it adds them. `POST /render` and `GET /render/{id}`
 */
export function isKeptAt(node: PathNode): boolean {
  const item = itemOf(node)
  const post = operationAt(node, 'POST')
  if (!post || item === undefined || operationAt(item, 'GET') === undefined) return false
  const { responses = {} } = post.value as { responses?: object }
  return operationAt(node, 'GET') !== undefined || '201' in responses || '202' in responses
}

/** Verbs after a path that are operations on its records. */
export function rpcNodesOf(node: PathNode, factsOf: FactsOf): PathNode[] {
  if (/^v\d/.test(node.step.text ?? '')) return []
  return node.children.filter((child) => {
    if (child.operations.length === 0 || isKeptAt(child)) return false
    const verb = segmentVerb(child)
    if (!verb) return rpcKind(child, factsOf) === 'read'

    if (child.step.isVerb) return verb.kind !== 'compute'
    const [first = '', ...others] = wordsOf(child.step.text ?? '')
    if (others.length === 0 && isOperationWord(first)) return true
    const own = wordsOf(node.step.text ?? '').map(singular)
    return (
      verb.isCertain &&
      verb.kind !== 'compute' &&
      others.every((word) => own.includes(singular(word)) || word === 'all')
    )
  })
}

/** Whether verbs after a path replace HTTP methods: `/users/list` and `/users/create` */
export function isRpcHome(node: PathNode, factsOf: FactsOf): boolean {
  if (node.parent?.parent === undefined && /^api$/i.test(node.step.text ?? '')) return false
  // Who registers is a user, not a record of `/auth`.
  const isOfUsers = isUsers(node.step.text ?? '')
  const found = rpcNodesOf(node, factsOf).filter(
    (child) => isOfUsers || !registersUsers(factsAt(child, 'POST', factsOf)),
  )
  const kinds = new Set(found.map((child) => rpcKind(child, factsOf)))
  // A search alone does not identify the resource: `/catalog/search`
  const isSearch = found.every((child) => saysSearch(child.step.text ?? ''))
  if (isSearch && !isPlural(wordsOf(node.step.text ?? '').at(-1) ?? '')) return false
  const isPluralHome = isPlural(wordsOf(node.step.text ?? '').at(-1) ?? '')
  const isUpserted = isPluralHome && found.some((child) => /^upsert$/i.test(child.step.text ?? ''))
  if (isUpserted) return true
  return ['list', 'read', 'create', 'remove'].some((kind) => kinds.has(kind as 'list'))
}

/** Whether a POST registers users, and answers with the key of the new one. */
export function registersUsers(post: OperationFacts | undefined): boolean {
  if (!post?.answersObject || !isRegistration(nameOf(post.node)) || post.node.step.template.includes('{')) return false
  const answered = [...(post.success?.flat?.properties.keys() ?? [])]
  return answered.some(isKey) || answered.some(isOwnUser)
}

/** Whether a record of a resource is shown or deleted, not only written. */
export function isShown(resource: Resource, { verbs }: FoundResources, factsOf: FactsOf): boolean {
  const kinds = (verbs.get(resource) ?? []).map((child) => rpcKind(child, factsOf))
  return resource.item !== undefined || kinds.some((kind) => kind !== 'replace' && kind !== 'compute')
}

/** Whether RPC operations both add records of a resource and read, list or delete them. */
export function isKept(resource: Resource, { verbs }: FoundResources, factsOf: FactsOf): boolean {
  const kinds = (verbs.get(resource) ?? []).map((child) => rpcKind(child, factsOf))
  return kinds.includes('create') && kinds.some((kind) => kind === 'read' || kind === 'list' || kind === 'remove')
}
