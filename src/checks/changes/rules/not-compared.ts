/** The rule about what no other rule can judge, so that a comparison that passed has compared everything. */
import type { ChangeRule, Impact } from '../change-rule.js'

export const notCompared: ChangeRule = {
  id: 'not-compared',
  severity: 'error',
  looksAt: 'a part that differs and was not compared, such as `not`, `if` or `contains`, or that is too large',
  help: 'Compare both versions of it yourself, then add it to the baseline',
  *find(pairs) {
    for (const pair of [...pairs.sent(), ...pairs.answered()]) {
      const { uncompared, at, nextPath } = pair
      if (uncompared === undefined) continue
      const isUsed = 'use' in pair ? pair.use() !== 'unused' : [...pair.classes()].some((kind) => kind !== 'absent')
      const impact: Impact = isUsed ? 'maybe' : 'unused'
      yield { at, message: `Not compared: ${uncompared}`, impact, place: { of: 'next', path: nextPath } }
    }
  },
}
