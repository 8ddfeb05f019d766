/** Reads JSON values of unknown types. */

export type JsonObject = { [name: string]: unknown }

/** @throws TypeError for anything but an object */
export function readObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new TypeError(`Expected a JSON object, got ${JSON.stringify(value)}`)
  return value
}

/** @throws TypeError for anything but an array */
export function readArray(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`Expected a JSON array, got ${JSON.stringify(value)}`)
  return value
}

/** @throws TypeError for anything but an array of objects */
export function readObjects(value: unknown): JsonObject[] {
  return readArray(value).map(readObject)
}

/** A property of each object of an array. */
export function pluck(value: unknown, property: string): unknown[] {
  return readObjects(value).map((each) => each[property])
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
