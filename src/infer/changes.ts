/** Says what requests change besides what they send: what actions set and take, the marks of removed records, the times of events. */

import { guess, toAbout } from '../behaviour/line.js'
import { ownNameIn } from '../behaviour/members.js'
import { readValue, toWritten } from '../behaviour/values.js'
import { nothing } from '../behaviour/vocabulary.js'
import type { FieldEvent } from '../contract/contract.js'
import type { FieldChange } from '../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { toJson } from '../json/exact-json.js'
import { toJsonPointer } from '../json/json-pointer.js'
import { removalWords, saysRemoval, shownRemoval } from '../lexicon/events.js'
import { endsLikeKey, isId, isSecret } from '../lexicon/keys.js'
import { saysCreate } from '../lexicon/operation-names.js'
import { choosesAnswer } from '../lexicon/parameters.js'
import { isUsual } from '../lexicon/record-names.js'
import { isStateName, isUseFlag, saysUnused } from '../lexicon/stages.js'
import { saysConflict } from '../lexicon/texts.js'
import { isTimeOf } from '../lexicon/times.js'
import { countsFlag, isRenewing, saysRename } from '../lexicon/verbs.js'
import { bareName, isSameName, wordsOf } from '../lexicon/words.js'
import { flattenSchema, hasFlag } from '../schemas/flatten-schema.js'
import { describeChange, isWriting } from '../schemas/operations/change.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import { parameterSchema } from '../schemas/operations/request-content.js'
import { findRequestRecord, sentBy } from '../schemas/operations/request-record.js'
import { timeFormOf } from '../schemas/time-form.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { nameOf } from './facts/facts.js'
import { findChanges, findRemovalChanges } from './facts/find-changes.js'
import { findMerged } from './facts/find-merged.js'
import { chooseState, statesOf } from './facts/first-states.js'
import { statesOf as ownStatesOf } from './preconditions.js'

export function findChangesOf(document: OpenApiDocument, collection: KnownCollection): void {
  const { members, record, lines } = collection
  for (const member of members) {
    if (member.kind === 'action') findAction(document, member, collection)
    if (member.kind === 'update') findMerges(document, member, collection)
    if (member.kind === 'update' || member.kind === 'replace') findRenaming(document, member, collection)
    if (member.kind === 'create' || member.kind === 'update') findInner(document, member, collection)
    findAnswers(document, member, collection)
  }
  findSoftRemoval(document, collection)
  for (const event of findEvents(document, record))
    lines.add('events', `${event.property} ${String(event.value)} ${event.time}`, event, guess('name', ''))
}

/** Says which change gives a record another key, where callers choose keys. */
function findRenaming(document: OpenApiDocument, member: Candidate, { model, members, record }: KnownCollection): void {
  const has = (each: Candidate) => {
    const request = findRequestRecord(document, each, record)
    return request && flattenSchema(document, request.schema).properties.has(model.key)
  }
  if (model.keyKind !== 'string' || !saysRename(member.decision.facts.words) || !has(member)) return
  if (members.some((each) => each.kind === 'create' && has(each)))
    member.lines.add('renames', '', true, guess('name', 'it is called so, and its body has the key'))
}

/** Says what an action changes: what it adds to a list, else what has a form of its verb, and what its body gives. */
export function findAction(document: OpenApiDocument, candidate: Candidate, collection: KnownCollection): void {
  const { lines, decision, operation } = candidate
  if (lines.isComplete('changes')) return
  if (operation.method === 'DELETE' && saysUnused(String((operation.value as { summary?: string }).summary ?? ''))) {
    const flags = ownStatesOf(document, collection).filter(({ values }) => [...values.values()].includes(false))
    const flag = flags.find(({ property }) => isUseFlag(wordsOf(property).at(-1) ?? ''))
    const why = guess('description', 'it says so')
    if (flag) lines.add('changes', toAbout([flag.property]), false, why)
    if (flag) return
  }
  const request = candidate.at ? undefined : findRequestRecord(document, candidate, collection.record)
  const fromBody = (names: readonly string[]) => `$request.body${names.length > 0 ? `#${toJsonPointer(names)}` : ''}`
  if (decision.adds) {
    const { property, from } = decision.adds
    const value = fromBody(from === undefined ? [] : [from])
    lines.add('changes', toAbout([property, '-']), value, guess('schema', decision.reason))
    return
  }
  const { takes, drops } = decision
  if (drops) {
    const [property, parameter] = drops
    lines.add('changes', toAbout([property]), `$remove.$request.path.${parameter}`, guess('schema', decision.reason))
    return
  }
  if (takes !== undefined) {
    for (const property of [takes, ...keysBeside(document, collection, takes)]) {
      const value = emptyOf(document, collection.record, property)
      if (value !== undefined) lines.add('changes', toAbout([property]), value, guess('name', decision.reason))
    }
    return
  }
  const { sets, shown } = findChanges(document, candidate, collection)
  for (const change of sets) addChange(candidate, change)
  if (shown !== undefined) {
    const about = `${shown} by ${operation.method} ${operation.path}`
    collection.lines.add('changes', about, shown, guess('example', 'the example of its answer shows it'))
  }
  for (const [parameter, own] of findPathValues(document, candidate, collection))
    lines.add('changes', toAbout([own]), `$request.path.${parameter}`, guess('name', 'its path has the value'))
  for (const [sent, own] of request ? findTakes(document, request.schema, candidate, collection) : []) {
    const value = fromBody([...(request?.given ?? []), sent])
    // What the action itself sets counts more.
    if (readValue(value) && !lines.get('changes', toAbout([own])))
      lines.add('changes', toAbout([own]), value, guess('schema', 'its body has it'))
  }
  for (const property of findRenewed(candidate, collection))
    lines.add('changes', toAbout([property]), nothing, guess('name', 'it makes it again'))
}

/** The key that an action makes again: `secret` by `reset-secret`, and the only secret by `rotate`. */
function findRenewed({ node, operation }: Candidate, { lines, model }: KnownCollection): string[] {
  const names = [nameOf(node), operation.called].map(wordsOf).filter(([verb = '']) => isRenewing(verb))
  const nouns = names.map(([, ...noun]) => noun.join('')).filter((noun) => noun !== '')
  if (names.length === 0) return []
  const keys = lines.all('keys').flatMap(({ about }) => (about.includes('/') ? [] : [about]))
  const named = keys.filter((key) => nouns.some((noun) => bareName(key).endsWith(noun)))
  const secrets = keys.filter((key) => isSecret(bareName(key), model.name))
  return named.length > 0 ? named.slice(0, 1) : secrets.length === 1 ? secrets : []
}

/** The properties of a record whose values a path has behind it: `PUT /cars/{id}/mileage/{value}` */
function findPathValues(
  document: OpenApiDocument,
  { node, parameter: key, decision: { steps } }: Candidate,
  { record }: KnownCollection,
): [parameter: string, own: string][] {
  const behind = steps.slice(steps.findIndex(({ parameter }) => parameter === key) + 1)
  return behind.flatMap(({ parameter }, index): [string, string][] => {
    if (parameter === undefined || key === undefined || node.step.parameter === undefined) return []
    const names = [parameter, behind[index - 1]?.text ?? ''].map(bareName)
    const [own] = [...flattenSchema(document, record).properties.keys()].filter((name) =>
      names.includes(bareName(name)),
    )
    return own === undefined ? [] : [[parameter, own]]
  })
}

/** The properties with the key of what another one shows: `courierId` beside `courier` */
function keysBeside(document: OpenApiDocument, { record }: KnownCollection, property: string): string[] {
  return [...flattenSchema(document, record).properties.keys()].filter(
    (name) => endsLikeKey(name) && isSameName(wordsOf(name).slice(0, -1).join('_'), property),
  )
}

/** What a property has that is emptied. Undefined if it needs a value. */
function emptyOf(document: OpenApiDocument, record: Located<Schema>, property: string): unknown {
  const { properties, required } = flattenSchema(document, record)
  const schema = properties.get(property)
  const types = schema ? flattenSchema(document, schema).types : undefined
  if (types?.has('null')) return null
  if (types?.has('array')) return []
  if (types?.has('boolean')) return false
  return required.has(property) ? undefined : nothing
}

function addChange({ lines, decision }: Candidate, { property, with: kind, value }: FieldChange): void {
  lines.add('changes', toAbout([property]), kind === 'now' ? '$now' : toWritten(value), guess('name', decision.reason))
}

/** Says which object of the record has what a body sends beside it: `{ type, url }` is `{ content: { type, url } }`. */
function findInner(document: OpenApiDocument, candidate: Candidate, { record, lines: all }: KnownCollection): void {
  const request = findRequestRecord(document, candidate, record)
  if (!request) return
  const own = flattenSchema(document, record).properties
  const sent = flattenSchema(document, request.schema)
  const named = ownNameIn(candidate.lines, all)
  const others = [...sent.properties.keys()].filter((name) => !own.has(named(name) ?? name))
  const found = [...own].flatMap(([property, schema]): [string, string[]][] => {
    const { properties, types } = flattenSchema(document, schema)
    const inner = others.filter((name) => properties.has(name))
    // An object with an id is another record.
    const isOther = sent.properties.has(property) || types.has('array') || [...properties.keys()].some(isId)
    const isWhole = inner.length > 1 && 2 * inner.length >= others.length
    const hasRequired = others.every((name) => !sent.required.has(name) || inner.includes(name))
    return isWhole && hasRequired && !isOther ? [[property, inner]] : []
  })
  const [[property, inner] = ['', []], ...more] = found
  if (property === '' || more.length > 0) return
  const why = guess('schema', 'the body has its properties, and the record has them nowhere else')
  const values = inner.map((name) => [name, `$request.body#${toJsonPointer([...request.given, name])}`] as const)
  if (candidate.kind === 'create') candidate.lines.add('changes', toAbout([property]), Object.fromEntries(values), why)
  else for (const [name, value] of values) candidate.lines.add('changes', toAbout([property, name]), value, why)
}

/** The values of the body that an action changes in the record: their names in both. */
function findTakes(
  document: OpenApiDocument,
  request: Located<Schema>,
  { lines }: Candidate,
  { record, model, members, lines: ofRecords }: KnownCollection,
): [sent: string, own: string][] {
  const known = new Map(
    [...flattenSchema(document, record).properties].map(([name, schema]) => [bareName(name), [name, schema] as const]),
  )
  const created = sentBy(document, { members, record })
  /** The only property that an action fills under a longer name: `cancel_reason` for `reason` */
  const ofAction = (named: string) => {
    const longer = [...known].filter(([bare, [name]]) => bare.endsWith(named) && bare !== named && !created.has(name))
    return named.length > 3 && longer.length === 1 && !isUsual(named) ? longer[0]?.[1] : undefined
  }
  return [...flattenSchema(document, request).properties].flatMap(([sent, schema]): [string, string][] => {
    const named = bareName(ofRecords.value('names', sent) ?? lines.value('names', sent) ?? sent)
    const found = known.get(named) ?? known.get(named.replace(/^new/, '')) ?? ofAction(named)
    if (!found || found[0] === model.key) return []
    const types = [schema, found[1]].map((each) => [...flattenSchema(document, each).types])
    return types[0]?.some((type) => type !== 'null' && types[1]?.includes(type)) ? [[sent, found[0]]] : []
  })
}

/** Says that removed records are only marked, if a list shows them on request: `?include_archived=true`. */
function findSoftRemoval(document: OpenApiDocument, { members, record, lines }: KnownCollection): void {
  const lists = members.filter(({ kind }) => kind === 'list')
  const removals = members.filter(({ kind }) => kind === 'remove')
  const said = removals.find((each) => each.lines.isComplete('changes'))
  for (const word of removalWords) {
    const list = lists.find(({ operation }) => parameterFor(operation, word) !== undefined)
    const isSaid = removals.some(({ operation: { value } }) =>
      saysRemoval(word, [value.operationId, value.summary, value.description].join(' ')),
    )
    if (!list || !isSaid) continue
    const sets = findRemovalChanges(document, record, word)
    const mark = sets.find((each) => each.with === 'constant')
    if (!said && !mark) continue
    for (const { operation, lines: own } of members) {
      const parameter = parameterFor(operation, word)
      if (parameter !== undefined) own.add('showsRemoved', '', parameter, guess('name', 'it is called so'))
    }
    if (said || !mark) return
    for (const removal of removals) for (const change of sets) addChange(removal, change)
    const why = `the parameter "${parameterFor(list.operation, word)}" of its list shows removed records`
    lines.add('changes', `${mark.property} by removals`, mark.value, guess('name', why))
    return
  }
}

/** The query parameter with which an operation shows removed records, too. */
function parameterFor({ parameters }: DescribedOperation, word: string): string | undefined {
  return parameters.find(({ value }) => value.in === 'query' && shownRemoval(value.name) === word)?.value.name
}

/** The times of events: those that have the name of a value, or of a flag. And the numbers that count who set a flag. */
function findEvents(document: OpenApiDocument, record: Located<Schema>): FieldEvent[] {
  const properties = [...flattenSchema(document, record).properties].map(
    ([name, schema]) => [name, flattenSchema(document, schema)] as const,
  )
  return properties.flatMap(([property, { types, keywords }]) => {
    const isFlag = types.has('boolean')
    const values = isFlag ? [true] : isStateName(property) ? (keywords.enum ?? statesOf(keywords)) : []
    const first = chooseState(values.map(String), keywords)
    return values.flatMap((value) => {
      const later = () => values.slice(values.indexOf(value) + 1).filter((each) => each !== first)
      const counted = properties.flatMap(([time, flat]): FieldEvent[] =>
        isFlag && flat.types.has('integer') && countsFlag(time, property)
          ? [{ property, value, time, isCount: true }]
          : [],
      )
      const form = isFlag ? bareName(property).replace(/^(is|has)/, '') : bareName(String(value))
      const times = properties.flatMap(([time, flat]): FieldEvent[] => {
        const written = isTimeOf(form, time) ? timeFormOf(time, flat, true) : undefined
        const kept = isFlag || !written ? [] : later()
        return written
          ? [
              {
                ...{ property, value, time, ...written },
                ...(flat.types.has('null') && { isNullable: true }),
                ...(kept.length > 0 && { kept }),
              },
            ]
          : []
      })
      return [...times, ...counted]
    })
  })
}

/** Says which objects an update merges. */
function findMerges(document: OpenApiDocument, member: Candidate, collection: KnownCollection): void {
  const { operation, decision, lines } = member
  const { requested, written } = describeChange(
    document,
    member,
    collection.record,
    ownNameIn(member.lines, collection.lines),
  )
  const why = guess('description', 'its description says that keys are changed one by one')
  for (const each of findMerged(document, requested, written, collection.lines, operation))
    lines.add('merges', each.property, each, why)
  const { at } = decision
  if (at && at.from === undefined && operation.method === 'PATCH')
    lines.add('merges', at.property, { property: at.property }, guess('name', decision.reason))
}

/** Says what becomes of records that exist already, are missing, or are removed. */
export function findAnswers(document: OpenApiDocument, member: Candidate, { members }: KnownCollection): void {
  const { kind, operation, record, lines, node } = member
  if (kind === 'create' && documentsConflict(operation))
    lines.add('conflicts', '', true, guess('schema', 'it documents one'))
  const status = statusOfCreation(member, members)
  if (status !== undefined) lines.add('creates', '', status, guess('schema', 'its answers say so'))
  const shown = kind === 'remove' && record ? findRemovalChanges(document, record, 'deleted', 'removed') : []
  if (shown.length > 0) lines.add('showsRemoval', '', shown, guess('name', 'it is called so'))
  if (isRenewing(wordsOf(nameOf(node))[0] ?? '')) lines.add('renews', '', true, guess('name', 'its verb says so'))
}

/** Whether a creation says that it refuses a key that a record has already. */
function documentsConflict({ responses }: DescribedOperation): boolean {
  if (responses.has('409') || responses.has('4XX')) return true
  return ['400', '422'].some((each) => saysConflict(toJson(responses.get(each)?.value ?? '')))
}

/** The status if a change creates a missing record. Undefined if it does not. */
function statusOfCreation({ operation, kind, success }: Candidate, members: readonly Candidate[]): number | undefined {
  if (kind !== 'replace' && kind !== 'update') return undefined
  const { summary = '' } = operation.value
  const documents = (status: string) => operation.responses.has(status)
  if (documents('201')) return 201
  if (operation.method === 'PUT' && saysCreate(operation.called, summary)) return success?.status
  const isCreated = members.some((member) => member.kind === 'create')
  return kind === 'update' || isCreated || documents('404') ? undefined : success?.status
}

/** Says what parameters of the query give to properties of the same name that the body does not have: `POST /files?name=a.txt` */
export function findAsked(
  document: OpenApiDocument,
  candidate: Candidate,
  { model, record, lines: ofRecords }: KnownCollection,
): void {
  const { operation, lines, kind } = candidate
  // A removal that only marks a record changes it.
  const isMarking = kind === 'remove' && lines.all('changes').length > 0
  if (!isWriting(kind) && kind !== 'action' && !isMarking) return
  const request = findRequestRecord(document, candidate, record)
  const given = request ? flattenSchema(document, request.schema).properties : undefined
  const { properties } = flattenSchema(document, record)
  for (const parameter of operation.parameters) {
    const { name, in: place } = parameter.value
    const schema = properties.get(name)
    if (place !== 'query' || !schema || name === model.key || given?.has(name) || choosesAnswer(name)) continue
    const sent = flattenSchema(document, parameterSchema(parameter)).types
    const isSame = [...flattenSchema(document, schema).types].some(
      (type) => type !== 'null' && type !== 'object' && sent.has(type),
    )
    if (!isSame || hasFlag(document, schema, 'readOnly')) continue
    const why = guess('schema', 'the query has it, and the body has not')
    const value = `$request.query.${name}`
    // What the operation itself sets counts more.
    if (lines.get('changes', toAbout([name]))) continue
    if (readValue(value) && lines.add('changes', toAbout([name]), value, why))
      ofRecords.add('changes', `${name} by ${operation.method} ${operation.path}`, name, why)
  }
}
