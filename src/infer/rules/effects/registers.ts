/** A registration adds a record to the collection whose records it answers: `POST /auth/register` beside `/users/{id}` */
import { isRegistration, isUsers } from '../../../lexicon/persons.js'
import { schemaName } from '../../facts/body-shape.js'
import { nameOf } from '../../facts/facts.js'
import { does, type Rule } from '../rule.js'

export const rule: Rule = {
  id: 'registers',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 0,
  find({ node, shownCollection, shownInside, body, resources, success }) {
    if (body.isList || !success?.schema || !isRegistration(nameOf(node))) return undefined
    if (node.step.template.includes('{')) return undefined
    const name = schemaName(success.schema)
    // The records of other collections may look like users, too.
    const users = [...resources.at.values()].find(
      (each) => isUsers(each.name) && !each.home.includes('{') && each.record && schemaName(each.record) === name,
    )
    const found = (name === undefined ? undefined : users) ?? shownCollection ?? shownInside
    return found && does('create', 'medium', `it registers a record of ${found.home}`, found)
  },
}
