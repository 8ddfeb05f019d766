/** Compiles schemas to shapes: the known properties and their order. */
import type { Shape } from '../../json/shape.js'
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { toPointer } from '../references.js'
import { flattenSchema, hasFlag } from './flatten-schema.js'

/** How a schema is used: a request has no `readOnly` properties, and a response no `writeOnly` ones. */
export type View = 'request' | 'response'

export interface ShapeCompiler {
  shapes: Shape[]
  /** Returns the number of the shape of a schema. Equal shapes share a number. */
  add(schema: Located<Schema>, view: View): number
}

export function createShapeCompiler(document: OpenApiDocument): ShapeCompiler {
  const shapes: Shape[] = [{}]
  const numbers = new Map<string, number>()

  function add(schema: Located<Schema>, view: View): number {
    const id = `${view} ${toPointer(schema.path)}`
    const known = numbers.get(id)
    if (known !== undefined) return known
    const number = shapes.push({}) - 1
    numbers.set(id, number)
    const shape = compile(schema, view)
    const equal = shapes.findIndex((other, index) => index < number && JSON.stringify(other) === JSON.stringify(shape))
    if (equal !== -1 && number === shapes.length - 1) {
      shapes.pop()
      numbers.set(id, equal)
      return equal
    }
    shapes[number] = shape
    return number
  }

  function compile(schema: Located<Schema>, view: View): Shape {
    const flat = flattenSchema(document, schema)
    const shape: Shape = {}
    if (flat.properties.size > 0) {
      const hidden = view === 'request' ? 'readOnly' : 'writeOnly'
      shape.properties = [...flat.properties]
        .filter(([, property]) => !hasFlag(document, property, hidden))
        .map(([name, property]) => [name, add(property, view)])
      if (flat.open) shape.open = true
    }
    const items = flat.items === undefined ? 0 : add(flat.items, view)
    if (items !== 0) shape.items = items
    return shape
  }

  return { shapes, add }
}
