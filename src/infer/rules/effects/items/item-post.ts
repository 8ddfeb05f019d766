/** POST to a record does what its name says, or else something to the record: `POST /books/{id}` */

import { does, example, type Rule, upload } from '../../rule.js'

export const rule: Rule = {
  id: 'item-post',
  says: 'effect',
  from: 'name',
  methods: ['POST'],
  providers: 132,
  right: { backed: 0.8, medium: 0.6, low: 0.5 },
  find(input) {
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
  },
}
