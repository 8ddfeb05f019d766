/** The shape of a JSON value: which properties are known, and in which order they are written. */

/** Which properties of an object are known. Empty: any value, as it is. */
export interface Shape {
  /** Known properties in their documented order, each with the number of its shape. */
  properties?: [name: string, shape: number][]
  /** Unknown properties are kept as well. */
  open?: boolean
  /** Shape of the items of an array. */
  items?: number
}
