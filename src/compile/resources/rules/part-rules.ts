/** What operations do whose path is no collection and no record: singletons, actions and computations. */
import { nameOf, type OperationFacts, segmentVerb, selectingParameter } from '../facts.js'
import { operationAt, type PathNode } from '../path-tree.js'
import type { Resource } from '../resource.js'
import { bareName, isSameName, wordsOf } from '../words.js'
import { isComputed, isMeasured, lastWord } from './computed.js'
import { example, type Rule, type RuleInput } from './rule.js'

/** Words of what exists once for each caller. */
const own = new Set(
  (
    'me self account profile settings setting config configuration preferences preference user whoami current myself ' +
    'subscription plan company organization organisation tenant wallet cart basket quota limits policy branding theme ' +
    'options license billing session'
  ).split(' '),
)

/** Whether a caller must give values to compute with. */
function hasInput({ operation }: RuleInput): boolean {
  return operation.parameters.some(
    ({ value }) =>
      value.in === 'query' &&
      value.required === true &&
      !/key|token|version|user|secret|format|account/i.test(value.name),
  )
}

/** Whether a segment says which records come back: `by-date`, `near` */
function isChoice(node: PathNode): boolean {
  return /^(by|near|nearby|inside|within|around|latest|recent|popular|top|featured|active|random)$/.test(
    wordsOf(nameOf(node))[0] ?? '',
  )
}

/** The first word of an operationId, without the name of a group. */
function firstVerb({ value }: OperationFacts['operation']): string {
  const id = typeof value.operationId === 'string' ? value.operationId : ''
  return wordsOf(id.split(/[./_]/).at(-1) ?? '')[0] ?? ''
}

/** Whether GET and POST of a path do the same: `searchGet` and `searchPost` */
function isTwin(one: OperationFacts, other: OperationFacts): boolean {
  const stem = ({ operation: { value } }: OperationFacts) =>
    bareName(String(value.operationId ?? '')).replace(/^(get|post)|(using)?(get|post)$/g, '')
  const summary = ({ operation: { value } }: OperationFacts) => String(value.summary ?? '')
  return (stem(one) !== '' && stem(one) === stem(other)) || (summary(one) !== '' && summary(one) === summary(other))
}

/** Whether other methods of the path write what GET reads. */
function isWritten({ other }: RuleInput): boolean {
  return ['PUT', 'PATCH', 'DELETE', 'POST'].some((method) => {
    const facts = other(method)
    return facts !== undefined && facts.verb !== 'action' && facts.verb !== 'compute'
  })
}

/** The singleton that a path is a part of, or is itself. */
function singletonAbove({ node, resources, owner }: RuleInput): Resource | undefined {
  for (let above: PathNode | undefined = node.parent; above; above = above.parent) {
    const found = resources.at.get(above)
    if (found?.kind === 'singleton' && found.parent === owner && operationAt(above, 'GET')) return found
  }
  return undefined
}

export const partRules: readonly Rule[] = [
  {
    name: 'GET of a file',
    judge: ({ method, answersFile }) =>
      method === 'GET' && answersFile ? example('it returns a file or a text') : undefined,
  },
  {
    name: 'GET of other records',
    judge: ({ method, list, resource, node, resources, success, saysList, answersFile }) => {
      if (method !== 'GET' || resource) return undefined
      const above = node.parent && resources.at.get(node.parent)
      if (above?.kind === 'collection' && success && !success.flat && !answersFile && (saysList || isChoice(node)))
        return { effect: 'list', resource: above, reason: `it returns some records of ${above.home}`, sure: 'low' }
      if (!list?.hasRecords) return undefined
      const verb = segmentVerb(node)
      if (verb?.kind === 'compute') return undefined
      const parent = node.parent && resources.at.get(node.parent)
      if (parent?.kind === 'collection' && (verb?.isCertain || list.pointer.length === 0 || list.isEnvelope)) {
        return { effect: 'list', resource: parent, reason: `it returns records of ${parent.home}`, sure: 'medium' }
      }
      return undefined
    },
  },
  {
    name: 'GET of a singleton',
    judge: (input) => {
      const { method, answersObject, resource, owner, success } = input
      if (method !== 'GET') return undefined
      const twin = input.other('POST')
      if (twin && isTwin(input, twin) && hasInput(input)) return example('POST asks the same, so that it computes')
      const word = lastWord(input)
      if (resource?.kind === 'singleton' && isWritten(input) && (answersObject || success?.flat === undefined)) {
        return {
          effect: 'read',
          reason: 'it returns a record that exists once, and other methods write it',
          sure: 'high',
        }
      }
      const isStatus = owner !== undefined && word === 'status'
      if ((isComputed(input) && !isStatus) || isMeasured(input))
        return example('its name says that the answer is calculated')
      if (input.verb === 'compute') return example('its name says that it computes')
      const isUnknown = success !== undefined && success.flat === undefined && !input.answersFile
      if (isUnknown && (own.has(word) || (owner && input.verb === 'read' && !segmentVerb(input.node))))
        return { effect: 'read', reason: 'its name is that of something that exists once', sure: 'low' }
      if (!answersObject || resource?.kind !== 'singleton')
        return example('it returns nothing that is known to be kept')
      if (input.verb === 'action') return example('its name says that it does something')
      if (own.has(word))
        return { effect: 'read', reason: 'its name is that of something that exists once', sure: 'medium' }
      const named = selectingParameter(input)
      if (named !== undefined)
        return { effect: 'read', reason: `the query parameter "${named}" selects what it returns`, sure: 'medium' }
      if (hasInput(input)) return example('the answer depends on query parameters that are required')
      if (/^(api|v\d)/.test(input.node.step.text ?? '')) return example('it describes the service')
      if (owner) return { effect: 'read', reason: `it returns a part of a record of ${owner.home}`, sure: 'low' }
      return { effect: 'read', reason: 'it returns an object, and asks for nothing', sure: 'low' }
    },
  },
  {
    name: 'PUT of a singleton',
    judge: (input) => {
      const { method, node, owner, body, verb, other, resource } = input
      if (method !== 'PUT') return undefined
      const above = singletonAbove(input)
      if (above && (segmentVerb(node) || verb === 'action' || (!other('GET') && verb !== 'create'))) {
        return {
          effect: 'action',
          resource: above,
          reason: `its name says what it does to ${above.home}`,
          sure: 'medium',
        }
      }
      if (body.isFile) return { effect: 'create', state: 'file', reason: 'it uploads a file', sure: 'medium' }
      const isRead = other('GET') !== undefined
      const verbOfPath = segmentVerb(node)
      if (!isRead && owner && (verbOfPath || verb === 'action' || !body.exists)) {
        return {
          effect: 'action',
          resource: owner,
          reason: `its name says what it does to a record of ${owner.home}`,
          sure: 'medium',
        }
      }
      if (!isRead && !owner && verbOfPath?.isCertain)
        return example('its name says that it does something, but not to which record')
      if (resource)
        return { effect: 'replace', reason: 'it replaces a record that exists once', sure: isRead ? 'high' : 'medium' }
      return undefined
    },
  },
  {
    name: 'PATCH of a singleton',
    judge: ({ method, resource, owner, other, node }) => {
      if (method !== 'PATCH') return undefined
      if (owner && !other('GET') && segmentVerb(node))
        return {
          effect: 'update',
          resource: owner,
          reason: `its name says how it changes a record of ${owner.home}`,
          sure: 'medium',
        }
      return resource ? { effect: 'update', reason: 'it changes a record that exists once', sure: 'high' } : undefined
    },
  },
  {
    name: 'DELETE of a singleton',
    judge: ({ method, resource, owner, operation }) => {
      if (method !== 'DELETE') return undefined
      if (
        owner &&
        /^(unsuspend|unblock|unlock|disable|cancel|stop|unpublish|deactivate|enable)$/.test(firstVerb(operation))
      )
        return {
          effect: 'action',
          resource: owner,
          reason: `its name says what it does to a record of ${owner.home}`,
          sure: 'medium',
        }
      if (resource?.kind === 'singleton')
        return { effect: 'remove', reason: 'it deletes a record that exists once', sure: 'medium' }
      if (owner)
        return {
          effect: 'remove',
          resource: owner,
          reason: `it detaches something from a record of ${owner.home}`,
          sure: 'low',
        }
      return example('it deletes nothing that is known to be kept', 'low')
    },
  },
  {
    name: 'POST that answers a file',
    judge: ({ method, answersMedia, body }) =>
      method === 'POST' && answersMedia && !body.isFile ? example('it computes a file') : undefined,
  },
  {
    name: 'POST that asks what GET asks',
    judge: (input) => {
      const get = input.method === 'POST' ? input.other('GET') : undefined
      if (!get || !isTwin(input, get)) return undefined
      return input.list?.hasRecords && input.resource?.kind === 'collection'
        ? { effect: 'list', reason: 'it asks what GET asks', sure: 'medium' }
        : example('it asks what GET asks')
    },
  },
  {
    name: 'POST that searches',
    judge: ({ method, node, list, verb, resources }) => {
      if (method !== 'POST') return undefined
      const pathVerb = segmentVerb(node)
      const asks = pathVerb?.kind === 'list' || (pathVerb === undefined && verb === 'list')
      if (!asks) return undefined
      const parent = node.parent && resources.at.get(node.parent)
      const isNamed = pathVerb !== undefined || isSameName(list?.pointer.at(-1) ?? '', parent?.name ?? '')
      if (list?.hasRecords && parent?.kind === 'collection' && isNamed) {
        return { effect: 'list', resource: parent, reason: `it searches the records of ${parent.home}`, sure: 'medium' }
      }
      return example('it searches what is not kept here')
    },
  },
  {
    name: 'POST x/create, x/delete and x/update',
    judge: ({ method, node, resources, owner }) => {
      if (method !== 'POST') return undefined
      const pathVerb = segmentVerb(node)
      const parent = node.parent && resources.at.get(node.parent)
      if (!pathVerb) return undefined
      if (parent?.kind === 'collection') {
        if (pathVerb.kind === 'create')
          return {
            effect: 'create',
            resource: parent,
            reason: `its name says that it adds to ${parent.home}`,
            sure: 'medium',
          }
        if (pathVerb.kind === 'remove') return example('it deletes records of a collection', 'low', 'bulk-remove')
      }
      if (owner && node.parent?.step.parameter !== undefined) {
        // `removeFollowers` changes the record, and does not delete it.
        if (pathVerb.kind === 'remove' && wordsOf(nameOf(node)).length === 1)
          return {
            effect: 'remove',
            resource: owner,
            reason: `its name says that it deletes a record of ${owner.home}`,
            sure: 'medium',
          }
        if ((pathVerb.kind === 'update' || pathVerb.kind === 'replace') && wordsOf(nameOf(node)).length === 1)
          return {
            effect: 'update',
            resource: owner,
            reason: `its name says that it changes a record of ${owner.home}`,
            sure: 'medium',
          }
      }
      return undefined
    },
  },
  {
    name: 'POST below a collection that answers a new record',
    judge: ({ method, node, resources, success, answersKey, verb, operation, owner }) => {
      const parent = node.parent && resources.at.get(node.parent)
      if (method !== 'POST' || parent?.kind !== 'collection' || parent === owner) return undefined
      if (!success?.flat || !answersKey(parent) || verb === 'action' || verb === 'list') return undefined
      const asksKey = operation.parameters.some(({ value }) => value.in === 'query' && value.required)
      return asksKey
        ? undefined
        : { effect: 'create', resource: parent, reason: `it answers a record of ${parent.home}`, sure: 'low' }
    },
  },
  {
    name: 'POST of a file',
    judge: ({ method, body, node, owner }) =>
      method === 'POST' && body.isFile && !(segmentVerb(node)?.kind === 'compute') && owner
        ? { effect: 'create', state: 'file', reason: 'it uploads a file', sure: 'medium' }
        : undefined,
  },
  {
    name: 'POST that does something to a record',
    judge: (input) => {
      const { method, node, owner, resource, other, verb, words } = input
      if (method !== 'POST') return undefined
      const pathVerb = segmentVerb(node)
      const isSet = ['PUT', 'PATCH', 'DELETE'].some((each) => other(each)) && (verb === 'create' || verb === 'replace')
      const isRead = other('GET')?.answersObject === true || isSet
      if (resource?.kind === 'singleton' && isRead && !(pathVerb?.isCertain || verb === 'action')) {
        if (verb === 'create' && firstVerb(input.operation) === 'add')
          return { effect: 'action', reason: 'its name says that it adds to a record that exists once', sure: 'low' }
        const effect =
          verb === 'create' && !other('PUT') && !other('PATCH') ? 'replace' : verb === 'replace' ? 'replace' : 'update'
        return { effect, reason: 'it writes a record that exists once', sure: 'medium' }
      }
      if (owner) {
        const isComputed = pathVerb?.kind === 'compute' || (pathVerb === undefined && verb === 'compute')
        if (isComputed && !words.has('status')) return example('its name says that it computes', 'low')
        return {
          effect: 'action',
          resource: owner,
          reason: `it does something to a record of ${owner.home}`,
          sure: pathVerb || verb === 'action' ? 'high' : 'low',
        }
      }
      const above = singletonAbove(input)
      if (above && (verb === 'action' || verb === 'update' || verb === 'create' || pathVerb?.kind === 'action')) {
        const effect = verb === 'update' ? 'update' : 'action'
        return { effect, resource: above, reason: `its name says what it does to ${above.home}`, sure: 'low' }
      }
      const shown = input.shownCollection
      if (shown && (verb === 'create' || input.success?.status === 201 || input.body.isFile))
        return { effect: 'create', resource: shown, reason: `it answers a new record of ${shown.home}`, sure: 'low' }
      return example('its path names no record')
    },
  },
]
