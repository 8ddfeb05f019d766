/** Says how the values of examples look: those of an answer where all is well. */
import type { DescribedText, ValueLooks } from '../json/sampler/value-looks.js'
import { isErrorProperty } from '../lexicon/errors-in-texts.js'
import { isWrittenText } from '../lexicon/kinds.js'
import { isZeroAtBest } from '../lexicon/numbers.js'
import { endsWithState, isFailed } from '../lexicon/stages.js'
import { createValueLooks } from './value-looks.js'

/** A body of a success, one of another status, or a brief value of what an operation computes. */
export type ExampleUse = 'success' | 'other' | 'brief'

export function createExampleLooks(use: ExampleUse): ValueLooks {
  const looks = createValueLooks()
  return {
    ...looks,
    text: (described) => (isUnknown(described) ? { recipe: ['string'] } : looks.text(described)),
    number(described) {
      const look = looks.number(described)
      if (described.example !== undefined || look.time) return look
      if (isZeroAtBest(described.name)) return { usual: [0, 0] }
      const [low, high] = look.usual ?? [1, 1]
      const simplest = Math.min(Math.max(1, low), high)
      return { ...look, usual: [simplest, simplest] }
    },
    inOrder(name, allowed) {
      const isGood = (value: unknown) => typeof value === 'string' && value !== '' && !isFailed(value)
      const first = endsWithState(name) ? allowed.find(isGood) : undefined
      return first === undefined ? allowed : [first, ...allowed.filter((each) => each !== first)]
    },
    // A success has only the number of what went wrong, 0.
    isLeftOut: (name, types) => use === 'success' && isErrorProperty(name) && !types.includes('integer'),
    identifies: (name) => (use === 'brief' ? name === 'index' || isWrittenText(name) : looks.identifies(name)),
  }
}

/** Whether nothing says what a text is. */
function isUnknown({ name, format, examples }: DescribedText): boolean {
  return name === '' && format === undefined && examples.length === 0
}
