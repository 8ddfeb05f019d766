/** A registration adds a record to the collection whose records it answers: `POST /auth/register` beside `/users/{id}` */
import { isRegistration } from '../../../lexicon/persons.js'
import { nameOf } from '../../facts/facts.js'
import { does, type Rule } from '../rule.js'

export const rule: Rule = {
  id: 'registers',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 0,
  find({ node, shownCollection, body }) {
    if (!shownCollection || body.isList || !isRegistration(nameOf(node))) return undefined
    return does('create', 'medium', `it registers a record of ${shownCollection.home}`, shownCollection)
  },
}
