/** Says which record of another collection begins with an answer, such as a job that goes on by itself. */
import { type Evidence, guess, stated } from '../behaviour/line.js'
import type { OpenApiDocument } from '../document/document.js'
import { toJson } from '../json/exact-json.js'
import { isLocation } from '../lexicon/headers.js'
import { isJob } from '../lexicon/kinds.js'
import { findSuccess, isOwnStateName, isQueued, isUnderWay } from '../lexicon/stages.js'
import { bareName, nounOf } from '../lexicon/words.js'
import { flattenSchema, placeOf } from '../schemas/flatten-schema.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { keyPlace, linkedKeys } from './facts/linked-keys.js'
import { findServiceWritten } from './facts/service-written.js'
import type { Collections } from './owners.js'
import { modelOf } from './writes.js'

interface Begun {
  collection: KnownCollection
  /** The property of the answer with its key. Absent if only a header leads to it. */
  keyName?: string
  why: Evidence
}

export function findStarted(document: OpenApiDocument, collections: Collections, candidate: Candidate): void {
  const { operation, success, lines } = candidate
  const begun = findSaid(collections, candidate) ?? findAccepted(document, collections, candidate)
  if (!begun) return
  const { collection, keyName, why } = begun
  const { model, record, resource } = collection
  const known = [...flattenSchema(document, record).properties.keys()]
  const properties = [...(success?.flat?.properties.keys() ?? [])].flatMap((name): [string, string][] => {
    const own = known.find((each) => bareName(each) === bareName(name) && each !== model.key)
    return own === undefined || name === keyName ? [] : [[name, own]]
  })
  collection.lines.add('starts', `${operation.method} ${operation.path}`, keyName ?? model.key, why)
  // Answers have the times that are known.
  const serviceWritten = findServiceWritten(document, undefined, record, modelOf(collection)).filter(
    (each) => each.with === 'constant' && !each.as && !each.only,
  )
  const header = locationOf(candidate)
  const path = resource?.item?.step.template
  lines.add(
    'started',
    '',
    {
      ...{ collection: model.name, properties },
      ...(keyName !== undefined && { keyName }),
      ...(serviceWritten.length > 0 && { serviceWritten }),
      ...(header !== undefined && path !== undefined && { location: { header, path } }),
    },
    why,
  )
}

/** What a line says that the operation starts. */
function findSaid(collections: Collections, { success, lines }: Candidate): Begun | undefined {
  const collection = collections.get(lines.value('starts') ?? '')
  if (!collection || collection.path.includes('{')) return undefined
  const keyName = keyNameOf(collection, [...(success?.flat?.properties.keys() ?? [])])
  const why = guess('extension', `${keyName} in its answer is the key of a new record`)
  return keyName === undefined ? undefined : { collection, keyName, why }
}

/** The property of an answer with the name of the key in the path of a collection. */
function keyNameOf({ model, members, resource }: KnownCollection, names: readonly string[]): string | undefined {
  const parameter = members.find(({ kind }) => kind === 'read')?.parameter
  const wanted = [parameter ?? '', `${nounOf(resource?.name ?? '')}${model.key}`].map(bareName)
  return parameter === undefined
    ? undefined
    : names.find((name) => wanted.includes(bareName(name)) && bareName(name) !== bareName(model.key))
}

/**
 * The job that a 202 names: by a link, by the key in its path, by its schema, or by a header that leads to it. Another answer names
 * one that no other operation adds, if it shows more of it.
 */
function findAccepted(document: OpenApiDocument, collections: Collections, candidate: Candidate): Begun | undefined {
  const { operation, success, path } = candidate
  if (!success || operation.method === 'GET' || operation.method === 'HEAD') return undefined
  const isAccepted = success.status === 202
  const answered = [...(success.flat?.properties.keys() ?? [])]
  const others = [...collections.values()].filter(
    (each) =>
      each.path !== path &&
      !each.path.includes('{') &&
      each.resource?.kind === 'collection' &&
      each.members.some(({ kind, parameter }) => kind === 'read' && parameter !== undefined),
  )
  for (const { from, in: at, isRead, place, pointer } of linkedKeys(document)) {
    const collection = others.find(({ resource }) => keyPlace(resource?.item?.step.template ?? '') === place)
    const keyName = pointer.length === 1 ? pointer[0] : undefined
    if (isAccepted && collection && from === operation && at === 'answer' && isRead && keyName !== undefined)
      return { collection, keyName, why: stated(`its answer links to the record of ${collection.path}`) }
  }
  const body = candidate.decision.facts.body.flat?.properties
  const sent = new Set([...(body?.keys() ?? []), ...operation.parameters.map(({ value }) => value.name)].map(bareName))
  const jobs = others.filter((each) => isJobs(document, each))
  const shown = answered.filter((name) => !sent.has(bareName(name)))
  const showsMore = ({ record, members }: KnownCollection) => {
    const own = new Set([...flattenSchema(document, record).properties.keys()].map(bareName))
    const count = answered.filter((name) => own.has(bareName(name))).length
    return (
      members.every(({ kind }) => kind !== 'create' && kind !== 'replace') && count > 1 && 2 * count >= answered.length
    )
  }
  const named = jobs.flatMap((collection) => {
    const keyName = isAccepted || showsMore(collection) ? keyNameOf(collection, shown) : undefined
    return keyName === undefined ? [] : [{ collection, keyName }]
  })
  if (named.length === 1 && named[0])
    return { ...named[0], why: guess('name', `${named[0].keyName} in its answer is the key of a job`) }
  if (!isAccepted) return undefined
  const same = jobs.find(
    ({ record }) => success.schema && placeOf(document, record) === placeOf(document, success.schema),
  )
  if (same && answered.includes(same.model.key)) {
    // What it shows is the job, and no other record.
    // biome-ignore lint/style/noParameterAssign: says of it what it shows
    candidate.record = undefined
    return { collection: same, keyName: same.model.key, why: guess('schema', `its answer is a record of ${same.path}`) }
  }
  const header = answered.length === 0 ? locationOf(candidate) : undefined
  const said = toJson(operation.responses.get('202')?.value.headers?.[header ?? ''] ?? '')
  const told = jobs.filter(({ path: each }) => said.includes(`${each}/`))
  const [collection, ...more] = told.length > 0 ? told : jobs
  return header === undefined || !collection || more.length > 0
    ? undefined
    : { collection, why: guess('name', `${header} leads to the only job`) }
}

/** The header of a 202 that leads to the job. */
function locationOf({ operation: { responses } }: Candidate): string | undefined {
  const names = Object.keys(responses.get('202')?.value.headers ?? {})
  return names.find(isLocation)
}

/** Whether records go on by themselves: by their name, or by a state that waits and one that is reached. */
function isJobs(document: OpenApiDocument, { record, resource }: KnownCollection): boolean {
  if (isJob(resource?.name ?? '')) return true
  return [...flattenSchema(document, record).properties].some(([property, schema]) => {
    const { enum: values = [] } = flattenSchema(document, schema).keywords
    const states = values.filter((each): each is string => typeof each === 'string')
    const isBegun = states.some((state) => isQueued(state) || isUnderWay(state))
    return isOwnStateName(property) && isBegun && findSuccess(states) !== undefined
  })
}
