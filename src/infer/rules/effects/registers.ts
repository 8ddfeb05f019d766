/** A registration adds a record to the collection whose records it answers: `POST /auth/register` beside `/users/{id}` */
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { isOfUser } from '../../../lexicon/keys.js'
import { isRegistration, isUsers } from '../../../lexicon/persons.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import { schemaName } from '../../facts/body-shape.js'
import { nameOf } from '../../facts/facts.js'
import { does, type Rule } from '../rule.js'

const hasName = (document: OpenApiDocument, record: Located<Schema>, name: string): boolean =>
  flattenSchema(document, record).properties.has(name)

export const rule: Rule = {
  id: 'registers',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 0,
  find({ document, node, shownCollection, shownInside, body, resources, success }) {
    if (body.isList || !success || !isRegistration(nameOf(node))) return undefined
    if (node.step.template.includes('{')) return undefined
    const name = success.schema && schemaName(success.schema)
    // The records of other collections may look like users, too.
    const users = [...resources.at.values()].find(
      (each) => isUsers(each.name) && !each.home.includes('{') && each.record && schemaName(each.record) === name,
    )
    // What answers a token or nothing registers those who have the same name to log in with.
    const names = [...(body.flat?.properties.keys() ?? [])].filter(isOfUser)
    const named = [...resources.at.values()].find(
      ({ name: each, home, record }) =>
        isUsers(each) && !home.includes('{') && record && names.some((sent) => hasName(document, record, sent)),
    )
    const found = (name === undefined ? undefined : users) ?? shownCollection ?? shownInside ?? named
    return found && does('create', 'medium', `it registers a record of ${found.home}`, found)
  },
}
