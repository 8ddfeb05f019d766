/** What lines say that a new record has. */

import type { Line } from '../../../behaviour/line.js'
import type { CollectionSaid } from '../../../behaviour/members.js'
import { forms, readValue } from '../../../behaviour/values.js'
import { nothing } from '../../../behaviour/vocabulary.js'
import type { EffectKind, ServiceWritten } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { refuseUnknown } from '../../../document/refuse-unknown.js'
import { toJson } from '../../../json/exact-json.js'
import { flattenSchema, isAllowed } from '../../../schemas/flatten-schema.js'
import { chosenTimeForm } from '../../../schemas/time-form.js'
import type { Group } from './compile-scope.js'

/** The lines of higher authors than guesses. */
function saidFirst(lines: CollectionSaid): Line[] {
  return lines.all('first').filter(({ evidence }) => evidence.author !== 'guess')
}

/** The properties that the service writes into a new record, with those that lines name. */
export function chooseFirst(
  document: OpenApiDocument,
  kind: EffectKind,
  { record, lines, members }: Pick<Group, 'record' | 'lines' | 'members'>,
  isPut: boolean,
  inferred: ServiceWritten[],
): ServiceWritten[] {
  const lifecycle = lines.get('lifecycle')
  const { property: begun = '', from } = lifecycle?.says || {}
  const begins: Line[] =
    lifecycle?.says && lifecycle.evidence.author !== 'guess' ? [{ ...lifecycle, about: begun, says: from }] : []
  const said = saidFirst(lines)
  const chosen = [...begins.filter(({ about }) => !said.some((each) => each.about === about)), ...said]
  // A PUT creates records where nothing else does.
  const isOther = isPut && members.some((each) => each.kind === 'create' && each.operation.method !== 'PUT')
  if (kind !== 'create' || isOther || chosen.length === 0) return inferred
  const { properties } = flattenSchema(document, record)
  return chosen.reduce((all, line) => {
    const { about: property, says: written } = line
    if (property !== begun && line.evidence.author !== 'recording')
      refuseUnknown(line, property, properties.keys(), 'property of the record', property)
    const value = readValue(written)
    if (!value) refuseUnknown(line, String(written), forms, 'value of a new record', property)
    // What depends on the request follows: see `addChosenChanges`.
    if (value?.from !== 'constant' && value?.from !== 'now' && value?.from !== 'none')
      return all.filter((each) => each.property !== property)
    const schema = properties.get(property)
    const flat = schema && flattenSchema(document, schema)
    if (flat && value?.from === 'constant' && !isAllowed(flat, value.value)) {
      const allowed = (flat.keywords.enum ?? []).map(String)
      refuseUnknown(line, String(value.value), allowed, `${property} that its schema allows`, property)
    }
    const form = flat && chosenTimeForm(property, flat)
    const first: ServiceWritten =
      value?.from === 'now'
        ? { property, with: 'now', ...form }
        : { property, with: 'constant', value: value?.from === 'constant' ? value.value : undefined }
    const known = all.findLast((each) => each.property === property && each.only === undefined)
    const isSame = known && known.with === first.with && toJson(known.value) === toJson(first.value)
    if (isSame) return all
    const others = all.filter((each) => each.property !== property)
    return value?.from === 'none' ? others : [...others, { ...first, ...(known?.owned && { owned: true }) }]
  }, inferred)
}

/** The values of a new record that depend on it or on its request, by their properties. */
export function firstExpressions({ lines }: Pick<Group, 'lines'>): Line[] {
  const isPlain = (written: unknown) => ['constant', 'now', 'none'].includes(readValue(written)?.from ?? 'none')
  return saidFirst(lines).filter(({ says }) => !isPlain(says))
}

/** What `first` says of a record that nothing creates, because it exists once. Undefined values are left out of JSON. */
export function firstConstants(
  properties: ReadonlyMap<string, unknown>,
  lines: CollectionSaid,
): Record<string, unknown> {
  const chosen = saidFirst(lines).map((line): [string, unknown] => {
    const { about: property, says: written } = line
    refuseUnknown(line, property, properties.keys(), 'property of the record', property)
    const value = readValue(written)
    if (value?.from !== 'constant' && value?.from !== 'none')
      refuseUnknown(line, String(written), [nothing], 'value of a record that exists once', property)
    return [property, value?.from === 'constant' ? value.value : undefined]
  })
  return Object.fromEntries(chosen)
}
