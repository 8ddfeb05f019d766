/** Rules for operations on the path of one record. */

import { isKeyList } from '../../lexicon/keys.js'
import type { VerbKind } from '../../lexicon/verbs.js'
import { isPlural, wordsOf } from '../../lexicon/words.js'
import { segmentVerb } from '../facts/facts.js'
import { isKeptAt } from '../paths/find-rpc.js'
import { calculated, isMeasured, lastWord } from './computed.js'
import { allMethods, computesFile, does, example, type Rule, type RuleInput, rule, upload } from './rule.js'

function operationName({ operation }: RuleInput): string {
  return String(operation.value.operationId ?? '')
}

/** Whether a body requires nothing and has fewer than half of the properties of a record. */
function isPartial({ body, recordSize }: RuleInput): boolean {
  return body.flat !== undefined && body.flat.required.size === 0 && body.flat.properties.size * 2 < recordSize
}

/** Whether a parameter holds the keys of several records: `/orders/{orderIds}` */
export function hasSeveralKeys({ node }: Pick<RuleInput, 'node'>): boolean {
  return isKeyList(wordsOf(node.step.parameter ?? '').at(-1) ?? '')
}

/** Whether a path is a query of the service, not of a record: `/health/{host}`, `/search/{term}` */
function isAsked(input: RuleInput): boolean {
  return /^(health|healthcheck|ping|heartbeat|search|lookup|autocomplete|suggest|suggestions)$/.test(lastWord(input))
}

/** The kind of verb before the parameter: `/stop/{scanId}` */
function verbBefore({ node }: RuleInput): VerbKind | undefined {
  // `/open/{id}` is a record of `/open` if that path has operations.
  const before = node.parent?.operations.length === 0 ? segmentVerb(node.parent) : undefined
  return before?.isCertain && wordsOf(node.parent?.step.text ?? '').length === 1 ? before.kind : undefined
}

export const itemRules: readonly Rule[] = [
  rule('item-verb-before-key', allMethods, (input) => {
    const { method, node } = input
    const kind = method === 'DELETE' ? undefined : verbBefore(input)
    const reason = `its path says what it does to the record of {${node.step.parameter}}`
    return kind === 'action' || kind === 'remove' ? does(kind, 'medium', reason) : undefined
  }),
  rule('item-get', ['GET'], (input) => {
    const { answersObject, answersFile, list, success, verb, node } = input
    if (isMeasured({ node })) return calculated(input, ', and nothing writes it')
    const parameter = node.step.parameter
    if (/^(download|export|convert|calculate|render|preview|stream)/i.test(operationName(input)))
      return example('its name says that it returns a file or computes')
    if (answersFile) return example('it returns a file or a text')
    const isBareList = list?.pointer.length === 0 && !list.isMap
    if (isBareList && verb !== 'read' && list.hasRecords)
      return does('list', 'medium', `it returns a list that {${parameter}} filters`)
    if (success?.flat && !answersObject && !isBareList) return example('it returns no record')
    const isChanged = ['PUT', 'PATCH', 'DELETE'].some((other) => input.other(other) !== undefined)
    const named = node.parent && segmentVerb(node.parent)
    if (!isChanged && named?.kind === 'compute' && named.isCertain && !(node.parent && isKeptAt(node.parent)))
      return example('its name says that it computes')
    const isOfMany = isPlural(wordsOf(input.resource?.name ?? '').at(-1) ?? '')
    if (!isChanged && isAsked(input) && input.resource?.node.operations.length === 0 && !isOfMany)
      return calculated(input)
    const isUnknown = !answersObject && !isChanged && input.resource?.record === undefined
    if (isUnknown && success?.flat === undefined && verb === 'list')
      return does('list', 'low', `its name says that it returns a list that {${parameter}} filters`)
    if (isUnknown && !isOfMany && verb !== 'read')
      return example('nothing describes what it returns, and nothing changes it')
    return does('read', answersObject ? 'high' : 'medium', `it returns the record of {${parameter}}`)
  }),
  rule('item-put', ['PUT'], (input) => {
    const { node, verb, words, resource } = input
    const record = `the record of {${node.step.parameter}}`
    if (
      verb === 'create' &&
      !input.saysUpsert &&
      !words.has('update') &&
      !words.has('replace') &&
      resource?.node.operations.every((each) => each.method !== 'POST')
    )
      return does('create', 'medium', `its name says that it adds ${record}`)
    if ((verb === 'update' && isPartial(input)) || /^(mark|modify)/i.test(operationName(input)))
      return does('update', 'low', `its name says that it changes a part of ${record}`)
    if (!input.body.exists && (verb === 'replace' || verb === 'update'))
      return does('update', 'low', `it sets a part of ${record}`)
    return does('replace', 'high', `it replaces ${record}`)
  }),
  rule('item-patch', ['PATCH'], ({ node }) =>
    does('update', 'high', `it changes the record of {${node.step.parameter}}`),
  ),
  rule('item-delete', ['DELETE'], ({ node }) =>
    does('remove', 'high', `it deletes the record of {${node.step.parameter}}`),
  ),
  computesFile,
  rule('item-post', ['POST'], (input) => {
    const { verb, other, body, list, node, success, resource } = input
    const record = `the record of {${node.step.parameter}}`
    if (body.isFile) return upload
    if (verb === 'list' && list) return does('list', 'low', 'its name says that it searches')
    const hasOtherCreate = resource?.node.operations.some((operation) => operation.method === 'POST') === true
    if (verb === 'read' && input.answersObject && !other('PUT') && !other('PATCH'))
      return does('read', 'medium', `its name says that it reads ${record}`)
    if (verb === 'create') return does('create', 'medium', `it adds ${record}`)
    if (verb === 'action') return does('action', 'medium', `its name says what it does to ${record}`)
    const isRead = other('GET') !== undefined || other('DELETE') !== undefined
    if (verb === 'update' || verb === 'replace' || (isRead && body.exists && !other('PATCH') && !other('PUT')))
      return does('update', verb === 'update' ? 'high' : 'medium', `it changes ${record}`)
    if (!hasOtherCreate && body.exists && (other('PUT') || (success?.status === 201 && !other('GET'))))
      return does('create', 'low', `it adds ${record}`)
    if (list?.hasRecords) return does('list', 'low', `it returns a list that {${node.step.parameter}} filters`)
    const isKnown = node.operations.length > 1 || resource?.node.operations.length !== 0
    return isKnown
      ? does('action', 'low', `it does something to ${record}`)
      : example('nothing shows that it is about a record')
  }),
]
