/** The shape of a JSON value: its known properties and the order in which they are written. */

/** The known properties of an object. An empty shape accepts any value unchanged. */
export interface Shape {
  /** Known properties in their documented order, each with the number of its shape. */
  properties?: [name: string, shape: number][]
  /** Keeps unknown properties too. */
  open?: boolean
  /** Properties that are never kept, not even if the shape is open. */
  hidden?: string[]
  /** Shape of the items of an array. */
  items?: number
}
