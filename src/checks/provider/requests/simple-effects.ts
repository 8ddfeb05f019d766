/** Selects the effects that the sequences of a check support. */
import type { Contract, Operation } from '../../../contract/contract.js'
import type { Effect, Owner, PathScope } from '../../../contract/effects/effect.js'

/**
 * A contract in which only operations on whole records have an effect: top-level records, and records below them at any
 * depth. All others are checked one by one, like those that answer with an example.
 */
export function withSimpleEffects(contract: Contract): Contract {
  const top = new Set(
    contract.operations.flatMap(({ effect }) =>
      'collection' in effect && isSimple(effect) && !isPlaced(effect.place) ? [effect.collection] : [],
    ),
  )
  const known = new Set(top)
  const isKnown = (effect: Effect) => {
    const owner = ownerOf(effect)
    if (owner === undefined) return isSimple(effect)
    // Records that also have a top-level path may belong to another owner.
    return isSimple(effect) && known.has(owner.collection) && 'collection' in effect && !top.has(effect.collection)
  }
  for (let size = -1; size < known.size; ) {
    size = known.size
    for (const { effect } of contract.operations) {
      if ('collection' in effect && effect.collection && isKnown(effect)) known.add(effect.collection)
    }
  }
  const operations = contract.operations.map((operation): Operation => {
    const { effect } = operation
    // A PUT that updates may also replace, as RFC 9110 says: no provider is wrong.
    const isJudged = isKnown(effect) && !(operation.method === 'PUT' && effect.kind === 'update')
    return isJudged ? operation : { ...operation, effect: toExample(effect) }
  })
  return { ...contract, operations }
}

/** The nearest owner in the path of an effect. Undefined if there is none. */
export function ownerOf(effect: Effect): Owner | undefined {
  return ownersOf(effect).at(-1)
}

/** The owners in the path of an effect, outermost first. */
export function ownersOf(effect: Effect): readonly Owner[] {
  return ('collection' in effect && effect.place?.owners) || []
}

/** Whether a path selects records by nothing else than the records that it is below, which they may show in a property. */
function isBelowOwners({ values, owners }: PathScope): boolean {
  const isOwner = (parameter: string) => owners.some((owner) => owner.parameter === parameter)
  return (
    owners.length > 0 &&
    owners.every((owner) => owner.values.every(({ parameter }) => isOwner(parameter))) &&
    values.every(({ parameter, property }) => isOwner(parameter) && !property.includes('/'))
  )
}

/** Whether a path selects records by anything else than the key. */
function isPlaced(place: PathScope | undefined): boolean {
  return place !== undefined && place.values.length + place.owners.length > 0
}

function isSimple(effect: Effect): boolean {
  if (!('collection' in effect)) return true
  if (effect.place && isPlaced(effect.place) && !isBelowOwners(effect.place)) return false
  if (effect.envelope?.isMap || effect.aliases || 'givenAliases' in effect || effect.kind === 'action') return false
  if (effect.kind === 'list') return true
  if (effect.answer && effect.kind !== 'remove') return false
  return effect.kind === 'create' ? effect.parameter === undefined : effect.parameter !== '' && !effect.keyIn
}

/** An effect of which only success is expected. */
export function toExample(effect: Effect): Effect {
  if (!('status' in effect)) return effect
  const { status, mediaType, headers } = effect
  return {
    kind: 'example',
    status,
    ...(mediaType !== undefined && { mediaType }),
    ...(headers && { headers }),
  }
}
