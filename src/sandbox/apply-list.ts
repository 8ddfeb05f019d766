/** The effect `list`: the newest records first, filtered and bounded. */
import type { EnvelopeField, ListEffect } from '../contract/contract.js'
import type { Collection, Filter } from '../state/collection.js'
import type { Answer, Applied } from './applied.js'

export function list(applied: Applied<ListEffect>): Answer {
  const { operation, effect, world, server, query } = applied
  const collection = world.collection(effect.collection, server)
  const { text, bytes } = collection.answer(`${operation.id}?${query}`, () => write(applied, collection))
  return { status: effect.status, mediaType: effect.mediaType, body: text, bytes }
}

function write({ contract, effect, request: { query } }: Applied<ListEffect>, collection: Collection): string {
  const limit = effect.limit === undefined ? undefined : (query[effect.limit] as number | undefined)
  const filters: Filter[] = []
  for (const { parameter, property } of effect.filters) {
    const value = query[parameter]
    if (value !== undefined) filters.push({ property, values: [value].flat() })
  }
  const records = collection.select(filters, limit)
  const text = `[${records.map((record) => record.text(contract.shapes, effect.shape)).join(',')}]`
  return effect.envelope ? wrap(effect.envelope, text, records.length, collection, filters) : text
}

function wrap(
  envelope: EnvelopeField[],
  text: string,
  count: number,
  collection: Collection,
  filters: Filter[],
): string {
  const textOf = ({ from, value }: EnvelopeField): string => {
    switch (from) {
      case 'records':
        return text
      case 'count':
        return String(count)
      case 'total':
        return String(collection.count(filters))
      case 'more':
        return String(collection.count(filters) > count)
      case 'constant':
        return JSON.stringify(value)
    }
  }
  return `{${envelope.map((field) => `${JSON.stringify(field.name)}:${textOf(field)}`).join(',')}}`
}
