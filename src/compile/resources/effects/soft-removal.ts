/** Compiles removals that only mark records: what they set, and which operations show marked records. */
import type { FieldChange, PathScope } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import type { CompiledCandidate } from '../known-operation.js'
import { chooseSets } from './choose-changes.js'
import type { Group } from './compile-scope.js'

export interface SoftRemoval {
  /** The mark of a removed record. */
  mark: FieldChange
  /** All that the removal sets. */
  sets: FieldChange[]
}

/** @returns undefined if removed records are gone */
export function compileSoftRemoval(document: OpenApiDocument, group: Group): SoftRemoval | undefined {
  const removal = group.members.find(({ kind, lines }) => kind === 'remove' && lines.members().includes('changes'))
  const sets = removal ? chooseSets(document, removal, group, { collection: group.model.name }).sets : []
  const mark = sets.find((each) => each.with === 'constant')
  return mark && { mark, sets }
}

/** The place of the records of an operation, without the removed ones where they are only shown on request. */
export function hideRemoved(
  { mark: { property, value } }: SoftRemoval,
  { kind, lines }: CompiledCandidate,
  place: PathScope | undefined,
): PathScope | undefined {
  const unless = lines.value('showsRemoved')
  if (kind !== 'list' && kind !== 'remove' && unless === undefined) return place
  return { values: [], owners: [], ...place, hides: { property, value, ...(unless !== undefined && { unless }) } }
}
