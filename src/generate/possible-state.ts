/** Makes the values of a record fit its state: what has not ended has no time of its end. */
import type { Located, OpenApiDocument, Schema } from '../compile/document.js'
import { isBegun, isCaused, isEnded, isFailed, isWorking } from '../compile/resources/effects/states.js'
import { flattenSchema } from '../compile/schemas/flatten-schema.js'
import type { Values } from '../state/stored-record.js'
import { wordsOf } from '../values/words.js'

/** What tells of an event: the time at which, or whether, a record was completed. */
interface Told {
  name: string
  /** The participle: `completed` */
  event: string
  isFlag: boolean
  /** How a record has no such value. Undefined if its schema requires one. */
  without: 'absent' | 'null' | undefined
}

const state = /^(status|state|phase|stage)$/
const timeWords = /^(at|on|date|time|timestamp)$/
/** Events with which any record may end. */
const anyEnd = /^(finished|completed?|ended|closed|done|stopped)$/
const begins = /^(started|begun)$/
/** What has happened. What is planned is another matter: `cancelAt`, `expires_at` */
const participle = /ed$|^(begun|complete|done|lost|paid|sent|void|withdrawn)$/

/** @returns a function that changes the values of generated records of a schema */
export function createPossibleState(document: OpenApiDocument, record: Located<Schema>): (values: Values) => Values {
  const { properties, required } = flattenSchema(document, record)
  const status = [...properties.keys()].find((name) => state.test(wordsOf(name).at(-1) ?? ''))
  const told: Told[] = []
  const progress: string[] = []
  for (const [name, schema] of properties) {
    const { types, keywords } = flattenSchema(document, schema)
    const words = wordsOf(name)
    const isFlag = types.has('boolean')
    if (/^(progress|percent complete)$/.test(words.join(' ')) && !types.has('string') && (keywords.minimum ?? 0) <= 0)
      progress.push(name)
    const isTime = words.length > 1 && timeWords.test(words.at(-1) ?? '')
    if (!isFlag && !isTime) continue
    const event = words.filter((word) => word !== 'is' && !timeWords.test(word)).join(' ')
    if (!participle.test(event) || !(isCaused(event) || begins.test(event))) continue
    told.push({ name, event, isFlag, without: !required.has(name) ? 'absent' : types.has('null') ? 'null' : undefined })
  }
  if (status === undefined || told.length + progress.length === 0) return (values) => values
  return (values) => {
    const current = values[status]
    if (typeof current !== 'string') return values
    const changed: Record<string, unknown> = { ...values }
    if (isBegun(current)) for (const name of progress) if (typeof changed[name] === 'number') changed[name] = 0
    for (const { name, event, isFlag, without } of told) {
      if (!Object.hasOwn(changed, name) || mayHave(current, event)) continue
      if (isFlag) changed[name] = false
      else if (without === 'null') changed[name] = null
      else if (without === 'absent') delete changed[name]
    }
    return changed
  }
}

/** Whether an event may have happened to a record in a state. */
function mayHave(current: string, event: string): boolean {
  if (isBegun(current)) return false
  if (isWorking(current)) return !isEnded(event)
  if (!isEnded(current) || !isEnded(event) || anyEnd.test(event)) return true
  return !isFailed(event) || isFailed(current)
}
