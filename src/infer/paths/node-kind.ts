/** Classifies the nodes of paths: collections, records and singletons. */

import { isOneThing } from '../../lexicon/kinds.js'
import { isShared, selectsForm } from '../../lexicon/parameters.js'
import { isQuestion } from '../../lexicon/verbs.js'
import { isPlural, isSameName, nounOf, singular, withoutSuffix, wordsOf } from '../../lexicon/words.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { type FoundList, schemaName } from '../facts/body-shape.js'
import { type OperationFacts, segmentVerb } from '../facts/facts.js'
import { itemOf, lineOf, operationAt, type PathNode } from './path-tree.js'
import { type FactsOf, factsAt } from './resource.js'

export function isCollection(node: PathNode, factsOf: FactsOf): boolean {
  const name = node.step.text ?? ''
  const get = factsAt(node, 'GET', factsOf)
  const item = itemOf(node)
  const hasItem = item !== undefined && isRecordPath(item, factsOf)
  const isNamed = isPlural(wordsOf(name).at(-1) ?? '')
  const list = get?.list
  const names = list ? [list.pointer.at(-1) ?? '', withoutSuffix(schemaName(list.item) ?? '')] : []
  const isNamedSo = list?.hasRecords === true && isNamed && names.some((each) => isSameName(each, name))
  if (segmentVerb(node)?.isCertain && !hasItem && !isNamedSo) {
    const isSearch = list?.hasRecords === true && !list.isMap && isQuestion(name)
    return isSearch && (list.isEnvelope || list.pointer.length === 0)
  }
  if (hasItem) return true
  return get && list ? isOfCollection(node, factsOf, get, list) : isAddedTo(node, factsOf)
}

/** Whether the list that GET shows is that of a collection. */
function isOfCollection(node: PathNode, factsOf: FactsOf, get: OperationFacts, list: FoundList): boolean {
  const name = node.step.text ?? ''
  const plural = isPlural(wordsOf(name).at(-1) ?? '')
  if (!list.hasRecords) {
    const isSet = operationAt(node, 'PUT') && !operationAt(node, 'POST')
    return !isSet && (plural || get.saysList)
  }
  const isBare = list.pointer.length === 0 && !list.isMap
  if (isBare) return plural || !isSetAsOne(node, factsOf)
  if (plural) return true
  if (!get.saysList && isPartOf(node, list)) return false
  const property = list.pointer.at(-1) ?? ''
  const isNamed = isSameName(property, name) && (list.pointer.length > 1 || isPlural(wordsOf(property).at(-1) ?? ''))
  return isNamed || list.isPaged || get.verb === 'list' || (list.isEnvelope && !list.isMap)
}

/** Whether a path without a list is that of a collection: by what GET says, or because POST adds to it. */
function isAddedTo(node: PathNode, factsOf: FactsOf): boolean {
  const name = node.step.text ?? ''
  const plural = isPlural(wordsOf(name).at(-1) ?? '')
  const [get, post, put] = ['GET', 'POST', 'PUT'].map((method) => factsAt(node, method, factsOf))
  const isDescribed = get?.success?.flat !== undefined && get.success.flat.properties.size > 0
  // A resource that is set but never added to is a singleton.
  if (!isDescribed && !post && put && put.verb !== 'create' && !get?.saysList) return false
  if (get?.success && ((get.saysList && !isOneThing(name)) || (plural && !isDescribed)))
    return get.verb !== 'compute' && !/text|image|pdf/.test(get.success.mediaType ?? '')
  if (!post || get?.answersObject || (!plural && post.body.isFile)) return false
  const isListed = plural || post.saysList || isPagedBelowNothing(node, post)
  if (isListed && !segmentVerb(node) && isListingPost(post)) return true
  const isBareList = post.list?.pointer.length === 0
  if (!plural && answersAbove(node, post, factsOf)) return false
  return !isBareList && (plural || post.verb === 'create') && post.verb !== 'compute' && !isVerbPost(post)
}

/** Whether a path below a record answers that record: `POST /parts/{id}/adjust` */
export function answersAbove(node: PathNode, { success }: OperationFacts, factsOf: FactsOf): boolean {
  const [name, above] = [success, node.parent && factsAt(node.parent, 'GET', factsOf)?.success].map((each) => {
    const [inner, ...others] = each?.flat?.properties.values() ?? []
    const isOnly = inner !== undefined && others.length === 0
    return each?.schema && (schemaName(each.schema) ?? (isOnly ? schemaName(inner) : undefined))
  })
  return node.parent?.step.parameter !== undefined && name !== undefined && name === above
}

/** Whether the answer has the list of the collection above, with one record in it. */
function isPartOf(node: PathNode, list: FoundList): boolean {
  const property = list.pointer.at(-1) ?? ''
  const line = lineOf(node)
  const last = line.findLastIndex(({ step }) => step.parameter !== undefined)
  return line
    .slice(0, last + 1)
    .some(({ step }) => step.text !== node.step.text && isSameName(step.text ?? '', property))
}

/** Whether the verb of a POST changes something existing, or computes. */
function isVerbPost({ verb, success }: OperationFacts): boolean {
  if (success?.status === 201) return false
  // Something that is sent or requested is a new record if it has an id.
  const hasId = success?.flat?.properties.has('id') === true
  return verb === 'list' || verb === 'read' || (verb === 'action' && !hasId)
}

/** Whether PUT sets one object but GET returns it in an array. */
function isSetAsOne(node: PathNode, factsOf: FactsOf): boolean {
  const put = factsAt(node, 'PUT', factsOf)
  const isObject = put?.body.flat !== undefined && put.body.flat.properties.size > 0 && !put.body.isList
  return isObject && !operationAt(node, 'POST') && !factsAt(node, 'GET', factsOf)?.saysList
}

/** Whether the answer has pages, and the path has no parameter. */
function isPagedBelowNothing(node: PathNode, { list }: OperationFacts): boolean {
  return list?.isPaged === true && lineOf(node).every(({ step }) => step.parameter === undefined)
}

/** Whether a POST only lists records: `POST /users` with the operationId `ListUsers` */
function isListingPost({ verb, success, list }: OperationFacts): boolean {
  const isAsking = verb === 'list' || verb === 'read'
  return isAsking && success?.status === 200 && list?.hasRecords === true && list.isEnvelope
}

/** Whether a parameter is only an argument of an action on the record above: `POST /sessions/{id}/command/{command}` */
function isArgument({ operations, children, parent }: PathNode, factsOf: FactsOf): boolean {
  const isBelowRecord = parent?.parent?.step.parameter !== undefined
  if (!isBelowRecord || operations.length === 0 || children.length > 0) return false
  if (isPlural(wordsOf(parent.step.text ?? '').at(-1) ?? '')) return false
  const isDone = (each: DescribedOperation) => each.method === 'POST' && factsOf(each).verb === 'action'
  const isSet = (each: DescribedOperation) =>
    /^(PUT|POST|PATCH)$/.test(each.method) && !each.body && answersAbove(parent, factsOf(each), factsOf)
  return [...operations, ...parent.operations].every((each) => isDone(each) || isSet(each))
}

/** Whether a parameter selects the form of the answer: `/map.{fileFormat}`, `/files/{version}` */
function isForm({ step, parent }: PathNode): boolean {
  const name = step.parameter ?? ''
  return selectsForm(name) || (/^version$/i.test(name) && nounOf(parent?.step.text ?? '') !== 'version')
}

/** The node above with the name of a list: `/runs` for `/runs/route/{id}` and "runs". */
export function nodeOfList(item: PathNode, list: FoundList | undefined): PathNode | undefined {
  const property = list?.pointer.at(-1)
  if (property === undefined || !list?.hasRecords || list.isMap || !list.isEnvelope) return undefined
  return lineOf(item)
    .slice(0, -2)
    .find(({ step }) => step.text !== undefined && isSameName(step.text, property))
}

/**
 * Whether a parameter names the owner of the records below it, which its path lists: the record of `/segments/{project}/{key}` is
 * what `/segments/{project}` has in its list.
 */
function listsInner(item: PathNode, factsOf: FactsOf): boolean {
  const list = factsAt(item, 'GET', factsOf)?.list
  const inner = itemOf(item)
  if (!inner || !list?.hasRecords || list.isMap || item.operations.some(({ method }) => !/^(GET|POST)$/.test(method)))
    return false
  const isListed = (facts: OperationFacts | undefined) => {
    const shown = facts?.success?.schema
    return shown !== undefined && name !== undefined && schemaName(shown) === name
  }
  const name = schemaName(list.item)
  const isList = list.pointer.length === 0 || list.isEnvelope || list.isPaged
  return isListed(factsAt(inner, 'GET', factsOf)) && (isList || isListed(factsAt(item, 'POST', factsOf)))
}

/** Whether a parameter selects one record instead of filtering a list. */
export function isRecordPath(item: PathNode, factsOf: FactsOf): boolean {
  if (isForm(item)) return false
  const methods = item.operations.map(({ method }) => method)
  const got = factsAt(item, 'GET', factsOf)
  if (got?.verb === 'list' && got.list?.hasRecords && got.list.isEnvelope && !got.list.isMap) return false
  if (isArgument(item, factsOf) || listsInner(item, factsOf)) return false
  if (methods.length === 1 && nodeOfList(item, got?.list)) return false
  if (methods.some((method) => ['PUT', 'PATCH', 'DELETE', 'POST'].includes(method))) return true
  const get = factsAt(item, 'GET', factsOf)
  const inner = itemOf(item)
  if (!get && item.operations.length === 0 && item.children.length === 1 && inner) return isRecordPath(inner, factsOf)
  if (!get) {
    // Paths below a record prove that it exists.
    return item.children.some((child) => child.operations.length > 0 || child.children.length > 0)
  }
  const { list } = get
  const filters = list?.hasRecords === true && !list.isMap && methods.length === 1 && isFilter(item)
  const isListOnly =
    list?.hasRecords === true &&
    !list.isMap &&
    (list.pointer.length === 0 ||
      (list.isPaged && list.isEnvelope) ||
      get.saysList ||
      (list.isEnvelope && get.verb === 'list'))
  return !isListOnly && !(filters && (list.isEnvelope || get.verb !== 'read'))
}

/** Whether a parameter names a record of another path, and only a map of its values is shown: `/tags/{resourceArn}` */
export function isPartOfOther(item: PathNode, factsOf: FactsOf): boolean {
  const { parent, children, step } = item
  const name = parent?.step.text
  if (!parent || name === undefined || parent.operations.length > 0 || children.length > 0) return false
  if (!isPlural(name) || wordsOf(step.parameter ?? '').some((word) => singular(word) === singular(name))) return false
  const flat = factsAt(item, 'GET', factsOf)?.success?.flat
  const names = [...(flat?.properties.keys() ?? [])]
  const isMap = factsAt(item, 'GET', factsOf)?.list?.hasRecords !== true
  return (
    isMap && names.length === 1 && isSameName(names[0] ?? '', name) && isPlural(wordsOf(names[0] ?? '').at(-1) ?? '')
  )
}

/** Whether the first of two parameters selects nothing by itself, unlike that of `/registry/{name}/repos`. */
function isPartOfKey({ operations, children }: PathNode, inner: PathNode): boolean {
  return operations.length === 0 && (children.length === 1 || inner.operations.length > 0)
}

/** The node of one record: after several parameters if its key has several parts. */
export function deepItem(node: PathNode, factsOf: FactsOf): PathNode | undefined {
  const item = itemOf(node)
  if (!item || !isRecordPath(item, factsOf)) return undefined
  let deep = item
  for (
    let inner = itemOf(deep);
    inner && isPartOfKey(deep, inner) && isRecordPath(inner, factsOf);
    inner = itemOf(deep)
  ) {
    deep = inner
  }
  return deep
}

export function isSingleton(node: PathNode, factsOf: FactsOf, isBelowRecord: boolean): boolean {
  const get = factsAt(node, 'GET', factsOf)
  const isUpload = factsAt(node, 'POST', factsOf)?.body.isFile === true
  const isUnknown = get?.success !== undefined && get.success.flat === undefined && !get.answersFile
  if (
    (!get || isUnknown || get.answersFile) &&
    isBelowRecord &&
    !segmentVerb(node) &&
    (isUpload || operationAt(node, 'DELETE'))
  )
    return true
  const writes = ['PUT', 'PATCH'].some((method) => operationAt(node, method) !== undefined)
  const verb = segmentVerb(node)
  if (verb?.isCertain && !get?.answersObject) return false
  if (writes)
    return get !== undefined ? get.answersObject || isSetAsOne(node, factsOf) || get.success?.flat === undefined : true
  return (get?.answersObject === true || isUnknown) && !verb?.isCertain
}

/** Whether a parameter filters a list by its name: `/stores/country/{country}` */
export function isFilter({ step, parent }: PathNode): boolean {
  const isHomeless = parent !== undefined && parent.operations.length === 0
  return isHomeless && isShared(step.parameter ?? '') && !isPlural(wordsOf(parent.step.text ?? '').at(-1) ?? '')
}
