/** Finds the alternatives of two versions of a schema that belong together. */
import { oncePer } from '../../document/once.js'
import { toComparable } from '../../json/same-json.js'
import { excessOf } from './excess.js'
import { type Alternative, alternativesOf, type SchemaPart, type SchemaView } from './schema-view.js'

/** All of a view that rules about its own place look at. */
export const summaryOf: (view: SchemaView) => string = oncePer((view: SchemaView) => {
  const { types, values, limits, conditions, properties, required, isOpen, others, isReadOnly, isWriteOnly } = view
  const flags = ({ isReadOnly, isWriteOnly }: SchemaView) => `${Number(isReadOnly)}${Number(isWriteOnly)}`
  const lists = [types, conditions, required, values?.map(toComparable), [...limits].map(String)]
  return JSON.stringify([
    ...lists.map((list) => list && [...list].sort()),
    [...properties].map(([name, part]) => [name, flags(part.view())]).sort(),
    [isOpen, others !== undefined, isReadOnly, isWriteOnly, toComparable(view.default)],
  ])
})

type AlternativePair = [old: Alternative | undefined, next: Alternative | undefined, isOnly?: boolean]

/**
 * Of each alternative that can be sent or answered, the one of the other version that is most like it; undefined if there is none.
 * What several alternatives of a type have in common does not say what is valid.
 */
export function pairAlternatives(old: SchemaPart, next: SchemaPart, isSent: boolean): AlternativePair[] {
  const pairs: AlternativePair[] = []
  const [from, to] = isSent ? [old, next] : [next, old]
  const { alternatives, values } = to.view()
  if (!alternatives || values) return pairs
  const toPair = (one: Alternative, other?: Alternative): AlternativePair => (isSent ? [one, other] : [other, one])
  for (const type of from.view().types) {
    const offered = alternativesOf(to, type)
    // If there is one, the whole schema says the same but for its values.
    const [[, only] = []] = offered.length === 1 ? offered : []
    if (only && !only.tag && only.part.view().values) {
      for (const [, each] of alternativesOf(from, type)) pairs.push(isSent ? [each, only, true] : [only, each, true])
    }
    if (offered.length < 2 && !only?.tag) continue
    const free = new Set(offered)
    let left = alternativesOf(from, type)
    const keys: ((name: string, view: SchemaView) => string)[] = [
      (name, view) => (name.startsWith('#') ? summaryOf(view) : name),
      (_, view) => summaryOf(view),
      // If there are as many, those with the same properties, and then all in their order.
      (_, { properties }) => (left.length === free.size ? [...properties.keys()].sort().join() : ''),
    ]
    for (const key of keys) {
      const byKey = new Map([...free].reverse().map((each) => [key(each[0], each[1].part.view()), each]))
      left = left.filter(([name, each]) => {
        const own = key(name, each.part.view())
        const found = own === '' ? undefined : byKey.get(own)
        if (!found || !free.delete(found)) return true
        pairs.push(toPair(each, found[1]))
        return false
      })
    }
    const rest = left.length === free.size ? [...free] : undefined
    for (const [index, [, each]] of left.entries()) {
      const [, other] =
        rest?.[index] ??
        offered.slice(0, maxSearched).find(([, other]) => isWithin(each.part.view(), other.part.view(), isSent)) ??
        []
      // That a name is gone is said where the name is.
      const isNamed = each.tag && offered.some(([, { tag }]) => tag?.[0] === each.tag?.[0])
      if (other || !isNamed) pairs.push(toPair(each, other))
    }
  }
  return pairs
}

/** How many alternatives are searched for one that has all values of another one. */
const maxSearched = 100

/** Whether all values of one alternative are those of the other one, as far as their own keywords say. */
function isWithin(from: SchemaView, to: SchemaView, isSent: boolean): boolean {
  const [old, next] = isSent ? [from, to] : [to, from]
  return (
    [...excessOf(from, to)].length === 0 &&
    [...to.required].every((name) => from.required.has(name)) &&
    [...old.properties.keys()].every((name) => next.properties.has(name))
  )
}
