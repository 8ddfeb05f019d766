/** What operations on the path of one record do. */
import { segmentVerb } from '../facts/facts.js'
import type { VerbKind } from '../paths/verbs.js'
import { isPlural, wordsOf } from '../paths/words.js'
import { isMeasured, lastWord } from './computed.js'
import { example, hasMask, masked, type Rule, type RuleInput } from './rule.js'

function idOf({ operation }: RuleInput): string {
  return String(operation.value.operationId ?? '')
}

/** Whether a body requires nothing and has fewer than half of the properties of a record. */
function isPartial({ body, recordSize }: RuleInput): boolean {
  return body.flat !== undefined && body.flat.required.size === 0 && body.flat.properties.size * 2 < recordSize
}

/** Whether a parameter holds the keys of several records: `/orders/{orderIds}` */
export function hasSeveralKeys({ node }: Pick<RuleInput, 'node'>): boolean {
  const last = wordsOf(node.step.parameter ?? '').at(-1) ?? ''
  return isPlural(last) && /^(ids|uuids|guids|identifiers|keys|codes|numbers|names)$/.test(last)
}

/** Whether a path asks something of the service, and no record of it: `/health/{host}`, `/search/{term}` */
function isAsked(input: RuleInput): boolean {
  return /^(health|healthcheck|ping|heartbeat|search|lookup|autocomplete|suggest|suggestions)$/.test(lastWord(input))
}

/** What a verb before the parameter says that is done to the record: `/stop/{scanId}` */
function verbBefore({ node }: RuleInput): VerbKind | undefined {
  // `/open/{id}` is a record of `/open`, if that has operations.
  const before = node.parent?.operations.length === 0 ? segmentVerb(node.parent) : undefined
  return before?.isCertain && wordsOf(node.parent?.step.text ?? '').length === 1 ? before.kind : undefined
}

export const itemRules: readonly Rule[] = [
  {
    name: 'a verb before the key',
    judge: (input) => {
      const { method, node } = input
      const kind = method === 'DELETE' ? undefined : verbBefore(input)
      const reason = `its path says what it does to the record of {${node.step.parameter}}`
      if (kind === 'action' || kind === 'remove') return { effect: kind, reason, sure: 'medium' }
      return (kind === 'update' || kind === 'replace') && method !== 'GET'
        ? { effect: 'update', reason, sure: 'medium' }
        : undefined
    },
  },
  {
    name: 'operation on several records by their keys',
    judge: (input) => {
      const { method, list, node, success } = input
      if (!hasSeveralKeys(input)) return undefined
      const reason = `{${node.step.parameter}} holds the keys of several records`
      if (method === 'GET')
        return list?.hasRecords || !success?.flat ? { effect: 'list', reason, sure: 'medium' } : undefined
      return example(
        reason,
        'medium',
        method === 'DELETE' ? 'bulk-remove' : method === 'POST' ? 'none' : 'bulk-replace',
      )
    },
  },
  {
    name: 'GET of one record',
    judge: (input) => {
      const { method, answersObject, answersFile, list, success, verb, node } = input
      if (method !== 'GET') return undefined
      if (isMeasured({ node })) return example('its name says that the answer is calculated, and nothing writes it')
      const parameter = node.step.parameter
      if (/^(download|export|convert|calculate|render|preview|stream)/i.test(idOf(input)))
        return example('its name says that it returns a file or computes')
      if (answersFile) return example('it returns a file or a text')
      const isBareList = list?.pointer.length === 0 && !list.isMap
      if (isBareList && verb !== 'read' && list.hasRecords) {
        return { effect: 'list', reason: `it returns a list that {${parameter}} filters`, sure: 'medium' }
      }
      if (list?.isEnvelope && list.hasRecords && !list.isMap && verb === 'list')
        return { effect: 'list', reason: `it returns a list of what belongs to {${parameter}}`, sure: 'medium' }
      if (success?.flat && !answersObject && !isBareList) return example('it returns no record')
      const isChanged = ['PUT', 'PATCH', 'DELETE'].some((other) => input.other(other) !== undefined)
      const named = node.parent && segmentVerb(node.parent)
      if (!isChanged && named?.kind === 'compute' && named.isCertain) return example('its name says that it computes')
      const isOfMany = isPlural(wordsOf(input.resource?.name ?? '').at(-1) ?? '')
      if (!isChanged && isAsked(input) && input.resource?.node.operations.length === 0 && !isOfMany)
        return example('its name says that the answer is calculated')
      const isUnknown = !answersObject && !isChanged && input.resource?.record === undefined
      if (isUnknown && success?.flat === undefined && verb === 'list')
        return {
          effect: 'list',
          reason: `its name says that it returns a list that {${parameter}} filters`,
          sure: 'low',
        }
      if (isUnknown && !isOfMany && verb !== 'read')
        return example('nothing describes what it returns, and nothing changes it')
      return {
        effect: 'read',
        reason: `it returns the record of {${parameter}}`,
        sure: answersObject ? 'high' : 'medium',
      }
    },
  },
  {
    name: 'PUT of one record',
    judge: (input) => {
      const { method, node, verb, words, resource } = input
      if (method !== 'PUT') return undefined
      if (
        verb === 'create' &&
        !input.saysUpsert &&
        !words.has('update') &&
        !words.has('replace') &&
        resource?.node.operations.every((each) => each.method !== 'POST')
      )
        return {
          effect: 'create',
          reason: `its name says that it adds the record of {${node.step.parameter}}`,
          sure: 'medium',
        }
      if (hasMask(input)) return masked
      if ((verb === 'update' && isPartial(input)) || /^(mark|modify)/i.test(idOf(input))) {
        return {
          effect: 'update',
          reason: `its name says that it changes the record of {${node.step.parameter}}, and not all of it`,
          sure: 'low',
        }
      }
      if (!input.body.exists && (verb === 'replace' || verb === 'update'))
        return { effect: 'update', reason: `it sets something of the record of {${node.step.parameter}}`, sure: 'low' }
      return { effect: 'replace', reason: `it replaces the record of {${node.step.parameter}}`, sure: 'high' }
    },
  },
  {
    name: 'PATCH of one record',
    judge: ({ method, node }) =>
      method === 'PATCH'
        ? { effect: 'update', reason: `it changes the record of {${node.step.parameter}}`, sure: 'high' }
        : undefined,
  },
  {
    name: 'DELETE of one record',
    judge: ({ method, node }) =>
      method === 'DELETE'
        ? { effect: 'remove', reason: `it deletes the record of {${node.step.parameter}}`, sure: 'high' }
        : undefined,
  },
  {
    name: 'POST to one record',
    judge: (input) => {
      const { method, verb, other, body, list, node, success, resource } = input
      if (method !== 'POST') return undefined
      const parameter = node.step.parameter
      if (input.answersMedia && !body.isFile) return example('it computes a file')
      if (body.isFile) return { effect: 'create', state: 'file', reason: 'it uploads a file', sure: 'medium' }
      if (verb === 'list' && list) return { effect: 'list', reason: 'its name says that it searches', sure: 'low' }
      if (input.saysUpsert)
        return { effect: 'replace', reason: 'its name says that it adds or replaces', sure: 'medium' }
      const hasOtherCreate = resource?.node.operations.some((operation) => operation.method === 'POST') === true
      if (verb === 'read' && input.answersObject && !other('PUT') && !other('PATCH'))
        return { effect: 'read', reason: `its name says that it reads the record of {${parameter}}`, sure: 'medium' }
      if (verb === 'create' && /^add.+[a-z_-]to[A-Z_-]/.test(idOf(input)))
        return { effect: 'action', reason: `it attaches something to the record of {${parameter}}`, sure: 'medium' }
      if (verb === 'create') {
        return { effect: 'create', reason: `it adds the record of {${parameter}}`, sure: 'medium' }
      }
      if (verb === 'remove')
        return {
          effect: 'remove',
          reason: `its name says that it deletes the record of {${parameter}}`,
          sure: 'medium',
        }
      if (verb === 'action' && /^(detach|disassociate|unlink)/i.test(idOf(input)))
        return { effect: 'remove', reason: 'its name says that it detaches something', sure: 'medium' }
      if (verb === 'action')
        return {
          effect: 'action',
          reason: `its name says what it does to the record of {${parameter}}`,
          sure: 'medium',
        }
      const isRead = other('GET') !== undefined || other('DELETE') !== undefined
      if (verb === 'update' || verb === 'replace' || (isRead && body.exists && !other('PATCH') && !other('PUT'))) {
        return {
          effect: 'update',
          reason: `it changes the record of {${parameter}}`,
          sure: verb === 'update' ? 'high' : 'medium',
        }
      }
      if (!hasOtherCreate && body.exists && (other('PUT') || (success?.status === 201 && !other('GET'))))
        return { effect: 'create', reason: `it adds the record of {${parameter}}`, sure: 'low' }
      if (list?.hasRecords)
        return { effect: 'list', reason: `it returns a list that {${parameter}} filters`, sure: 'low' }
      const isKnown = node.operations.length > 1 || resource?.node.operations.length !== 0
      return isKnown
        ? { effect: 'action', reason: `it does something to the record of {${parameter}}`, sure: 'low' }
        : example('nothing shows that it is about a record')
    },
  },
]
