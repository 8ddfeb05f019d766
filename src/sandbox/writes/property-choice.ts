/** Shows only the properties that a request chooses. */
import type { PropertyChoice } from '../../contract/effects/effect.js'
import { copyValue } from '../../json/copy.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt, withNested } from '../../json/nested.js'
import { getOrInsert, isObject, ownValue } from '../../json/own-value.js'
import { toSeed } from '../../json/random.js'
import { toRounded } from '../../json/rounding.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { sentValue } from '../lists/choose-records.js'
import { type Answer, type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import { ensureValue } from './sampler.js'

/** The chosen names, each with those that are chosen inside of it. Empty: everything. */
type Chosen = Map<string, Chosen>

/** The outcome with only what the request chooses, if it chooses anything. */
export function showChosen(input: EffectInput, outcome: Outcome): Outcome {
  const choice = 'choice' in input.effect ? input.effect.choice : undefined
  if (!choice || outcome instanceof Refusal) return outcome
  return showPart(input, choice, outcome)
}

function showPart(input: EffectInput, choice: PropertyChoice, answer: Answer): Answer {
  const { request, contract, context, operation } = input
  const { parameter, member, ensure } = choice
  const value = sentValue({ in: 'query', name: parameter, member }, request)
  // `{ name: true }`
  const names = isObject(value) ? Object.keys(value).map((name) => (value[name] ? name : `-${name}`)) : value
  const sent = [names].flat().filter((each) => each !== undefined && each !== '')
  if (sent.length === 0 || sent.some((each) => /^[*_]*all$|^\*+$/i.test(String(each)))) return answer
  const body = answer.content?.value?.()
  if (typeof body !== 'object' || body === null) return answer
  const chosen = readChosen(sent.join(','))
  const picked = chosen && pick(input, choice, chosen, body)
  const made = picked && ensureValue(contract, ensure, copyValue(picked), toSeed(operation.id))
  // What the schema requires is shown even if it is not chosen.
  const shown = picked && made ? complete(picked, made, body) : picked
  if (shown === undefined || contract.validators[ensure.validate]?.(toRounded(shown)) === false) {
    context.progress.notes = [...context.progress.notes, `"${parameter}" was ignored: it chooses no known property`]
    return answer
  }
  const content = { ...answer.content, bytes: undefined, value: () => shown }
  return { ...answer, content: { ...content, text: () => writeByShape(shown, contract.shapes, 0) } }
}

/** Maximum depth of names inside of names. Deeper choices are not understood. */
const maxDepth = 20

/** Reads `id,owner.name`, `files(id,name)`, `items/owner/name` and `-notes`. Undefined for anything else. */
function readChosen(text: string): Chosen | undefined {
  const tokens = text.match(/[^\s,;(){}/.]+|[,;(){}/.]/g) ?? []
  let at = 0
  const chosen: Chosen = new Map()
  return readSeveral(chosen, 0) && at === tokens.length ? chosen : undefined

  function readSeveral(into: Chosen, depth: number): boolean {
    do if (!readOne(into, depth)) return false
    while (/^[,;]$/.test(tokens[at] ?? '') && ++at > 0)
    return true
  }

  function readOne(into: Chosen, depth: number): boolean {
    const name = tokens[at++]
    if (name === undefined || /^[,;(){}/.]$/.test(name) || depth > maxDepth) return false
    const inner = getOrInsert(into, name, () => new Map())
    const next = tokens[at]
    if (next === '.' || next === '/') return ++at > 0 && readOne(inner, depth + 1)
    if (next !== '(' && next !== '{') return true
    return ++at > 0 && readSeveral(inner, depth + 1) && /^[)}]$/.test(tokens[at++] ?? '')
  }
}

/** @returns undefined if no name is known */
function pick(
  { contract, effect }: EffectInput,
  { leavesOut, inner }: PropertyChoice,
  sent: Chosen,
  body: ExactValue,
): ExactValue | undefined {
  const isOut = leavesOut === true || [...sent.keys()].every((name) => /^[-!]/.test(name))
  const chosen: Chosen = isOut ? new Map([...sent].map(([name, each]) => [name.replace(/^[-!]/, ''), each])) : sent
  const { pointer = [], isMap } = ('envelope' in effect && effect.envelope) || {}
  const names = [...chosen.keys()]
  const has = (value: unknown) => isObject(value) && names.some((name) => Object.hasOwn(value, name))
  const outer = pointer[0] ?? ''
  if (isObject(body) && pointer.length > 0 && chosen.has(outer)) return pickFrom(body, chosen, isOut)
  const records = valueAt({ body }, ['body', ...pointer])
  const wrapper = effect.kind === 'list' ? effect.wrapper : undefined
  const listed = Array.isArray(records) ? records : isObject(records) && isMap ? Object.values(records) : [records]
  const shown = listed.map((each) => (wrapper === undefined ? each : isObject(each) ? ownValue(each, wrapper) : each))
  const shape = 'shape' in effect ? contract.shapes[effect.shape]?.properties : undefined
  const isInner = inner !== undefined && shown.some((each) => isObject(each) && isObject(ownValue(each, inner)))
  const isKnown = isInner || shown.some(has) || shape?.some(([name]) => chosen.has(name))
  if (!isKnown) return pointer.length > 0 && has(body) ? pickFrom(body, chosen, isOut) : undefined
  const within = [...(wrapper === undefined ? [] : [wrapper]), ...(isInner ? [inner] : [])]
  const pickOne = (each: unknown) => {
    const owner = valueAt(each, within)
    if (!isObject(owner)) return each
    const part = pickFrom(owner as ExactValue, chosen, isOut)
    return within.length === 0 ? part : withNested(each as Record<string, unknown>, within, part)
  }
  const picked = Array.isArray(records)
    ? records.map(pickOne)
    : isObject(records) && isMap
      ? Object.fromEntries(Object.entries(records).map(([name, each]) => [name, pickOne(each)]))
      : pickOne(records)
  return (pointer.length === 0 ? picked : withNested(body as Record<string, unknown>, pointer, picked)) as ExactValue
}

function pickFrom(value: ExactValue, chosen: Chosen, isOut: boolean): ExactValue {
  if (Array.isArray(value)) return value.map((each) => pickFrom(each, chosen, isOut))
  if (!isObject(value) || chosen.has('*')) return value
  const entries = Object.entries(value as Record<string, ExactValue>)
  return Object.fromEntries(
    entries.flatMap(([name, own]): [string, ExactValue][] => {
      const inner = chosen.get(name)
      const isWhole = inner === undefined || inner.size === 0
      if ((inner === undefined) !== isOut && isWhole) return []
      return [[name, isWhole ? own : pickFrom(own, inner, isOut)]]
    }),
  )
}

/** The chosen part with what the made value has in addition, if possible with the values of the whole. */
function complete(part: ExactValue, made: ExactValue, whole: ExactValue | undefined): ExactValue {
  if (Array.isArray(part) && Array.isArray(made)) {
    return part.map((each, index) =>
      complete(each, made[index] as ExactValue, Array.isArray(whole) ? whole[index] : undefined),
    )
  }
  if (!isObject(part) || !isObject(made)) return part
  const source = (isObject(whole) ? whole : {}) as Record<string, ExactValue>
  const entries = Object.entries(made as Record<string, ExactValue>).map(([name, own]): [string, ExactValue] => {
    const chosen = ownValue(part as Record<string, ExactValue>, name)
    return [
      name,
      chosen === undefined ? (ownValue(source, name) ?? own) : complete(chosen, own, ownValue(source, name)),
    ]
  })
  return { ...part, ...Object.fromEntries(entries) }
}
