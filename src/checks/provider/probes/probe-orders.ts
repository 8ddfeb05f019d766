/** Checks that a list has the order that its request asks for, in both directions. */
import type { Contract } from '../../../contract/contract.js'
import type { ListOrder } from '../../../contract/effects/list-query.js'
import { valueAt } from '../../../json/nested.js'
import { saysMinus } from '../../../lexicon/orders.js'
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import { parameterOf, type RecordValues, recordsOf, type SubjectOf } from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, isValid, withParameter } from '../requests/request-draft.js'

/** One order that a request may ask for. */
export interface Ordered {
  draft: Draft
  property: string
  isDescending: boolean
  /** What the request has: `sort=-title` */
  says: string
}

/** Maximum properties of which both directions are requested. */
const maxProperties = 6

/** @param longest the request for as many records as possible */
export async function probeOrders(
  { runner, contract }: Pick<CheckPlan, 'runner' | 'contract'>,
  list: SubjectOf<'list'>,
  longest: Draft,
): Promise<void> {
  for (const ordered of ordersOf(contract, list, longest).slice(0, 2 * maxProperties))
    await runner.run((session) => checkOrder(session, list, ordered))
}

async function checkOrder(session: ProbeSession, list: SubjectOf<'list'>, ordered: Ordered): Promise<void> {
  const { draft, property, isDescending, says } = ordered
  const response = await session.send(draft, 'success', { at: 'list' })
  const records = response && response.status < 300 ? recordsOf(list.operation.effect, response) : undefined
  const values = (records ?? []).map((record: RecordValues) => valueAt(record, property.split('/')))
  const known = values.filter((value) => value !== null && value !== undefined)
  for (const [index, next] of known.entries()) {
    const before = known[index - 1]
    if (index === 0 || !(isDescending ? isGreater(next, before) : isGreater(before, next))) continue
    const message = `answered ${property} ${JSON.stringify(before)} before ${JSON.stringify(next)} to a list with ${says}`
    session.report(draft, { rule: providerRuleSet.orderNotKept, at: `query ${says}`, message })
    return
  }
}

/** Whether a value comes after another in every usual order. Services compare texts by case, language or code. */
function isGreater(one: unknown, other: unknown): boolean {
  const ranks = [toRank(one), toRank(other)] as const
  if (ranks[0] !== undefined && ranks[1] !== undefined) return ranks[0] > ranks[1]
  if (typeof one !== 'string' || typeof other !== 'string' || !plain.test(`${one}${other}`)) return false
  return one > other && one.toLowerCase() > other.toLowerCase()
}

const plain = /^[A-Za-z]*$/
const time = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/

/** The place of a number or a time in its order. Undefined for other values. */
export function toRank(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && time.test(value) ? Date.parse(value) : undefined
}

/** The orders of a list whose property and direction are certain. */
export function ordersOf(contract: Contract, list: SubjectOf<'list'>, longest: Draft): Ordered[] {
  const { order } = list.operation.effect.query
  if (order?.in !== 'query' || order.member !== undefined) return []
  const { name, properties, direction } = order
  const valuesOf = (wanted: string) => {
    const found = parameterOf(list, wanted)
    return found ? list.valuesOf(found) : []
  }
  const isAllowed = (draft: Draft) => isValid(contract, draft)
  const documented = valuesOf(name)
  const own = parameterOf(list, name)
  // Where any text is valid, only words say that a minus turns the order around.
  const mayTurn =
    !isAllowed(withParameter(longest, 'query', name, 'no such order 7f3a9c')) ||
    documented.some((value) => String(value).startsWith('-')) ||
    (own !== undefined && saysMinus(list.describes(own)))
  const texts = new Set([
    ...documented,
    ...Object.entries(properties)
      .flat()
      .flatMap((each) => (mayTurn ? [each, `-${each}`] : [each])),
  ])
  return [...texts].flatMap((text): Ordered[] => {
    const draft = withParameter(longest, 'query', name, text)
    const read = typeof text === 'string' && isAllowed(draft) ? readOrder(text, properties) : undefined
    if (!read || !direction) return read ? [{ ...read, draft, says: `${name}=${text}` }] : []
    if (direction.in !== 'query' || direction.member !== undefined || direction.is) return []
    return valuesOf(direction.name).flatMap((word) => {
      const both = withParameter(draft, 'query', direction.name, word)
      const way = /^(asc|desc)/i.exec(String(word))?.[1]?.toLowerCase()
      const says = `${name}=${text} and ${direction.name}=${word}`
      return way && isAllowed(both) ? [{ ...read, draft: both, isDescending: way === 'desc', says }] : []
    })
  })
}

/** Reads `title`, `-title`, `title:desc` and `title_desc`. */
function readOrder(
  text: string,
  properties: ListOrder['properties'],
): Pick<Ordered, 'property' | 'isDescending'> | undefined {
  const {
    sign = '',
    own = '',
    word = '',
  } = /^(?<sign>[+-]?)(?<own>.*?)(?:[\s:._-](?<word>asc|desc)(?:ending)?)?$/i.exec(text)?.groups ?? {}
  const plainName = own.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const property = Object.hasOwn(properties, plainName) ? properties[plainName] : undefined
  return property === undefined ? undefined : { property, isDescending: sign === '-' || word.toLowerCase() === 'desc' }
}
