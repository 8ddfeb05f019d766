/** What operations on the path of a collection do. */
import { nameOf, selectingParameter } from '../facts/facts.js'
import { findKey } from '../facts/find-key.js'
import { bareName, isPlural, nounOf, wordsOf } from '../paths/words.js'
import { isComputed, isCounted, isMeasured, lastWord } from './computed.js'
import { example, hasMask, masked, type Rule, type RuleInput } from './rule.js'
import { asksTheSame, firstVerb } from './singleton-rules.js'

/** Words of operations that change many records at once. */
const many = ['bulk', 'batch', 'multiple', 'many', 'multi']

export function isMany(input: RuleInput): boolean {
  const { words, body, node, operation } = input
  const idWords = wordsOf(String(operation.value.operationId ?? '')).filter((word) => word !== 'async')
  const saysMany = /one or more|multiple|several|\bmany\b/i.test(String(operation.value.summary ?? ''))
  // An array that is sent to be added is several records.
  if (input.method === 'POST' && input.verb === 'create' && body.isList && body.flat?.types.has('array')) return true
  const isOfOne = input.verb === 'create' && !saysMany && !isPlural(idWords.at(-1) ?? 's')
  const path = wordsOf(node.step.text ?? '')
  const isSaid = many.some(
    (word) => path.includes(word) || idWords[0] === word || (words.has(word) && (body.isList || body.hasList)),
  )
  const changesMany = saysMany && input.method !== 'POST'
  return (body.isList && !isOfOne) || isSaid || changesMany
}

/** Whether the query or the body has the key of one record. */
export function namesOneRecord(input: RuleInput, place: 'query' | 'body'): boolean {
  const { operation, body, procedure, resource = procedure?.resource } = input
  const noun = nounOf(resource?.name ?? '')
  const keys = [resource?.key ?? 'id', `${noun}id`, 'id'].map(bareName)
  if (place === 'body') return [...(body.flat?.properties.keys() ?? [])].some((name) => keys.includes(bareName(name)))
  return operation.parameters.some(({ value }) => {
    const bare = bareName(value.name)
    return value.in === 'query' && (keys.includes(bare) || (value.required === true && bare === noun))
  })
}

/** Whether pages of records come back whose own name is of no measure: `/analytics/sessions/{id}/events` */
function showsPages({ list, node }: RuleInput): boolean {
  return (
    list?.isPaged === true && list.hasRecords && isPlural(wordsOf(nameOf(node)).at(-1) ?? '') && !isComputed({ node })
  )
}

export const collectionRules: readonly Rule[] = [
  {
    name: 'GET of measures',
    judge: (input) =>
      input.method === 'GET' && ((isMeasured(input) && !showsPages(input)) || isCounted(input))
        ? example('its name says that the answer is calculated, and nothing writes it')
        : undefined,
  },
  {
    name: 'GET with the key in the query',
    judge: (input) => {
      const computes = input.verb === 'compute' || input.verb === 'action' || isComputed(input)
      if (input.method === 'GET' && computes && !input.list && selectingParameter(input) !== undefined)
        return example('its name says that the answer is calculated')
      const named = input.method === 'GET' && !input.success?.flat?.items ? selectingParameter(input) : undefined
      return named === undefined || !input.answersObject || input.list?.isEnvelope
        ? undefined
        : { effect: 'read', reason: `the query parameter "${named}" selects what it returns`, sure: 'medium' }
    },
  },
  {
    name: 'a list is returned',
    judge: (input) => {
      const { method, list, resource, success } = input
      if (method !== 'GET' || !list || !resource) return undefined
      if (/^(export|download)/i.test(String(input.operation.value.operationId)))
        return example('its name says that it exports')
      if (!list.hasRecords && (input.verb === 'compute' || input.answersFlags)) return example('it returns no records')
      const where = list.pointer.length === 0 ? 'an array' : `an object with the list in "${list.pointer.join('.')}"`
      const found = list.isMap ? 'records by their keys' : where
      return {
        effect: 'list',
        reason: `it returns ${success ? found : 'a list'}`,
        sure: list.hasRecords ? 'high' : 'medium',
      }
    },
  },
  {
    name: 'the query has a key',
    judge: (input) => {
      if (!['GET', 'DELETE', 'PUT', 'PATCH'].includes(input.method) || !namesOneRecord(input, 'query')) return undefined
      if (input.method === 'GET' && input.answersObject) {
        return {
          effect: 'read',
          reason: 'a query parameter has the key of one record, which is returned',
          sure: 'medium',
        }
      }
      if (input.method === 'DELETE')
        return { effect: 'remove', reason: 'a query parameter has the key of the record', sure: 'medium' }
      if (input.method === 'PUT')
        return { effect: 'replace', reason: 'a query parameter has the key of the record', sure: 'medium' }
      return input.method === 'PATCH'
        ? { effect: 'update', reason: 'a query parameter has the key of the record', sure: 'medium' }
        : undefined
    },
  },
  {
    name: 'GET without a list',
    judge: (input) => {
      const { method, success, answersObject, verb } = input
      if (method !== 'GET') return undefined
      if (isComputed(input) || verb === 'compute') return example('its name says that the answer is calculated')
      const isKnown = success?.flat !== undefined && !(answersObject && success.flat.properties.size === 0)
      if (!isKnown || input.saysList)
        return {
          effect: 'list',
          reason: 'its path is that of a collection, and its body is not described',
          sure: 'low',
        }
      if (answersObject)
        return {
          effect: isPlural(lastWord(input)) ? 'list' : 'read',
          reason: isPlural(lastWord(input)) ? 'its path is that of a collection' : 'it returns one object',
          sure: 'low',
        }
      return example('it returns no list of the records of this path')
    },
  },
  {
    name: 'POST that answers a file',
    judge: ({ method, answersMedia, body }) =>
      method === 'POST' && answersMedia && !body.isFile ? example('it computes a file') : undefined,
  },
  {
    name: 'POST that asks',
    judge: ({ method, verb, list, success, words, node }) => {
      if (method !== 'POST' || verb !== 'list' || words.has('create') || words.has('add')) return undefined
      if (isMeasured({ node }) || isCounted({ node })) return example('its name says that the answer is calculated')
      if (list?.hasRecords)
        return { effect: 'list', reason: 'its name says that it searches, and it returns a list', sure: 'medium' }
      return success?.status === 201 ? undefined : example('its name says that it only searches')
    },
  },
  {
    name: 'POST that asks what GET asks',
    judge: (input) => {
      const get = input.method === 'POST' ? input.other('GET') : undefined
      if (!get || !asksTheSame(get, input)) return undefined
      return input.list?.hasRecords && input.resource?.item
        ? { effect: 'list', reason: 'it asks what GET asks', sure: 'medium' }
        : example('it asks what GET asks')
    },
  },
  {
    name: 'POST of many records',
    judge: (input) => {
      if (input.method !== 'POST' || !isMany(input)) return undefined
      if (firstVerb(input.operation) === 'tag')
        return { effect: 'action', reason: 'its name says that it attaches something', sure: 'low' }
      if (input.verb === 'remove') return example('it deletes many records at once', 'medium', 'bulk-remove')
      return example(
        'its body has many records',
        'medium',
        input.verb === 'update' || input.verb === 'replace' ? 'bulk-replace' : 'bulk-create',
      )
    },
  },
  {
    name: 'POST that deletes',
    judge: (input) => {
      if (input.method !== 'POST' || input.verb !== 'remove') return undefined
      if (namesOneRecord(input, 'body'))
        return {
          effect: 'remove',
          reason: 'its name says that it deletes the record whose key is in the body',
          sure: 'medium',
        }
      return example('its name says that it deletes several records', 'low', 'bulk-remove')
    },
  },
  {
    name: 'POST that creates or changes',
    judge: ({ method, saysUpsert, resource, body }) =>
      method === 'POST' && saysUpsert && !body.isList && resource
        ? { effect: 'replace', reason: 'its name says that it adds or replaces a record', sure: 'medium' }
        : undefined,
  },
  {
    name: 'POST that changes',
    judge: (input) => {
      if (input.method !== 'POST' || input.success?.status === 201 || input.verb !== 'update') return undefined
      if (!namesOneRecord(input, 'body')) return undefined
      return {
        effect: 'update',
        reason: 'its name says that it changes the record whose key is in the body',
        sure: 'medium',
      }
    },
  },
  {
    name: 'POST to a collection',
    judge: ({ method, resource, verb, list, node }) => {
      if (method !== 'POST' || !resource) return undefined
      if (verb === 'read' && (isMeasured({ node }) || isCounted({ node })))
        return example('its name says that the answer is calculated')
      if (verb === 'compute' && !resource.item) return example('its name says that it computes')
      if (list?.hasRecords && (verb === 'read' || verb === 'list'))
        return { effect: 'list', reason: 'it returns a list, and its name does not say that it creates', sure: 'low' }
      return {
        effect: 'create',
        reason: `it adds a record to ${resource.home}`,
        sure: verb === 'create' || resource.item ? 'high' : 'medium',
      }
    },
  },
  {
    name: 'PUT or PATCH of a whole collection',
    judge: (input) => {
      const { document, method, body, verb, resource } = input
      if (method !== 'PUT' && method !== 'PATCH') return undefined
      if (hasMask(input) && namesOneRecord(input, 'body')) return masked
      if (isMany(input)) return example('it replaces the records of a whole collection', 'medium', 'bulk-replace')
      if (input.saysUpsert && resource)
        return { effect: 'replace', reason: 'its name says that it adds or replaces a record', sure: 'medium' }
      if (verb === 'create' && !body.flat && firstVerb(input.operation) === 'add')
        return { effect: 'action', reason: 'its name says that it adds what exists elsewhere', sure: 'low' }
      if (verb === 'create') return { effect: 'create', reason: 'its name says that it adds a record', sure: 'medium' }
      if (
        body.flat &&
        (namesOneRecord(input, 'body') || (resource?.record && findKey(document, body.flat, undefined, resource.name)))
      ) {
        const effect = method === 'PUT' ? 'replace' : 'update'
        return { effect, reason: 'its body has the key of the record', sure: 'medium' }
      }
      return example('it changes a whole collection', 'low', 'bulk-replace')
    },
  },
  {
    name: 'DELETE of a whole collection',
    judge: (input) => {
      if (input.method !== 'DELETE') return undefined
      const noun = wordsOf(String(input.operation.value.operationId ?? '')).at(-1) ?? ''
      const isOfOne = input.verb === 'remove' && noun === nounOf(lastWord(input)) && isPlural(lastWord(input))
      if (input.verb === 'action' && /^un/.test(firstVerb(input.operation)) && !isPlural(noun))
        return { effect: 'remove', reason: 'its name says that it detaches something', sure: 'low' }
      return isOfOne && !isMany(input)
        ? { effect: 'remove', reason: 'its name says that it deletes one record', sure: 'low' }
        : example('it deletes the records of a whole collection', 'medium', 'bulk-remove')
    },
  },
]
