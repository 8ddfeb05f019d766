/** Applies `x-sandbox-effect`: what its author corrects of the effect that is inferred for an operation. */
import type { EffectKind } from '../../contract/effect.js'
import { suggestion } from '../../contract/suggest-closest.js'
import { isObject } from '../../json/is-object.js'
import type { DescribedOperation } from '../describe-operations.js'
import { DocumentProblem, type OpenApiDocument } from '../document.js'
import { resolve } from '../references.js'
import { isObjectSchema } from '../schemas/flatten-schema.js'
import type { Candidate } from './candidate.js'
import { findList } from './find-list.js'

const name = 'x-sandbox-effect'

/** The members of a correction: see spec/sandbox-effect.schema.json. */
interface Correction {
  effect?: string
  collection?: string
  key?: string
  parameter?: string
  list?: string
}

const members: readonly string[] = ['effect', 'collection', 'key', 'parameter', 'list']
const effects: readonly string[] = [
  ...['list', 'create', 'read', 'replace', 'update', 'remove', 'example', 'undescribed'],
]

/** @throws DocumentProblem for a correction that is none, or that names what the document does not have */
export function applyCorrections(document: OpenApiDocument, candidates: Candidate[]): Candidate[] {
  checkPlaces(document)
  const paths = new Set(candidates.flatMap(({ path, operation }) => [path, operation.template.path]))
  return candidates.map((candidate) => {
    const correction = readCorrection(candidate.operation)
    return correction ? applyCorrection(document, candidate, correction, [...paths]) : candidate
  })
}

/** A correction of a path would correct nothing. */
function checkPlaces(document: OpenApiDocument): void {
  const refuse = (path: string[]) => {
    throw new DocumentProblem(`${name} must be in an operation`, [...path, name])
  }
  if (name in document) refuse([])
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    if (name in resolve<object>(document, item, ['paths', path]).value) refuse(['paths', path])
  }
}

function readCorrection({ value, at }: DescribedOperation): Correction | undefined {
  const written: unknown = value[name]
  if (written === undefined) return undefined
  if (typeof written === 'string') return { effect: written }
  if (!isObject(written)) throw new DocumentProblem(`${name} must be an effect or an object`, [...at, name])
  for (const [member, text] of Object.entries(written)) {
    const path = [...at, name, member]
    if (!members.includes(member)) {
      throw new DocumentProblem(`${name} has no member "${member}"${suggestion(member, members)}`, path)
    }
    if (typeof text !== 'string') throw new DocumentProblem(`${name}.${member} must be a string`, path)
  }
  return written
}

function applyCorrection(
  document: OpenApiDocument,
  inferred: Candidate,
  { effect, collection, key, parameter, list }: Correction,
  paths: readonly string[],
): Candidate {
  const { operation, success } = inferred
  const candidate = { ...inferred, isChosen: true }
  if (collection !== undefined) candidate.path = oneOf(operation, 'collection', collection, paths, 'path')
  if (parameter !== undefined) {
    const names = operation.template.segments.flatMap(({ names }) => names)
    candidate.parameter = oneOf(operation, 'parameter', parameter, names, 'path parameter')
  }
  if (key !== undefined) candidate.key = key
  const flat = success?.flat
  if (list !== undefined && list !== '') {
    const lists = [...(flat?.properties.keys() ?? [])].filter((each) => flat && findList(document, flat, each))
    const pointers = lists.map((each) => `/${each.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    const index = pointers.indexOf(oneOf(operation, 'list', list, pointers, 'array of objects'))
    candidate.list = lists[index] ?? ''
  }
  const found = flat && findList(document, flat, candidate.list)
  const kind = effect ?? (list !== undefined && found ? 'list' : candidate.kind)
  const isRecord = flat !== undefined && isObjectSchema(flat)
  if (kind === 'list') candidate.record = found?.record
  else candidate.record ??= isRecord ? success?.schema : undefined
  if (kind !== inferred.kind) checkPossible(candidate, kind, found !== undefined)
  return { ...candidate, kind: kind as EffectKind }
}

/** An operation must have everything that its effect needs. */
function checkPossible(
  { operation, success, parameter, kind: inferred }: Candidate,
  kind: string,
  hasList: boolean,
): void {
  const possible = new Set<string>([inferred, 'example', 'undescribed'])
  if (parameter !== undefined && success) for (const each of ['read', 'replace', 'update', 'remove']) possible.add(each)
  if (parameter === undefined && operation.body && success?.flat) possible.add('create')
  if (hasList) possible.add('list')
  if (possible.has(kind)) return
  const hint = effects.includes(kind) ? '' : suggestion(kind, effects)
  const message = `${name} must be one of ${[...possible].join(', ')} here (got "${kind}")${hint}`
  throw new DocumentProblem(message, [...operation.at, name])
}

/** The key property that the members of a collection choose. @throws DocumentProblem if the record does not have it */
export function correctKey(candidates: readonly Candidate[], properties: readonly string[]): string | undefined {
  const chosen = candidates.filter(({ key }) => key !== undefined)
  for (const { operation, key = '' } of chosen) oneOf(operation, 'key', key, properties, 'property of the record')
  return chosen[0]?.key
}

function oneOf(
  { at }: DescribedOperation,
  member: keyof Correction,
  text: string,
  known: readonly string[],
  what: string,
): string {
  if (known.includes(text)) return text
  throw new DocumentProblem(`${name}.${member}: there is no ${what} "${text}"${suggestion(text, known)}`, [
    ...at,
    name,
    member,
  ])
}
