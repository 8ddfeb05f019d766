/** Compiles schemas to shapes: the known properties and their order. */

import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { toPointer } from '../document/references.js'
import { getOrInsert } from '../json/own-value.js'
import type { Shape } from '../json/shape.js'
import { behindReference, flattenSchema, hiddenNames, type View } from './flatten-schema.js'

export interface ShapeCompiler {
  shapes: Shape[]
  /**
   * Returns the number of the shape of a schema. Equal shapes share a number.
   * @param record a schema whose hidden properties are also hidden here, unless this schema describes them
   */
  add(schema: Located<Schema>, view: View, record?: Located<Schema>): number
}

/** Maximum schemas that describe one value. */
const maxParts = 50
/** Maximum number of combined shapes in a document. */
const maxCombined = 500

function isAny(types: ReadonlySet<string>): boolean {
  return types.size === 0 || types.has('object')
}

/** @param keepsUnknown whether values keep properties that no schema names, where it allows any */
export function createShapeCompiler(document: OpenApiDocument, keepsUnknown = false): ShapeCompiler {
  const shapes: Shape[] = [{}]
  const numbers = new Map<string, number>()
  const byContent = new Map<string, number>()
  let combined = 0

  function add(written: Located<Schema>, view: View, record?: Located<Schema>): number {
    return addAll([written], view, record)
  }

  /** Adds the shape of values that several schemas describe together. */
  function addAll(written: Located<Schema>[], view: View, record?: Located<Schema>): number {
    const byPlace = new Map(
      written.map((each) => behindReference(document, each)).map((each) => [toPointer(each.path), each]),
    )
    // Nested parts could be combined in too many ways: then any property is kept.
    if (byPlace.size > 1 && (byPlace.size > maxParts || combined++ > maxCombined)) return 0
    const schemas = [...byPlace.values()]
    const places = [...byPlace.keys()].sort().join(' ')
    const id = `${view} ${places}${record ? ` of ${toPointer(record.path)}` : ''}`
    const known = numbers.get(id)
    if (known !== undefined) return known
    const number = shapes.push({}) - 1
    numbers.set(id, number)
    const shape = compile(schemas, view, record)
    const content = JSON.stringify(shape)
    const equal = byContent.get(content)
    if (equal !== undefined && number === shapes.length - 1) {
      shapes.pop()
      numbers.set(id, equal)
      return equal
    }
    shapes[number] = shape
    if (equal === undefined) byContent.set(content, number)
    return number
  }

  function compile(schemas: Located<Schema>[], view: View, record: Located<Schema> | undefined): Shape {
    const flats = schemas.map((schema) => flattenSchema(document, schema))
    const described = new Map<string, Located<Schema>[]>()
    for (const { properties, others } of flats) {
      for (const [name, property] of properties) {
        getOrInsert(described, name, () => []).push(property, ...(others?.get(name) ?? []))
      }
    }
    const ofRecord = record ? hiddenNames(document, flattenSchema(document, record), view) : []
    const absent = ofRecord.filter((name) => !described.has(name))
    const shape: Shape = {}
    if (described.size + absent.length > 0) {
      const own = flats.flatMap((flat) => hiddenNames(document, flat, view))
      const ownNames = new Set(own)
      const hidden = [...own, ...absent]
      shape.properties = []
      // A loop instead of recursion, because long chains of schemas would overflow the stack.
      for (const [name, properties] of described) {
        if (!ownNames.has(name)) shape.properties.push([name, addAll(properties, view)])
      }
      // Required properties without a description may have any value.
      const required = new Set(flats.flatMap((flat) => [...flat.required]))
      for (const name of required) if (!described.has(name)) shape.properties.push([name, 0])
      // A schema without properties allows all of them.
      const isClosed = flats.some(({ keywords }) => keywords.additionalProperties === false)
      const isAllowed = keepsUnknown && !isClosed
      if (isAllowed || flats.some(({ open, properties, types }) => open || (properties.size === 0 && isAny(types))))
        shape.open = true
      if (hidden.length > 0) shape.hidden = hidden
    }
    const items = flats.flatMap((flat) => flat.items ?? [])
    const inner = items.length === 0 ? 0 : addAll(items, view)
    if (inner !== 0) shape.items = inner
    return shape
  }

  return { shapes, add }
}
