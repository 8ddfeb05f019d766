/** Finds out whether removed records are only marked, because a list shows them on request: `?include_archived=true`. */
import { guess } from '../../../behaviour/line.js'
import type { FieldChange, PathScope } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { oncePer } from '../../../document/once.js'
import { wordsOf } from '../../../lexicon/words.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import { chooseSets } from './choose-changes.js'
import { compileRemovalChanges } from './compile-field-changes.js'
import type { Group } from './compile-scope.js'

/** What a parameter that shows removed records calls them, and what the removal must say then. */
const removed: [word: string, says: RegExp][] = [
  ['deleted', /delet|remov/i],
  ['removed', /delet|remov/i],
  ['trashed', /trash/i],
  ['archived', /archiv/i],
  ['cancelled', /cancel/i],
  ['canceled', /cancel/i],
]
/** Says quickly that a name has none of these words. */
const mayBeSuch = /(deleted|removed|trashed|archived|cancell?ed)$/i
const isIncluding = /^(includes?|shows?|with|only|also|is|return|results?|items?)$/

export interface SoftRemoval {
  word: string
  /** The mark of a removed record. */
  mark: FieldChange
  /** All that the removal sets. */
  sets: FieldChange[]
}

/** @returns undefined if removed records are gone */
export function findSoftRemoval(document: OpenApiDocument, group: Group): SoftRemoval | undefined {
  const known = softRemovals(document)
  if (!known.has(group)) known.set(group, find(document, group))
  return known.get(group)
}

const softRemovals = oncePer((_: OpenApiDocument) => new Map<Group, SoftRemoval | undefined>())

function find(document: OpenApiDocument, group: Group): SoftRemoval | undefined {
  const { members, record, lines } = group
  const lists = members.filter(({ kind }) => kind === 'list')
  const removals = members.filter(({ kind }) => kind === 'remove')
  const said = removals.find((each) => each.lines.members().includes('changes'))
  const chosen = said && chooseSets(document, said, group, { collection: group.model.name }).sets
  const chosenMark = chosen?.find((each) => each.with === 'constant')
  for (const [word, says] of removed) {
    const list = lists.find(({ operation }) => parameterFor(operation, word) !== undefined)
    const isSaid = removals.some(({ operation: { value } }) =>
      says.test([value.operationId, value.summary, value.description].join(' ')),
    )
    const sets = list && isSaid ? (chosen ?? compileRemovalChanges(document, record, word)) : []
    const mark = sets.find((each) => each.with === 'constant')
    if (!list || !mark) continue
    if (chosen) return { word, mark, sets }
    const why = `the parameter "${parameterFor(list.operation, word)}" of its list shows removed records`
    lines.add('changes', `${mark.property} by removals`, mark.value, guess('name', why))
    return { word, mark, sets }
  }
  return chosen && chosenMark ? { word: '', mark: chosenMark, sets: chosen } : undefined
}

/** The query parameter with which an operation shows removed records, too. */
function parameterFor({ parameters }: DescribedOperation, word: string): string | undefined {
  const isNamed = (name: string) =>
    mayBeSuch.test(name) &&
    wordsOf(name)
      .filter((each) => !isIncluding.test(each))
      .join('') === word
  return parameters.find(({ value }) => value.in === 'query' && isNamed(value.name))?.value.name
}

/** The place of the records of an operation, without the removed ones where they are only shown on request. */
export function hideRemoved(
  { word, mark: { property, value } }: SoftRemoval,
  kind: string,
  operation: DescribedOperation,
  place: PathScope | undefined,
): PathScope | undefined {
  const unless = parameterFor(operation, word)
  if (kind !== 'list' && kind !== 'remove' && unless === undefined) return place
  return { values: [], owners: [], ...place, hides: { property, value, ...(unless !== undefined && { unless }) } }
}
