/** A creation whose answer links to the new record at another path: `POST /checkouts` with a link to `GET /orders/{id}` */
import { behind } from '../../paths/path-tree.js'
import { does, type Rule } from '../rule.js'

export const rule: Rule = {
  id: 'answer-links-to-record',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 1,
  find({ node, resource, resources, linked, shownCollection, success, body }) {
    if (!linked || resource?.item || node.operations.length > 1 || success?.status === 202) return undefined
    for (let above = behind(node); above; above = behind(above))
      if (resources.byItem.get(above) === linked.resource) return undefined
    const { properties } = success?.flat ?? {}
    const isNew = success?.status === 201 || shownCollection === linked.resource || properties?.size === 1
    // What the request has names another record.
    if (!isNew || (linked.property !== linked.resource.key && body.flat?.properties.has(linked.property)))
      return undefined
    return does('create', 'high', `its answer links to the record of ${linked.resource.home}`, linked.resource)
  },
}
