/** Says which operations on something that exists once are about the record of the user who is logged in: `GET /users/me` */

import { guess } from '../behaviour/line.js'
import type { OpenApiDocument } from '../document/document.js'
import { isOfUser } from '../lexicon/keys.js'
import { isOwnUser, isRegistration } from '../lexicon/persons.js'
import { bareName } from '../lexicon/words.js'
import { flattenSchema, placeOf } from '../schemas/flatten-schema.js'
import { isWriting } from '../schemas/operations/change.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { nameOf } from './facts/facts.js'

export function findUsers(
  document: OpenApiDocument,
  collections: readonly KnownCollection[],
  candidates: readonly Candidate[],
): void {
  const users = collections.filter((each) => !each.path.includes('{') && isOfUsers(document, each))
  const shown = new Map(users.map((each) => [placeOf(document, each.record), each]))
  for (const { kind, resource, path, lines } of candidates) {
    if (resource?.kind !== 'singleton' || path.includes('{') || !isOwnUser(nameOf(resource.node))) continue
    const all = candidates.filter((each) => each.resource === resource)
    const found = all.flatMap(({ record }) => (record && shown.get(placeOf(document, record))) ?? [])[0]
    if (!found || !(kind === 'read' || kind === 'remove' || isWriting(kind))) continue
    const says = { to: found.path, names: namesOf(document, found) }
    lines.add('user', '', says, guess('name', 'it is about the user who is logged in'))
  }
}

/** Whether the records of a collection are those of users: they register, or have a password that nobody else has. */
function isOfUsers(document: OpenApiDocument, collection: KnownCollection): boolean {
  const { members, resource } = collection
  const registers = ({ kind, node, operation }: Candidate) =>
    kind === 'create' && (isRegistration(nameOf(node)) || isRegistration(operation.value.operationId ?? ''))
  return resource?.kind === 'collection' && (members.some(registers) || namesOf(document, collection).length > 1)
}

/** The properties of which one has the name with which a user logs in. */
function namesOf(document: OpenApiDocument, { record, model }: KnownCollection): string[] {
  const properties = [...flattenSchema(document, record).properties]
  const named = properties.filter(
    ([name, schema]) =>
      (isOfUser(name) || bareName(name) === 'name') && flattenSchema(document, schema).types.has('string'),
  )
  return [...new Set([...named.map(([name]) => name), model.key])]
}
