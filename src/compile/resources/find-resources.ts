/** Finds the collections and singletons of a document in the tree of its paths. */

import type { DescribedOperation } from '../describe-operations.js'
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { type FoundList, findRecord, schemaName } from './body-shape.js'
import { nameOf, type OperationFacts, procedureKind, segmentVerb, selectingParameter } from './facts.js'
import { findKey } from './find-key.js'
import { isComputedNoun } from './rules/computed.js'
import { isParameter, itemOf, lineOf, operationAt, type PathNode } from './path-tree.js'
import type { Resource } from './resource.js'
import { bareName, isPlural, isSameName, nounOf, singular, wordsOf } from './words.js'

export type FactsOf = (operation: DescribedOperation) => OperationFacts

/** Resources by the node of their path, or of a record of theirs. */
export interface FoundResources {
  /** By the nodes of collections, of other lists of their records, and of singletons. */
  at: Map<PathNode, Resource>
  /** By the nodes of one record. */
  byItem: Map<PathNode, Resource>
  /** By the nodes of verbs behind the path of a collection: `/users/list` */
  procedures: Map<PathNode, Resource>
  /** By the nodes of parts of another record that are records of a collection: `/orders/{id}/customer` */
  parts: Map<PathNode, Resource>
  /** Whether a procedure lists, reads, creates or deletes records of a resource. */
  isShown(resource: Resource): boolean
}

const emptyResource = {
  item: undefined,
  name: '',
  parent: undefined,
  record: undefined,
  key: undefined,
  keyReason: '',
  isKeyCertain: false,
  isKeyed: false,
}

export function findResources(document: OpenApiDocument, root: PathNode, factsOf: FactsOf): FoundResources {
  const at = new Map<PathNode, Resource>()
  const byItem = new Map<PathNode, Resource>()
  const procedures = new Map<PathNode, Resource>()
  const parts = new Map<PathNode, Resource>()
  const top = factsAt(root, 'GET')
  if (top?.list && (top.list.hasRecords || top.saysList || top.list.isEnvelope)) {
    const item = itemOf(root)
    const home: Resource = { ...emptyResource, kind: 'collection', home: '/', node: root, item }
    at.set(root, home)
    if (item) byItem.set(item, home)
  }
  visit(root, undefined)
  mergeViews()
  for (const resource of new Set([...at.values(), ...byItem.values()])) describe(resource)
  return { at, byItem, procedures, parts, isShown }

  function visit(node: PathNode, parent: Resource | undefined): void {
    if (isParameter(node)) {
      const own = byItem.get(node)
      const listed = own ? toInner(node, own) : toFiltered(node, parent)
      if (listed) {
        if (!own) at.set(node, listed)
        if (listed.item) byItem.set(listed.item, listed)
      }
      for (const child of node.children) visit(child, own ?? parent)
      return
    }
    const resource = node.parent && !node.step.isVerb ? toResource(node, parent) : undefined
    if (resource) {
      at.set(node, resource)
      if (resource.item) byItem.set(resource.item, resource)
      const above = node.parent && at.get(node.parent)
      for (const child of proceduresOf(node)) {
        // `/users/alt/create` adds to `/users` too.
        const isOther = node.operations.length === 0 && node.children.length === 1 && !node.step.isNoun
        const isCreate = procedureKind(child, factsOf) === 'create'
        procedures.set(
          child,
          isOther && isCreate && above?.kind === 'collection' && !isComputedNoun(resource.name) ? above : resource,
        )
      }
    }
    // A parameter below a parameter belongs to the same record: /repos/{owner}/{repo}.
    for (const child of node.children) visit(child, resource?.kind === 'singleton' ? parent : parent)
  }

  function toResource(node: PathNode, parent: Resource | undefined): Resource | undefined {
    if (procedures.has(node)) return undefined
    const get = factsAt(node, 'GET')
    const own = nounOf(node.step.text ?? '') === 'me'
    const kind = node.step.isNoun
      ? kindOfNoun(node)
      : isCollection(node)
        ? 'collection'
        : isSingleton(node)
          ? get && selectingParameter(get) !== undefined && !own
            ? 'collection'
            : 'singleton'
          : isProcedureHome(node)
            ? 'collection'
            : undefined
    if (!kind) return undefined
    const item = kind === 'collection' ? deepItem(node) : undefined
    const isListed = factsAt(node, 'GET')?.list !== undefined
    const home = item && item.parent !== node && !isListed ? (item.parent?.step.template ?? '') : node.step.template
    const name = node.step.text ?? ''
    return {
      kind,
      home,
      node,
      item,
      name,
      parent,
      record: undefined,
      key: undefined,
      keyReason: '',
      isKeyCertain: false,
      isKeyed: false,
    }
  }

  function isShown(resource: Resource): boolean {
    const kinds = [...procedures].flatMap(([child, owner]) =>
      owner === resource ? [procedureKind(child, factsOf)] : [],
    )
    return resource.item !== undefined || kinds.some((kind) => kind !== 'replace' && kind !== 'compute')
  }

  /** What a noun is that only procedures name. */
  function kindOfNoun(node: PathNode): Resource['kind'] | undefined {
    if (isCollection(node)) return 'collection'
    const found = proceduresOf(node)
    const kinds = new Set(found.map((child) => procedureKind(child, factsOf)))
    if (kinds.has('list') || kinds.has('create') || kinds.has('remove')) return 'collection'
    const isOfAll = found.some((child) => wordsOf(child.step.text ?? '').includes('all'))
    if (isOfAll) return 'collection'
    return kinds.has('read') || kinds.has('replace') || kinds.has('update') ? 'singleton' : undefined
  }

  /** Verbs behind a path that are operations on its records. */
  function proceduresOf(node: PathNode): PathNode[] {
    if (/^v\d/.test(node.step.text ?? '')) return []
    return node.children.filter((child) => {
      if (child.operations.length === 0) return false
      const verb = segmentVerb(child)
      if (!verb) return procedureKind(child, factsOf) === 'read'

      if (child.step.isVerb) return verb.kind !== 'compute'
      const [first = '', ...others] = wordsOf(child.step.text ?? '')
      if (others.length === 0 && ['list', 'search', 'add', 'new', 'all'].includes(first)) return true
      const own = wordsOf(node.step.text ?? '').map(singular)
      return (
        verb.isCertain &&
        verb.kind !== 'compute' &&
        others.every((word) => own.includes(singular(word)) || word === 'all')
      )
    })
  }

  /** Whether verbs behind a path do what methods do elsewhere: `/users/list` and `/users/create` */
  function isProcedureHome(node: PathNode): boolean {
    if (node.parent?.parent === undefined && /^api$/i.test(node.step.text ?? '')) return false
    const found = proceduresOf(node)
    const kinds = new Set(found.map((child) => procedureKind(child, factsOf)))
    // A search alone does not show what it searches: `/catalog/search`
    const isSearch = found.every((child) => /^(search|query|find)/i.test(child.step.text ?? ''))
    if (isSearch && !isPlural(wordsOf(node.step.text ?? '').at(-1) ?? '')) return false
    return ['list', 'read', 'create', 'remove'].some((kind) => kinds.has(kind as 'list'))
  }

  /** Records whose path is that of a record with one more parameter: /functions/{type}/{id}. */
  function toInner(node: PathNode, own: Resource): Resource | undefined {
    const item = itemOf(node)
    if (!item || item.operations.length === 0 || byItem.has(item)) return undefined
    const base = { home: node.step.template, node, item, name: own.name, parent: own }
    return {
      kind: 'collection',
      ...base,
      record: undefined,
      key: undefined,
      keyReason: '',
      isKeyCertain: false,
      isKeyed: false,
    }
  }

  /** A list that a parameter of its path filters: /games/{date}, perhaps with its records below it. */
  function toFiltered(node: PathNode, parent: Resource | undefined): Resource | undefined {
    const get = factsAt(node, 'GET')
    const item = itemOf(node)
    const isList =
      get?.list?.hasRecords === true &&
      !get.list.isMap &&
      (get.list.pointer.length === 0 || get.list.isEnvelope || get.saysList || isFilter(node))
    const hasItem = item !== undefined && item.operations.length > 0 && isRecordPath(item)
    const known = node.parent && at.get(node.parent)
    if ((!isList && !hasItem) || known?.item === node) return undefined
    if (!hasItem && known?.kind === 'collection') return known
    const name = node.parent?.step.text ?? ''
    const home = node.step.template
    return {
      kind: 'collection',
      home,
      node,
      item: hasItem ? item : undefined,
      name,
      parent,
      record: undefined,
      key: undefined,
      keyReason: '',
      isKeyCertain: false,
      isKeyed: false,
    }
  }

  function factsAt(node: PathNode, method: string): OperationFacts | undefined {
    const operation = operationAt(node, method)
    return operation && factsOf(operation)
  }

  function isCollection(node: PathNode): boolean {
    const name = node.step.text ?? ''
    const verb = segmentVerb(node)
    const get = factsAt(node, 'GET')
    const post = factsAt(node, 'POST')
    const item = itemOf(node)
    const hasItem = item !== undefined && isRecordPath(item)
    const plural = isPlural(wordsOf(name).at(-1) ?? '')
    if (verb?.isCertain && !hasItem) return false
    if (hasItem) return true
    if (get?.list) {
      const { list } = get
      const isBare = list.pointer.length === 0 && !list.isMap
      if (!list.hasRecords && operationAt(node, 'PUT') && !post) return false
      if (!list.hasRecords) return plural || get.saysList
      if (!isBare && !plural && !get.saysList && isPartOf(node, list)) return false
      const property = list.pointer.at(-1) ?? ''
      const isNamed =
        isSameName(property, name) && (list.pointer.length > 1 || isPlural(wordsOf(property).at(-1) ?? ''))
      return isBare || plural || isNamed || get.verb === 'list' || (list.isEnvelope && !list.isMap)
    }
    const isDescribed = get?.success?.flat !== undefined && get.success.flat.properties.size > 0
    if (get?.success && (get.saysList || (plural && !isDescribed)))
      return get.verb !== 'compute' && !/text|image|pdf/.test(get.success.mediaType ?? '')
    if (get?.answersObject || (!plural && post?.body.isFile)) return false
    return (
      post !== undefined &&
      !(post.list && post.list.pointer.length === 0) &&
      (plural || post.verb === 'create') &&
      post.verb !== 'compute' &&
      !isVerbPost(post)
    )
  }

  /** Whether the answer has the list of the collection above: one record of it in a list. */
  function isPartOf(node: PathNode, list: FoundList): boolean {
    const property = list.pointer.at(-1) ?? ''
    return lineOf(node).some(
      ({ step, parent }) => parent && step.text !== node.step.text && isSameName(step.text ?? '', property),
    )
  }

  /** A POST whose verb changes something that exists, or computes. */
  function isVerbPost({ verb, success }: OperationFacts): boolean {
    if (success?.status === 201) return false
    // What is sent or requested exists from then on, if it has an id.
    const hasId = success?.flat?.properties.has('id') === true
    return verb === 'list' || verb === 'read' || (verb === 'action' && !hasId)
  }

  /** Whether a parameter selects one record, and does not filter a list. */
  function isRecordPath(item: PathNode): boolean {
    const methods = item.operations.map(({ method }) => method)
    if (methods.some((method) => ['PUT', 'PATCH', 'DELETE', 'POST'].includes(method))) return true
    const get = factsAt(item, 'GET')
    const inner = itemOf(item)
    if (!get && item.operations.length === 0 && item.children.length === 1 && inner) return isRecordPath(inner)
    if (!get) {
      // What stands below a record shows that there is one.
      return item.children.some((child) => child.operations.length > 0 || child.children.length > 0)
    }
    const { list } = get
    const filters = list?.hasRecords === true && !list.isMap && methods.length === 1 && isFilter(item)
    const isListOnly =
      list?.hasRecords === true &&
      !list.isMap &&
      (list.pointer.length === 0 || get.saysList || (list.isEnvelope && get.verb === 'list'))
    return !isListOnly && !(filters && (list.isEnvelope || get.verb !== 'read'))
  }

  /** The node of one record: behind several parameters if it has a key of several parts. */
  function deepItem(node: PathNode): PathNode | undefined {
    const item = itemOf(node)
    if (!item || !isRecordPath(item)) return undefined
    let deep = item
    for (let inner = itemOf(deep); inner && deep.operations.length === 0 && isRecordPath(inner); inner = itemOf(deep)) {
      deep = inner
    }
    return deep
  }

  function isSingleton(node: PathNode): boolean {
    const get = factsAt(node, 'GET')
    const isBelowRecord = node.parent !== undefined && byItem.has(node.parent)
    const isUpload = factsAt(node, 'POST')?.body.isFile === true
    if (!get && isBelowRecord && !segmentVerb(node) && (isUpload || operationAt(node, 'DELETE'))) return true
    const writes = ['PUT', 'PATCH'].some((method) => operationAt(node, method) !== undefined)
    const verb = segmentVerb(node)
    if (verb?.isCertain && !get?.answersObject) return false
    if (writes) return get !== undefined ? get.answersObject || get.success?.flat === undefined : true
    return get?.answersObject === true && !verb?.isCertain
  }

  /** Other lists of records that have a collection: /authors/{id}/books and /books, /books/search and /books. */
  function mergeViews(): void {
    const collections = [...at.values()].filter(({ kind }) => kind === 'collection')
    const recordName = new Map(collections.map((resource) => [resource, nameOfRecord(resource)]))
    for (const resource of collections) {
      const own = recordName.get(resource)
      if (own === undefined) continue
      const noun = viewNoun(resource.name)
      const same = collections.filter(
        (other) =>
          other !== resource &&
          recordName.get(other) === own &&
          other.item !== undefined &&
          (nounOf(other.name) === noun || (!resource.item && nounOf(other.name) === nounOf(plainName(own)))),
      )
      const home = same.toSorted((a, b) => depthOf(a.node) - depthOf(b.node))[0]
      if (!home || (!resource.item && depthOf(resource.node) < depthOf(home.node))) continue
      if (resource.item && depthOf(resource.node) <= depthOf(home.node)) continue
      if (resource.item && operationAt(resource.item, 'GET') && depthOf(home.node) >= depthOf(resource.node)) continue
      at.set(resource.node, home)
      if (resource.item) byItem.set(resource.item, home)
    }
    mergeParts(collections, recordName)
  }

  /** Records of a collection that are a part of another record: /orders/{id}/customer and /customers. */
  function mergeParts(collections: Resource[], recordName: Map<Resource, string | undefined>): void {
    for (const [node, resource] of at) {
      const get = resource.kind === 'singleton' ? factsAt(node, 'GET') : undefined
      const schema = get?.success?.schema
      if (!schema || !resource.parent) continue
      const noun = nounOf(resource.name)
      const found = findRecord(document, schema, resource.name, () => false)
      const name = found && nameOfFound(found)
      const home = collections.find(
        (other) =>
          nounOf(other.name) === noun &&
          other.item &&
          (recordName.get(other) === name || isSameName(other.name, resource.name)),
      )
      if (
        name !== undefined &&
        home &&
        singular(wordsOf(resource.name).at(-1) ?? '') === (wordsOf(resource.name).at(-1) ?? '')
      )
        parts.set(node, home)
    }
  }

  function nameOfFound(found: { schema: Located<Schema>; flat: FlatSchema }): string | undefined {
    const { flat } = found
    const names = [...flat.properties.keys()]
    return schemaName(found.schema) ?? (names.length > 2 ? names.sort().join() : undefined)
  }

  /** The name of the schema of its records, if it has one. */
  function nameOfRecord({ node, item }: Resource): string | undefined {
    const list = factsAt(node, 'GET')?.list
    const listed = list?.hasRecords && nameOfFound({ schema: list.item, flat: flattenSchema(document, list.item) })
    if (listed) return listed
    const get = item && factsAt(item, 'GET')
    const found = get?.success?.schema && findRecord(document, get.success.schema, node.step.text ?? '', () => false)
    return found && nameOfFound(found)
  }

  /** Finds the schema of its records and their key. */
  function describe(resource: Resource): void {
    const { node, item } = resource
    const noun = nounOf(resource.name)
    const verbs = [...procedures].flatMap(([child, owner]) => (owner === resource ? child.operations.map(factsOf) : []))
    const saying = (kind: string) => verbs.filter((facts) => procedureKind(facts.node, factsOf) === kind)
    const asked = [...saying('read'), ...saying('remove'), ...saying('update'), ...saying('replace')]
    const inQuery = node.operations.map(factsOf).flatMap((facts) => selectingParameter(facts) ?? [])
    const selecting = item ? [] : [...inQuery, ...asked.map((facts) => keyParameter(facts, resource.name))]
    const parameter = item?.step.parameter ?? selecting.find((name) => name !== undefined)
    resource.isKeyed = item !== undefined || parameter !== undefined
    const hasKey = (flat: Parameters<typeof findKey>[0]) => findKey(flat, parameter, noun)?.isCertain === true
    const candidates = [
      item && factsAt(item, 'GET'),
      ...saying('read'),
      factsAt(node, 'GET'),
      ...saying('list'),
      ...['PUT', 'PATCH', 'POST'].map((method) => item && factsAt(item, method)),
      ...['POST', 'PUT', 'PATCH'].map((method) => factsAt(node, method)),
      ...saying('create'),
      ...saying('update'),
    ]
    for (const facts of candidates) {
      const schema = facts?.success?.schema
      if (!facts || !schema) continue
      const isVerb = procedures.has(facts.node)
      const isList =
        resource.kind === 'collection' &&
        ((facts.node === node && facts.method === 'GET') || (isVerb && segmentVerb(facts.node)?.kind === 'list'))
      const record = isList
        ? facts.list?.hasRecords && facts.list.item
        : findRecord(document, schema, resource.name, hasKey)?.schema
      if (!record) continue
      const flat = flattenSchema(document, record)
      if (flat.properties.size === 0 && resource.record) continue
      const key = resource.kind === 'collection' ? findKey(flat, parameter, noun) : undefined
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
}

/** Names of parameters that several records share. */
const filterWords = new Set(
  (
    'country town city state region county district latitude longitude lat long lng lon radius date day month year week season ' +
    'category genre type status query term keyword keywords search location postcode zip zipcode tag text prefix from to start end ' +
    'since until language offset limit page count first last name'
  ).split(' '),
)

/** Whether a parameter filters a list by its name: `/stores/country/{country}` */
function isFilter({ step, parent }: PathNode): boolean {
  const word = wordsOf(step.parameter ?? '').at(-1) ?? ''
  const isHomeless = parent !== undefined && parent.operations.length === 0
  return isHomeless && filterWords.has(word) && !isPlural(wordsOf(parent.step.text ?? '').at(-1) ?? '')
}

/** What a view shows: of `/usersByGroup` users. */
function viewNoun(name: string): string {
  const words = wordsOf(name)
  const end = words.findIndex((word, index) => index > 0 && /^(by|of|for|in|with)$/.test(word))
  return singular((end === -1 ? words : words.slice(0, end)).at(-1) ?? '')
}

/** The name of a schema without what only says that it is one: `UserEntity`, `UserDto` */
function plainName(name: string): string {
  return name.replace(/(Entity|Dto|DTO|Model|Response|Resource|View|Object|Output|Schema|Item|Details?)$/, '')
}

function depthOf(node: PathNode): number {
  return node.parent ? depthOf(node.parent) + 1 : 0
}

export { nameOf, singular }
