/** Finds the part of a document that an event or a finding is about, as a short text. */
import { listOperations } from '../documents/list-operations.js'
import { prefixesOf } from './instances.js'

const longest = 220
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isJson = (type) => /json/i.test(type)
const forPeople = new Set(['description', 'summary', 'title', 'example', 'examples', 'externalDocs'])

/** @returns a function of an operation, as `GET /xs/{id}`, and a place in it */
export function createFragments(read) {
  const all = listOperations(read)
  const operations = new Map([...all.map((each) => [keyOf(each.id), each]), ...all.map((each) => [each.id, each])])
  const { resolve } = read

  return function fragmentOf(operation, at) {
    const found = operations.get(operation) ?? operations.get(keyOf(operation))
    if (found === undefined) return 'no such operation'
    if (at === '') return 'there'
    const [place, ...rest] = at.split(' ')
    if (place === 'response') {
      const response = found.responses.find(
        ({ status }) => status === rest[0] || status === 'DEFAULT' || status === '2XX',
      )
      if (response === undefined) return `responses ${found.responses.map(({ status }) => status).join(', ')}`
      return ofContent(response.media, rest.slice(1).join(' '))
    }
    if (place === 'body') return found.body ? ofContent(found.body.media, rest.join(' ')) : 'no body'
    if (place === 'credentials') return toText(found.credentials)
    const parameter = found.parameters.find(
      (each) => each.in === place && each.name.toLowerCase() === rest.join(' ').toLowerCase(),
    )
    return parameter
      ? `${parameter.isRequired ? 'required ' : ''}${toText(resolve(parameter.schema))}`
      : 'no such parameter'
  }

  function ofContent(media, path) {
    const json = media.find(({ type }) => isJson(type)) ?? media[0]
    if (json === undefined) return 'no content'
    if (path === '') return `${json.type} ${toText(resolve(json.schema))}`
    let places = [{ schema: json.schema, isRequired: true }]
    const prefixes = prefixesOf(path)
    for (const [index, prefix] of prefixes.slice(1).entries()) {
      const segment = prefix.slice(prefixes[index].length).replace(/^\./, '')
      places = places.flatMap(({ schema }) => [...below(schema, segment, 0)])
    }
    if (places.length === 0) return 'absent'
    return places
      .slice(0, 2)
      .map(({ schema, isRequired }) => `${isRequired ? 'required ' : ''}${toText(resolve(schema))}`)
      .join(' | ')
  }

  function* below(written, segment, depth) {
    const schema = resolve(written)
    if (!isObject(schema) || depth > 8) return
    if (segment === '[]' && schema.items !== undefined) yield { schema: schema.items, isRequired: false }
    if (segment === '{}' && isObject(schema.additionalProperties)) yield { schema: schema.additionalProperties }
    if (isObject(schema.properties) && Object.hasOwn(schema.properties, segment)) {
      const isRequired = Array.isArray(schema.required) && schema.required.includes(segment)
      yield { schema: schema.properties[segment], isRequired }
    }
    for (const part of ['allOf', 'oneOf', 'anyOf'].flatMap((name) => schema[name] ?? []))
      yield* below(part, segment, depth + 1)
  }
}

function keyOf(operation) {
  return operation.replace(/\{[^{}]*\}/g, '{}')
}

function toText(value) {
  const text =
    JSON.stringify(value, (name, each) => (forPeople.has(name) && typeof each !== 'object' ? undefined : each)) ?? 'any'
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
