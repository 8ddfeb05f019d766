/** Says what a key has that nothing has shown: a sample, where callers cannot know which records there are. */
import { guess } from '../behaviour/line.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { isPathProperty } from '../json/path-property.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { parameterSchema } from '../schemas/operations/request-content.js'
import type { KnownCollection } from './collection.js'
import { type Candidate, shownKey } from './facts/candidate.js'
import { withoutVerb } from './facts/facts.js'
import { habitsOf } from './habits.js'

export function findUnknownKeys(
  document: OpenApiDocument,
  { path, members, record, lines, model }: KnownCollection,
): void {
  if (!members.some((member) => member.record === record)) return
  const habit = habitsOf(document).get('unknownKeys')
  if (habit) lines.add('unknown', '', habit.says, habit.evidence)
  const { key } = model
  // Who says that an operation creates records says that there are no others.
  const isCreated = members.some((member) => member.lines.value('effect') === 'create')
  if (!isCreated && !isKnown(document, key, path, members)) {
    const isShown = isShownAnywhere(document, key, members)
    const why = isShown ? 'a list or a creation at another path shows keys' : 'no list and no creation shows keys'
    lines.add('unknown', '', isShown ? 'shown' : 'sample', guess('schema', why))
    return
  }
  // Nobody can add records below a new one.
  const isAdding = ({ kind, operation }: Candidate) =>
    (kind === 'create' && count(operation.path) === count(path)) ||
    (kind === 'replace' && count(operation.path) === count(path) + 1)
  if (path.includes('{') && !members.some(isAdding))
    lines.add('unknown', '', 'empty', guess('schema', 'nothing adds records below an owner'))
}

/** The number of parameters of a path, plus 1. */
function count(template: string): number {
  return template.split('{').length
}

/** Whether callers can know the keys of records: a list or a creation on the path of the collection shows them. */
function isKnown(document: OpenApiDocument, key: string, path: string, members: readonly Candidate[]): boolean {
  const shown = members
    .filter((member) => isShowing(document, key, member))
    .flatMap(({ operation, node }) => [operation.path, withoutVerb(node) ?? operation.path])
  // Another path may show the records, too: `/authors/{authorId}/books` shows those of `/authors/{authorId}/books/{bookId}`.
  const isShownAt = (template: string) =>
    shown.some((each) => template.startsWith(`${each}/`) && count(each) === count(template) - 1)
  const below = path.endsWith('/') ? path : `${path}/`
  const isElsewhere = ({ keyIn, parameter, operation }: Candidate) =>
    keyIn !== undefined || (parameter !== undefined && !operation.path.startsWith(below) && !isShownAt(operation.path))
  const isChosen = members.some((member) => member.isChosen)
  if (isPathProperty(key) || (!isChosen && members.some(isElsewhere))) return false
  // The document lists the keys itself.
  if (members.some((member) => isChosenFromFew(document, member))) return false
  if (isChosen) return shown.some((each) => count(each) === count(path))
  // Views of the same records have other paths.
  const places = members.flatMap(({ operation, parameter }) =>
    parameter === undefined ? [] : [operation.path.split(`/{${parameter}}`)[0]],
  )
  return [path, ...places].some((each) => shown.includes(each ?? ''))
}

/** A path without a noun, which may be that of records of any collection: `/v1/{name}` */
const ofAny = /^(\/v\d[^/]*)?\/\{[^/]*$/

/** Whether a list or a creation at any path shows keys, and the document itself does not name them. */
function isShownAnywhere(document: OpenApiDocument, key: string, members: readonly Candidate[]): boolean {
  const isUnsure = (member: Candidate) =>
    isChosenFromFew(document, member) || (member.parameter !== undefined && ofAny.test(member.operation.path))
  if (isPathProperty(key) || members.some(isUnsure)) return false
  return members.some((member) => {
    const { kind, parameter, record, resource } = member
    // Callers choose the key in a path.
    const isChosen = kind === 'create' && parameter !== undefined
    if (isChosen) return record !== undefined && shownKey(document, record, { resource, model: { key } }) !== undefined
    return isShowing(document, key, member)
  })
}

function isChosenFromFew(document: OpenApiDocument, { operation, parameter }: Candidate): boolean {
  const found = operation.parameters.find(({ value }) => value.in === 'path' && value.name === parameter)
  const { keywords } = found ? flattenSchema(document, parameterSchema(found)) : { keywords: {} }
  return 'enum' in keywords || 'const' in keywords
}

/** Whether the answer to a list or a creation shows keys, or the request has the key of a new record. */
function isShowing(
  document: OpenApiDocument,
  key: string,
  { kind, keys, record, operation, resource }: Candidate,
): boolean {
  if (kind === 'list') {
    // Records without described properties may have any.
    const isOpen = record !== undefined && flattenSchema(document, record).properties.size === 0
    return (
      keys !== undefined || isOpen || (record && shownKey(document, record, { resource, model: { key } })) !== undefined
    )
  }
  if (kind !== 'create') return false
  const sent = Object.values(operation.body?.value.content ?? {})[0]?.schema
  return record !== undefined || (sent !== undefined && hasProperty(document, { value: sent, path: [] }, key))
}

function hasProperty(document: OpenApiDocument, schema: Located<Schema> | undefined, name: string): boolean {
  return schema !== undefined && flattenSchema(document, schema).properties.has(name)
}
