/** Bodies of errors as templates: JSON in which texts such as `$message` are facts about a refusal. */
import type { ErrorPart, ErrorSource } from '../contract/documented-response.js'
import { isObject } from '../json/own-value.js'
import type { ErrorTemplates, FoundErrorBody } from './members.js'

/** The places of a violation as a list: `$steps`. A member for each place: `{ $place: item }` */
const [steps, place] = ['$steps', '$place']

/** The facts of which templates have the names, with a `$` in front. */
const facts: readonly ErrorSource[] = [
  ...(['code', 'message', 'status', 'title', 'phrase', 'statusText', 'id', 'count', 'path', 'time'] as const),
  ...(['milliseconds', 'field', 'pointer', 'fragment', 'parameter', 'place', 'keyword'] as const),
]

/** Finds the first text of a template that is no fact, although it looks like one. */
export function findNoFact(template: unknown): string | undefined {
  if (typeof template === 'string')
    return template.startsWith('$') && template !== steps && !isFact(template) ? template : undefined
  return Object.values(isObject(template) || Array.isArray(template) ? template : {})
    .map(findNoFact)
    .find((each) => each !== undefined)
}

const isFact = (text: string) => facts.some((fact) => text === `$${fact}`)

/** @example toErrorBody({ body: { error: '$message' } }) */
export function toErrorBody(templates: ErrorTemplates): FoundErrorBody {
  const { body, invalid = body, unauthorized = body, mediaType = 'application/json' } = templates
  if (invalid === body && unauthorized === body) return { mediaType, part: toPart(body) }
  // What can't be read has no violations.
  const values = { unreadable: 0, invalid_request: 1, unauthorized: 2 }
  return { mediaType, part: { from: 'branch', values, parts: [body, invalid, unauthorized].map(toPart) } }
}

function toPart(template: unknown): ErrorPart {
  if (template === steps) return { from: 'steps', isPlaced: true, isText: false }
  if (typeof template === 'string' && template.startsWith('$')) return { from: template.slice(1) as ErrorSource }
  if (Array.isArray(template) && template.length > 0) return { from: 'list', item: toPart(template[0]) }
  if (!isObject(template)) return { from: 'constant', value: template }
  if (place in template) return { from: 'map', item: toPart(template[place]) }
  return { from: 'object', members: Object.entries(template).map(([name, each]) => [name, toPart(each)]) }
}
