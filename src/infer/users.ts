/** Says which operations on something that exists once are about the record of the user who is logged in: `GET /users/me` */

import { guess, toAbout } from '../behaviour/line.js'
import type { UserOf } from '../behaviour/members.js'
import type { WrittenUser } from '../contract/effects/effect.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../document/document.js'
import { toJsonPointer } from '../json/json-pointer.js'
import { passwordProperty } from '../json/path-property.js'
import { saysUnauthorized } from '../lexicon/errors-in-texts.js'
import { endsLikeKey, isOfUser, isPassword } from '../lexicon/keys.js'
import { isOwnUser, isRegistration, isUsers, makerOf } from '../lexicon/persons.js'
import { isOfCaller } from '../lexicon/refusals.js'
import { participles } from '../lexicon/verbs.js'
import { bareName, sameName, wordsOf } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema, placeOf } from '../schemas/flatten-schema.js'
import { isWriting } from '../schemas/operations/change.js'
import { jsonBody } from '../schemas/operations/describe-operations.js'
import { recordContent } from '../schemas/operations/request-content.js'
import { findRequestRecord } from '../schemas/operations/request-record.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { nameOf } from './facts/facts.js'

export function findUsers(
  document: OpenApiDocument,
  collections: readonly KnownCollection[],
  candidates: readonly Candidate[],
): void {
  const users = collections.filter((each) => !each.path.includes('{') && isOfUsers(document, each))
  const own = new Set(users.filter(({ members }) => members.some(registers)))
  const shown = new Map(users.map((each) => [placeOf(document, each.record), each]))
  for (const { kind, resource, path, lines } of candidates) {
    if (resource?.kind !== 'singleton' || path.includes('{') || !isOwnUser(nameOf(resource.node))) continue
    const all = candidates.filter((each) => each.resource === resource)
    const found =
      all.flatMap(({ record }) => (record && shown.get(placeOf(document, record))) ?? [])[0] ??
      users.find((each) => all.some(({ record }) => record && isWhole(document, record, each)))
    if (!found || !(kind === 'read' || kind === 'remove' || isWriting(kind))) continue
    const says = { to: found.path, names: namesOf(document, found) }
    lines.add('user', '', says, guess('name', 'it is about the user who is logged in'))
    own.add(found)
  }
  const guarded = users.filter((each) => passwordsOf(document, each).size > 0)
  for (const each of guarded) own.add(each)
  findAuthors(document, collections, [...own][0])
  for (const each of guarded) findAuthors(document, collections, each, each)
  for (const each of candidates.filter(({ kind }) => kind === 'example')) {
    const secured = ofLogin(each, guarded)
    if (secured) findPassword(document, each, secured)
    const logged = ofLogin(each, [...own])
    const login = logged && findLogin(document, each, logged)
    if (login) each.lines.add('user', '', login, guess('schema', 'it answers the user who logs in'))
  }
}

/** The users who may log in at a path: the only ones, or those whose path is above it. */
function ofLogin({ operation }: Candidate, users: readonly KnownCollection[]): KnownCollection | undefined {
  return users.length === 1 ? users[0] : users.find(({ path }) => operation.path.startsWith(`${path}/`))
}

/** What the body of a login has, which may be inside of its only property: `customer/email` */
export function loginProperties(
  document: OpenApiDocument,
  properties: ReadonlyMap<string, Located<Schema>>,
): ReadonlyMap<string, Located<Schema>> {
  const [[outer, schema] = [], ...others] = properties
  const inner = schema && others.length === 0 ? [...flattenSchema(document, schema).properties] : []
  return inner.length > 0 ? new Map(inner.map(([name, each]) => [`${outer}/${name}`, each])) : properties
}

export const lastOf = (name: string): string => name.split('/').at(-1) ?? ''

/** The name that a login sends, and where its answer has the record of the user. */
function findLogin(document: OpenApiDocument, login: Candidate, users: KnownCollection): UserOf | undefined {
  const { operation, success } = login
  const content = operation.method === 'POST' ? jsonBody(operation) : undefined
  const sent = content && loginProperties(document, flattenSchema(document, schemaOf(content)).properties)
  const by = sent && [...sent.keys()].find((name) => isOfUser(lastOf(name)))
  const at = by !== undefined && success?.schema ? findAt(success.schema, 2) : undefined
  return by === undefined || !at ? undefined : { to: users.path, names: namesOf(document, users), by, at }

  function findAt(schema: Located<Schema>, depth: number): string[] | undefined {
    for (const [name, inner] of flattenSchema(document, schema).properties) {
      if (placeOf(document, inner) === placeOf(document, users.record) || isWhole(document, inner, users)) return [name]
      const below = depth > 1 ? findAt(inner, depth - 1) : undefined
      if (below) return [name, ...below]
    }
    return undefined
  }
}

/** The creations of users with the place of their body that has the password, which records do not show. */
function passwordsOf(document: OpenApiDocument, { members, record }: KnownCollection): Map<Candidate, string[]> {
  const shown = flattenSchema(document, record).properties
  const found = members.flatMap((member): [Candidate, string[]][] => {
    const request = member.kind === 'create' ? findRequestRecord(document, member, record) : undefined
    const content = registers(member) ? recordContent(document, member.operation) : undefined
    const { schema, given = [] } = request ?? { schema: content && schemaOf(content) }
    const sent = schema ? [...flattenSchema(document, schema).properties.keys()] : []
    const secret = sent.find((name) => isPassword(name) && !shown.has(name))
    return secret === undefined ? [] : [[member, [...given, secret]]]
  })
  return new Map(found)
}

/** Says that a login which documents a refusal compares the password that a user registered with. */
function findPassword(document: OpenApiDocument, login: Candidate, users: KnownCollection): void {
  const { operation, lines } = login
  const content = operation.method === 'POST' ? recordContent(document, operation) : undefined
  const properties = content ? flattenSchema(document, schemaOf(content)).properties : new Map()
  const sent = [...loginProperties(document, properties).keys()]
  const [by, secret] = [isOfUser, isPassword].map((isMeant) => sent.find((name) => isMeant(lastOf(name))))
  const said = (status: string) => String(operation.responses.get(status)?.value.description ?? '')
  const documented = ['401', '400', '403', '422'].filter((each) => operation.responses.has(each))
  const refusing = documented.find((each) => each === '401' || saysUnauthorized(said(each)))
  const status = documented.length > 0 ? refusing : '401'
  if (by === undefined || secret === undefined || status === undefined) return
  const why = guess(refusing ? 'description' : 'name', `its ${status} refuses a wrong password`)
  lines.add('login', '', { to: users.path, names: namesOf(document, users), by, secret, status: Number(status) }, why)
  for (const [member, property] of passwordsOf(document, users))
    member.lines.add('changes', toAbout([passwordProperty]), `$request.body#${toJsonPointer(property)}`, why)
}

/** Whether a record has all that those who register have, and more. */
function isWhole(
  document: OpenApiDocument,
  record: Located<Schema>,
  { members, record: user }: KnownCollection,
): boolean {
  const { properties } = flattenSchema(document, record)
  const own = [...flattenSchema(document, user).properties.keys()]
  const isCreated = members.some(({ kind }) => kind === 'create')
  return isCreated && own.length > 1 && own.every((name) => properties.has(name))
}

/** Says which new records say who made them, where requests do not. */
function findAuthors(
  document: OpenApiDocument,
  collections: readonly KnownCollection[],
  loggedIn: KnownCollection | undefined,
  /** If only properties with the key of one of them count: `customer_id` */
  named?: KnownCollection,
): void {
  const users = collections.find(
    (each) => !each.path.includes('{') && each.members.some(({ kind }) => kind === 'create') && isUsers(lastNoun(each)),
  )
  const registered = collections.find(({ path, members }) => !path.includes('{') && members.some(registers))
  const known = named ?? registered ?? loggedIn ?? users
  if (!known) return
  const user = flattenSchema(document, known.record).properties
  const names = namesOf(document, known)
  const why = guess('name', 'they say who made the record, and requests do not')
  for (const group of collections) {
    const owners = new Set(group.lines.all('owner').map(({ about }) => about))
    for (const member of group === known ? [] : group.members) {
      if (member.kind === 'action' && !named) findActor(document, member, group)
      if (member.kind !== 'create') continue
      const request = findRequestRecord(document, member, group.record)
      const sent = request && flattenSchema(document, request.schema).properties
      // A request with the schema of records has what the service writes, too.
      const isShared = request && placeOf(document, request.schema) === placeOf(document, group.record)
      const written = [...flattenSchema(document, group.record).properties].flatMap(
        ([property, schema]): WrittenUser[] => {
          const isGiven = sent?.has(property) === true && !isShared
          const isOwner = named && bareName(property) === `${sameName(lastNoun(named))}id`
          const isTaken = isGiven || (owners.has(property) && !isOwner) || property === group.model.key
          const maker = isTaken ? undefined : named ? isOwner && { of: 'id' } : makerOf(property)
          const flat = flattenSchema(document, schema)
          if (!maker || flat.types.has('array')) return []
          const own = [...flat.properties.keys()].filter((name) => user.has(name))
          if (flat.properties.size > 0) return own.length > 0 ? [{ property, from: own }] : []
          const from = userValue(maker.of, flat, known, names)
          return from === undefined ? [] : [{ property, from }]
        },
      )
      if (written.length > 0) member.lines.add('author', '', { to: known.path, names, written }, why)
      const owned = written.find(({ from }) => from === known.model.key)
      for (const each of owned ? group.members : [])
        if (owned && each.parameter !== undefined && refusesOthers(each)) {
          const says = {
            to: known.path,
            names,
            written: [],
            owned: [owned.property, known.model.key] as [string, string],
          }
          each.lines.add('author', '', says, guess('description', 'its 403 refuses records of other users'))
        }
    }
  }

  /** Says where a record shows who acts: `reviewed_by` of `/review`, and the list of users that `/join` adds to. */
  function findActor(document: OpenApiDocument, { node, operation, lines }: Candidate, group: KnownCollection): void {
    if (!known) return
    const isUndone = operation.method === 'DELETE'
    const done = participles(wordsOf(nameOf(node))[0] ?? '')
    const properties = [...flattenSchema(document, group.record).properties]
    const actors = properties.flatMap(([property, schema]): WrittenUser[] => {
      const form = done.find((each) => bareName(property).startsWith(`${each}by`))
      const from =
        form && userValue(bareName(property).slice(form.length + 2), flattenSchema(document, schema), known, names)
      return from === undefined || isUndone ? [] : [{ property, from }]
    })
    const lists = properties.flatMap(([property, schema]): WrittenUser[] => {
      const { items } = flattenSchema(document, schema)
      const isOfUsers = items && placeOf(document, items) === placeOf(document, known.record)
      const from = items ? [...flattenSchema(document, items).properties.keys()].filter((name) => user.has(name)) : []
      return isOfUsers ? [{ property, from, list: isUndone ? 'without' : 'with' }] : []
    })
    const isOpen = lines.all('changes').length === 0 && lists.length === 1 && !operation.body
    const written = [...actors, ...(isOpen ? lists : [])]
    if (written.length > 0) lines.add('author', '', { to: known.path, names, written }, why)
  }

  /** The property of a user whose value a property of another record has. */
  function userValue(
    of: string,
    { types, keywords }: FlatSchema,
    { model }: KnownCollection,
    all: readonly string[],
  ): string | undefined {
    const isNumber = types.has('integer') || types.has('number')
    const isKey = isNumber || endsLikeKey(of) || of === 'uuid' || keywords.format === 'uuid'
    if (isKey) return isNumber === (model.keyKind === 'integer') ? model.key : undefined
    if (!types.has('string') || keywords.format === 'uri') return undefined
    const wanted = keywords.format === 'email' ? 'email' : of
    return all.find((name) => bareName(name).includes(wanted) && user.has(name))
  }
}

export const registers = ({ kind, node, operation }: Candidate): boolean =>
  kind === 'create' && (isRegistration(nameOf(node)) || isRegistration(operation.called))

const lastNoun = ({ resource }: KnownCollection): string => resource?.name ?? ''

/** Whether an operation documents that others are refused, and not only those without a right. */
const refusesOthers = ({ operation: { responses } }: Candidate): boolean =>
  responses.has('403') && !isOfCaller(String(responses.get('403')?.value.description))

/** Whether the records of a collection are those of users: they register, or have a password that nobody else has. */
function isOfUsers(document: OpenApiDocument, collection: KnownCollection): boolean {
  const { members, resource } = collection
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
