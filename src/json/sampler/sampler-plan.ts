/** Fill plans: how to make a value that a schema requires, as plain data. See `make-value.ts`. */

/** Makes values of one schema. Numbers are indexes in the list of all plans. */
export type SamplerPlan =
  | { kind: 'any' }
  | AnyOfPlan
  | ValuesPlan
  | TextPlan
  | NumberPlan
  | { kind: 'boolean' }
  | { kind: 'null' }
  | ListPlan
  | ObjectPlan

/** One of several plans. With an empty list, no value can be made. */
export interface AnyOfPlan {
  kind: 'anyOf'
  plans: number[]
}

/** One of the listed values, from `enum` or `const`. */
export interface ValuesPlan {
  kind: 'values'
  values: unknown[]
}

export interface TextPlan {
  kind: 'text'
  format?: string
  /** The parts of a regular expression. */
  pattern?: PatternPart[]
  /** In characters. @default 0 */
  minLength?: number
  /** In characters. @default unlimited */
  maxLength?: number
}

/** A part of a regular expression: a text, one of several characters, one of several sequences, or a repetition. */
export type PatternPart =
  | string
  | { oneOf: string }
  | { anyOf: PatternPart[][] }
  | { repeat: PatternPart[]; min: number; max?: number }

export interface NumberPlan {
  kind: 'number'
  isInteger: boolean
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
}

export interface ListPlan {
  kind: 'list'
  /** The plan of the items after the first ones. */
  items: number
  /** The plans of the first items. */
  first?: number[]
  /** The plan of an item that the list must contain, and how often. */
  contains?: { plan: number; min: number }
  minItems?: number
  maxItems?: number
  isUnique?: boolean
}

export interface ObjectPlan {
  kind: 'object'
  properties: [name: string, plan: number][]
  required: string[]
  /** The plan of other properties. Absent if there must be none. */
  others?: number
  /** The plan of the names of other properties. */
  names?: number
  minProperties?: number
  /** Properties that are required if another one is present. */
  dependentRequired?: Record<string, string[]>
}

/** Any value: used for the schema `true`. */
export const anyPlan: SamplerPlan = { kind: 'any' }
