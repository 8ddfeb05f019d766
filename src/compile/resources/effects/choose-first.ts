/** What `x-sandbox-resource` says that a new record has. */
import type { EffectKind, ServiceWritten } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { toJson } from '../../../json/exact-json.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { ResourceCorrections } from '../corrections/find-corrections.js'
import { forms, isAllowed, readValue } from '../corrections/read-values.js'
import { nothing } from '../corrections/vocabulary.js'
import { addFact } from '../facts/evidence.js'
import type { Group } from './compile-scope.js'
import { chosenTimeForm } from './time-form.js'

/** The properties that the service writes into a new record, with those that a correction names. */
export function chooseFirst(
  document: OpenApiDocument,
  kind: EffectKind,
  { record, corrected, facts, members }: Pick<Group, 'record' | 'corrected' | 'facts' | 'members'>,
  isPut: boolean,
  inferred: ServiceWritten[],
): ServiceWritten[] {
  const begins = corrected?.lifecycle ? { [corrected.lifecycle.property]: corrected.lifecycle.from } : {}
  const chosen = Object.entries({ ...begins, ...corrected?.first })
  // A PUT creates records where nothing else does.
  const isOther = isPut && members.some((each) => each.kind === 'create' && each.operation.method !== 'PUT')
  if (kind !== 'create' || isOther || chosen.length === 0) return inferred
  const { properties } = flattenSchema(document, record)
  return chosen.reduce((all, [property, written]) => {
    if (!Object.hasOwn(begins, property))
      corrected?.check('first', property, properties.keys(), 'property of the record', property)
    const value = readValue(written)
    if (!value) corrected?.check('first', String(written), forms, 'value of a new record', property)
    // What depends on the request follows: see `addChosenChanges`.
    if (value?.from !== 'constant' && value?.from !== 'now' && value?.from !== 'none')
      return all.filter((each) => each.property !== property)
    const schema = properties.get(property)
    const flat = schema && flattenSchema(document, schema)
    if (flat && value?.from === 'constant' && !isAllowed(flat, value.value)) {
      const allowed = (flat.keywords.enum ?? []).map(String)
      corrected?.check('first', String(value.value), allowed, `${property} that its schema allows`, property)
    }
    const form = flat && chosenTimeForm(property, flat)
    const first: ServiceWritten =
      value?.from === 'now'
        ? { property, with: 'now', ...form }
        : { property, with: 'constant', value: value?.from === 'constant' ? value.value : undefined }
    const known = all.findLast((each) => each.property === property && each.only === undefined)
    const isSame = known && known.with === first.with && toJson(known.value) === toJson(first.value)
    if (isSame) return all
    addFact(facts, { fact: 'first', about: property, evidence: 'extension', why: 'x-sandbox-resource says so' })
    const others = all.filter((each) => each.property !== property)
    return value?.from === 'none' ? others : [...others, { ...first, ...(known?.owned && { owned: true }) }]
  }, inferred)
}

/** The values of a new record that depend on it or on its request, by their properties. */
export function firstExpressions({ corrected }: Pick<Group, 'corrected'>): Record<string, unknown> {
  const isPlain = (written: unknown) => /^(constant|now|none)$/.test(readValue(written)?.from ?? 'none')
  return Object.fromEntries(Object.entries(corrected?.first ?? {}).filter(([, written]) => !isPlain(written)))
}

/** What `first` says of a record that nothing creates, because it exists once. Undefined values are left out of JSON. */
export function firstConstants(
  properties: ReadonlyMap<string, unknown>,
  corrected: ResourceCorrections | undefined,
): Record<string, unknown> {
  const chosen = Object.entries(corrected?.first ?? {}).map(([property, written]): [string, unknown] => {
    corrected?.check('first', property, properties.keys(), 'property of the record', property)
    const value = readValue(written)
    if (value?.from !== 'constant' && value?.from !== 'none')
      corrected?.check('first', String(written), [nothing], 'value of a record that exists once', property)
    return [property, value?.from === 'constant' ? value.value : undefined]
  })
  return Object.fromEntries(chosen)
}
