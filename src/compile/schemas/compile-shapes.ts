/** Compiles schemas to shapes: the known properties and their order. */
import type { Shape } from '../../json/shape.js'
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { toPointer } from '../references.js'
import { behindReference, type FlatSchema, flattenSchema, hasFlag } from './flatten-schema.js'

/** How a schema is used: a request has no `readOnly` properties, and a response no `writeOnly` ones. */
export type View = 'request' | 'response'

export interface ShapeCompiler {
  shapes: Shape[]
  /**
   * Returns the number of the shape of a schema. Equal shapes share a number.
   * @param record a schema whose hidden properties are hidden here too, unless this schema describes them
   */
  add(schema: Located<Schema>, view: View, record?: Located<Schema>): number
}

export function createShapeCompiler(document: OpenApiDocument): ShapeCompiler {
  const shapes: Shape[] = [{}]
  const numbers = new Map<string, number>()
  const byContent = new Map<string, number>()

  function add(written: Located<Schema>, view: View, record?: Located<Schema>): number {
    const schema = behindReference(document, written)
    const id = `${view} ${toPointer(schema.path)}${record ? ` of ${toPointer(record.path)}` : ''}`
    const known = numbers.get(id)
    if (known !== undefined) return known
    const number = shapes.push({}) - 1
    numbers.set(id, number)
    const shape = compile(schema, view, record)
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

  function compile(schema: Located<Schema>, view: View, record: Located<Schema> | undefined): Shape {
    const flat = flattenSchema(document, schema)
    const ofRecord = record ? hiddenOf(flattenSchema(document, record), view) : []
    const others = ofRecord.filter((name) => !flat.properties.has(name))
    const shape: Shape = {}
    if (flat.properties.size + others.length > 0) {
      const own = hiddenOf(flat, view)
      const hidden = [...own, ...others]
      shape.properties = [...flat.properties]
        .filter(([name]) => !own.includes(name))
        .map(([name, property]) => [name, add(property, view)])
      // What is required but not described may have any value.
      for (const name of flat.required) if (!flat.properties.has(name)) shape.properties.push([name, 0])
      // A schema without properties allows all of them.
      if (flat.open || flat.properties.size === 0) shape.open = true
      if (hidden.length > 0) shape.hidden = hidden
    }
    const items = flat.items === undefined ? 0 : add(flat.items, view)
    if (items !== 0) shape.items = items
    return shape
  }

  /** The names of the properties that a view does not have. */
  function hiddenOf({ properties }: FlatSchema, view: View): string[] {
    const flag = view === 'request' ? 'readOnly' : 'writeOnly'
    return [...properties].filter(([, property]) => hasFlag(document, property, flag)).map(([name]) => name)
  }

  return { shapes, add }
}
