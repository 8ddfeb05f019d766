/** Finds the state that a record must have for an action, where the description of the action says so. */
import type { Effect, NeededState } from '../../../contract/effects/effect.js'
import { nounOf, wordsOf } from '../../../values/words.js'
import type { DescribedOperation } from '../../describe-operations.js'
import type { OpenApiDocument } from '../../document.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { addFact } from '../facts/evidence.js'
import { textsOf } from './compile-progress.js'
import type { Group } from './compile-scope.js'
import { isState } from './states.js'

/** `This request only succeeds if the upload is in the "waiting" state`, `The payment must first have a status of pending` */
const saysNeeded = /\b(only|must)\b/i
/** ``Moves a `held` or `confirmed` booking to `cancelled` `` */
const saysMoved = /\b(moves?|changes?|turns?|transitions?|switch(es)?)\b/i
const saysNot = /\b(not|cannot|unless|un(able|less))\b|n't\b/i

/** Adds the states to actions that leave them. A new record has one of them, so that no action is refused forever. */
export function addNeededStates(
  document: OpenApiDocument,
  groups: Iterable<Group>,
  effects: ReadonlyMap<DescribedOperation, Effect>,
): void {
  for (const { members, record, facts, resource } of groups) {
    const created = members.flatMap(({ operation }) => {
      const effect = effects.get(operation)
      return effect?.kind === 'create' ? effect.serviceWritten : []
    })
    for (const { operation } of members) {
      const effect = effects.get(operation)
      if (effect?.kind !== 'action' || effect.needs) continue
      const set = effect.sets?.find(
        (each) => each.with === 'constant' && isState.test(wordsOf(each.property).at(-1) ?? ''),
      )
      const schema = set && flattenSchema(document, record).properties.get(set.property)
      const first = created.find((each) => each.property === set?.property && each.with === 'constant')
      if (!set || !schema || !first) continue
      const statuses: readonly NeededState['status'][] = [409, 422, 403, 400]
      const status = statuses.find((each) => operation.responses.has(String(each)))
      const sentences = sentencesOf(operation).flatMap((each) => {
        const [before = '', moved] =
          (status === 409 || status === 422) && saysMoved.test(each) ? splitAt(each, String(set.value)) : []
        if (saysNot.test(each)) return []
        return saysNeeded.test(each) ? each : moved === undefined ? [] : before
      })
      const noun = nounOf(resource?.name ?? '')
      const isNamed = (each: string) => sentences.some((sentence) => names(sentence, each, noun))
      const values = textsOf(document, schema).filter(isNamed)
      if (!values.includes(String(first.value)) || values.includes(String(set.value))) continue
      effect.needs = [{ property: set.property, values, status: status ?? 409 }]
      const about = `${set.property} for ${operation.method} ${operation.path}`
      const why = `its description says that it must be ${values.join(' or ')}`
      addFact(facts, { fact: 'change', about, evidence: 'description', why })
    }
  }
}

function sentencesOf({ value }: DescribedOperation): string[] {
  const { summary = '', description = '' } = value as { summary?: string; description?: string }
  return `${summary}. ${description}`.split(/\.\s|;\s|\n\s*\n/)
}

/** The parts of a sentence before and after a state that is a record's last one. */
function splitAt(sentence: string, state: string): string[] {
  return sentence.split(new RegExp(`\\b(?:in)?to (?=${quoted(state)})`, 'i'))
}

function quoted(state: string): string {
  return `[\`'"*]${state.replace(/\W/g, '\\$&')}[\`'"*]`
}

/** Whether a sentence has a state in quotes, in capitals as it is written, or before the noun: `only a held booking` */
function names(sentence: string, state: string, noun: string): boolean {
  const escaped = state.replace(/\W/g, '\\$&')
  const isSaid = (pattern: string, flags?: string) => new RegExp(pattern, flags).test(sentence)
  if (isSaid(quoted(state), 'i') || isSaid(`\\bmust (first )?be ${escaped}\\b`, 'i')) return true
  return (
    (noun !== '' && isSaid(`\\b(only|must be) (an? )?${escaped} ${noun}`, 'i')) ||
    (/^[A-Z_]{2,}$/.test(state) && isSaid(`\\b${escaped}\\b`))
  )
}
