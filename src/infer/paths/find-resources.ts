/** Finds the collections and singletons of a document in the tree of its paths. */

import type { OpenApiDocument } from '../../document/document.js'
import { getOrInsert } from '../../json/own-value.js'
import { isComputedNoun } from '../../lexicon/computed.js'
import { rpcKind, selectingParameter } from '../facts/facts.js'
import { keyPlace, linkedKeys } from '../facts/linked-keys.js'
import { describeResource } from './describe-resource.js'
import { isRpcHome, kindOfNoun, registersUsers, rpcNodesOf } from './find-rpc.js'
import { mergeLists, mergeNumbers } from './merge-resources.js'
import { deepItem, isCollection, isFilter, isPartOfOther, isRecordPath, isSingleton, nodeOfList } from './node-kind.js'
import { isBatch, isParameter, itemOf, lineOf, type PathNode } from './path-tree.js'
import { createResource, type FactsOf, type FoundResources, factsAt, type Resource } from './resource.js'

export type { FoundResources }

/** An object with at most this many properties at `/` is only a greeting. */
const fewProperties = 3

export function findResources(document: OpenApiDocument, root: PathNode, factsOf: FactsOf): FoundResources {
  const at = new Map<PathNode, Resource>()
  const byItem = new Map<PathNode, Resource>()
  const rpcs = new Map<PathNode, Resource>()
  const parts = new Map<PathNode, Resource>()
  const top = factsAt(root, 'GET', factsOf)
  const isList = top?.list && (top.list.hasRecords || top.saysList || top.list.isEnvelope)
  // Otherwise the root describes the service.
  if (isList || (top?.success?.flat?.properties.size ?? 0) > fewProperties) {
    const item = isList ? itemOf(root) : undefined
    const kind = isList ? 'collection' : 'singleton'
    const home = createResource({ kind, home: '/', node: root, item, name: '', parent: undefined })
    at.set(root, home)
    if (item) byItem.set(item, home)
  }
  visit(root, undefined)
  const verbs = new Map<Resource, PathNode[]>()
  for (const [node, resource] of rpcs) getOrInsert(verbs, resource, () => []).push(node)
  const found = { at, byItem, rpcs, verbs, parts }
  mergeNumbers(found)
  mergeLists(document, found, factsOf)
  const views = new Map<Resource, PathNode[]>()
  for (const [node, resource] of at) if (node !== resource.node) getOrInsert(views, resource, () => []).push(node)
  for (const resource of new Set([...at.values(), ...byItem.values()]))
    describeResource(document, resource, found, views.get(resource) ?? [], factsOf)
  takeLinkedItems(document, found, factsOf)
  return found

  function visit(node: PathNode, parent: Resource | undefined): void {
    if (isParameter(node)) {
      const part = byItem.has(node) ? undefined : toPart(node, parent)
      if (part) at.set(node, part)
      const own = byItem.get(node)
      const listed = part ? undefined : own ? toInner(node, own) : toFiltered(node, parent)
      if (listed) {
        if (!own) at.set(node, listed)
        if (listed.item) byItem.set(listed.item, listed)
      }
      for (const child of node.children) visit(child, own ?? parent)
      return
    }
    const only = node.operations.length === 0 && node.children.length === 1 ? itemOf(node) : undefined
    const resource =
      node.parent && !node.step.isVerb && !(only && isPartOfOther(only, factsOf)) ? toResource(node, parent) : undefined
    if (resource) {
      at.set(node, resource)
      if (resource.item) byItem.set(resource.item, resource)
      const above = node.parent && at.get(node.parent)
      for (const child of rpcNodesOf(node, factsOf)) {
        // `/users/alt/create` also adds to `/users`.
        const isOther = node.operations.length === 0 && node.children.length === 1 && !node.step.isNoun
        const isCreate = rpcKind(child, factsOf) === 'create'
        rpcs.set(
          child,
          isOther && isCreate && above?.kind === 'collection' && !isComputedNoun(resource.name) ? above : resource,
        )
      }
    }
    // A parameter below a parameter belongs to the same record: /repos/{owner}/{repo}.
    for (const child of node.children) visit(child, parent)
  }

  function toResource(node: PathNode, parent: Resource | undefined): Resource | undefined {
    if (rpcs.has(node)) return undefined
    const kind = kindOf(node)
    if (!kind) return undefined
    const item = kind === 'collection' ? deepItem(node, factsOf) : undefined
    const isListed = factsAt(node, 'GET', factsOf)?.list !== undefined
    const home = item && item.parent !== node && !isListed ? (item.parent?.step.template ?? '') : node.step.template
    const name = node.step.text ?? ''
    return createResource({ kind, home, node, item, name, parent })
  }

  function kindOf(node: PathNode): Resource['kind'] | undefined {
    if (node.step.isNoun) return kindOfNoun(node, factsOf)
    if (isBatch(node) && node.operations.length === 0 && node.parent && at.has(node.parent)) return undefined
    if (isCollection(node, factsOf)) return 'collection'
    const isBelowRecord = node.parent !== undefined && byItem.has(node.parent)
    if (isSingleton(node, factsOf, isBelowRecord)) {
      // A query parameter can select one of several records.
      const get = factsAt(node, 'GET', factsOf)
      const isSelected = get !== undefined && selectingParameter(get) !== undefined
      return isSelected && node.step.text !== 'me' ? 'collection' : 'singleton'
    }
    return isRpcHome(node, factsOf) || registersUsers(factsAt(node, 'POST', factsOf)) ? 'collection' : undefined
  }

  /** A part that exists once for each record that a parameter names: `/tags/{resourceArn}` */
  function toPart(node: PathNode, parent: Resource | undefined): Resource | undefined {
    if (!isPartOfOther(node, factsOf)) return undefined
    const name = node.parent?.step.text ?? ''
    return createResource({ kind: 'singleton', home: node.step.template, node, item: undefined, name, parent })
  }

  /** Records whose path has one more parameter than that of another record: /functions/{type}/{id}. */
  function toInner(node: PathNode, own: Resource): Resource | undefined {
    const item = itemOf(node)
    if (!item || item.operations.length === 0 || byItem.has(item)) return undefined
    return createResource({ kind: 'collection', home: node.step.template, node, item, name: own.name, parent: own })
  }

  /** A list that a path parameter filters: /games/{date}, possibly with its records below it. */
  function toFiltered(node: PathNode, parent: Resource | undefined): Resource | undefined {
    const get = factsAt(node, 'GET', factsOf)
    const item = itemOf(node)
    const isList =
      get?.list?.hasRecords === true &&
      !get.list.isMap &&
      (get.list.pointer.length === 0 || get.list.isEnvelope || get.saysList || isFilter(node))
    const hasItem = item !== undefined && item.operations.length > 0 && isRecordPath(item, factsOf)
    const above = nodeOfList(node, get?.list) ?? node.parent
    const known = above && at.get(above)
    if ((!isList && !hasItem) || known?.item === node) return undefined
    if (!hasItem && known?.kind === 'collection') return known
    return createResource({
      kind: 'collection',
      home: node.step.template,
      node,
      item: hasItem ? item : undefined,
      name: lineOf(node).findLast(({ step }) => step.text !== undefined)?.step.text ?? '',
      parent,
    })
  }
}

/** Lets the parameter of a path without records of its own select those whose key links give to it. */
function takeLinkedItems(document: OpenApiDocument, { at, byItem }: FoundResources, factsOf: FactsOf): void {
  for (const { from, to, pointer, in: where, place } of linkedKeys(document)) {
    const own = factsOf(from).node
    const resource = byItem.get(own) ?? at.get(own)
    const node = lineOf(factsOf(to).node).find(({ step }) => keyPlace(step.template) === place)
    const known = node && byItem.get(node)
    const isKept = [known?.node, known?.item].some((each) => each && each.operations.length > 0)
    const isKey = where === 'path' ? own.step.parameter === pointer[0] : pointer.at(-1) === resource?.key
    if (node && resource?.item && isKey && !isKept) byItem.set(node, resource)
  }
}
