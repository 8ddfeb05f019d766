/** What is special about an operation, and which of its statuses were met. */
import type { JSX } from 'preact'
import type { Operation } from '../api-types.js'
import { toDate } from '../parts/bits.js'

export function Markers({ operation }: { operation: Operation }): JSX.Element {
  const { deprecated, sunset, stability, effect, canTry } = operation
  return (
    <span class="markers">
      <span class="tag">{effect}</span>
      {deprecated && <span class="tag warn">deprecated</span>}
      {sunset !== undefined && <span class="tag warn">until {toDate(sunset)}</span>}
      {stability !== undefined && stability !== 'stable' && <span class="tag">{stability}</span>}
      {!canTry && <span class="tag">not to be tried</span>}
    </span>
  )
}

/** Whether a status was met. A range such as `4XX` and `default` stand for what no other one does. */
export function isMet(documented: string, { documented: all, met }: Operation): boolean {
  return met.some((status) => {
    const text = String(status)
    if (documented === text) return true
    if (all.includes(text)) return false
    const range = `${text.charAt(0)}XX`
    return (
      documented.toUpperCase() === range ||
      (documented === 'default' && !all.some((each) => each.toUpperCase() === range))
    )
  })
}
