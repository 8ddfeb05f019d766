/** Finds the state that a record must have for an action, where the description of the action says so. */
import type { Effect, NeededState } from '../../../contract/effects/effect.js'
import { wordsOf } from '../../../values/words.js'
import type { DescribedOperation } from '../../describe-operations.js'
import type { OpenApiDocument } from '../../document.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { addFact } from '../facts/evidence.js'
import { textsOf } from './compile-progress.js'
import type { Group } from './compile-scope.js'
import { isState } from './states.js'

/** `This request only succeeds if the upload is in the "waiting" state`, `The payment must first have a status of pending` */
const saysNeeded = /\b(only|must)\b/i
const saysNot = /\b(not|cannot|unless|un(able|less))\b|n't\b/i

/** Adds the states to actions that leave them. A new record has one of them, so that no action is refused forever. */
export function addNeededStates(
  document: OpenApiDocument,
  groups: Iterable<Group>,
  effects: ReadonlyMap<DescribedOperation, Effect>,
): void {
  for (const { members, record, facts } of groups) {
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
      const sentences = sentencesOf(operation).filter((each) => saysNeeded.test(each) && !saysNot.test(each))
      const values = textsOf(document, schema).filter((each) => sentences.some((sentence) => names(sentence, each)))
      if (!values.includes(String(first.value)) || values.includes(String(set.value))) continue
      const statuses: readonly NeededState['status'][] = [409, 422, 403, 400]
      const status = statuses.find((each) => operation.responses.has(String(each))) ?? 409
      effect.needs = [{ property: set.property, values, status }]
      const about = `${set.property} for ${operation.method} ${operation.path}`
      const why = `its description says that it must be ${values.join(' or ')}`
      addFact(facts, { fact: 'change', about, evidence: 'description', why })
    }
  }
}

function sentencesOf({ value }: DescribedOperation): string[] {
  const { summary = '', description = '' } = value as { summary?: string; description?: string }
  return `${summary}. ${description}`.split(/\.\s|\n\s*\n/)
}

/** Whether a sentence has a state in quotes, or in capitals as it is written. */
function names(sentence: string, state: string): boolean {
  const escaped = state.replace(/\W/g, '\\$&')
  const isQuoted = new RegExp(`[\`'"*]${escaped}[\`'"*]`, 'i').test(sentence)
  return isQuoted || (/^[A-Z_]{2,}$/.test(state) && new RegExp(`\\b${escaped}\\b`).test(sentence))
}
