/** Fill plans: how to make a value that a schema requires, as plain data. See `make-value.ts`. */
import type { Random } from '../random.js'

/** Makes values of one schema. Numbers are indexes in the list of all plans. */
export type SamplerPlan =
  | { kind: 'any' }
  | AnyOfPlan
  | ValuesPlan
  | TextPlan
  | NumberPlan
  | { kind: 'boolean'; example?: boolean }
  /** A null that identifies is the value of no generated record. */
  | { kind: 'null'; isRare?: boolean; identifies?: boolean }
  | ListPlan
  | ObjectPlan

/** What values are made for. */
export interface Making {
  random: Random
  /** Milliseconds since 1970. Times are relative to it. @default the time of samples */
  now?: number
  /** The number of a record, which also gets optional values. @default only required values are made */
  record?: number
  /**
   * Makes an example: of the first alternatives, with the examples of the document. The same property has the same value
   * wherever it is. A brief one has only what is required or told, and null where that is allowed.
   */
  example?: 'whole' | 'brief'
}

/** Days relative to now. */
export interface TimeRange {
  from: number
  to: number
}

/** One of several plans. With an empty list, no value can be made. */
export interface AnyOfPlan {
  kind: 'anyOf'
  plans: number[]
}

/** One of the listed values, from `enum` or `const`. */
export interface ValuesPlan {
  kind: 'values'
  values: unknown[]
  /** The value in the document for this property. */
  example?: unknown
}

export interface TextPlan {
  kind: 'text'
  /** Texts of the document for this property. */
  examples?: string[]
  /** What the text consists of. @default a word */
  parts?: TextPart[]
  /** Whether other texts are not valid: the parts are those of a regular expression or a format. */
  isStrict?: boolean
  /** Whether nothing says what the text is, so that records only have it where they must. */
  isGuess?: boolean
  /** In characters. @default 0 */
  minLength?: number
  /** In characters. @default unlimited */
  maxLength?: number
}

/** A part of a text: a text, one of several characters, one of several sequences, a repetition, a value of a plan, or a time. */
export type TextPart =
  | string
  | { oneOf: string }
  | { anyOf: TextPart[][] }
  | { repeat: TextPart[]; min: number; max?: number }
  | { of: number }
  | { time: TimeRange; form: string }

export interface NumberPlan {
  kind: 'number'
  isInteger: boolean
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  /** The range of numbers if the schema has no bounds. */
  usual?: [from: number, to: number]
  /** Whether numbers have two decimals if the schema allows any number. */
  isFraction?: boolean
  /** A number in the document for this property. */
  example?: number | bigint
  /** Whether nothing says what the number is, so that records only have it where they must. */
  isGuess?: boolean
  /** For a time: its range, and its unit in milliseconds. */
  time?: TimeRange & { unit: number }
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
  /** Whole lists of the document for this property. */
  examples?: unknown[]
}

export interface ObjectPlan {
  kind: 'object'
  properties: [name: string, plan: number][]
  required: string[]
  /** The plan of other properties. Absent if there must be none. */
  others?: number
  /** The plan of the names of other properties. */
  names?: number
  /** Whether properties with other names have another schema, so that those of a request are kept as they are. */
  isMixed?: boolean
  /** Whether it is only for what was sent: a new value is one of another plan. */
  isRare?: true
  minProperties?: number
  /** Optional properties that a record always has, because it would say little without them. */
  told?: string[]
  /** What follows from other values, in this order. */
  relations?: Relation[]
  /** Whole objects of the document for this property. */
  examples?: unknown[]
  /** The properties with examples, if these are most of them, so that they make up one object. */
  shown?: string[]
  /** Properties that are required if another one is present. */
  dependentRequired?: Record<string, string[]>
}

/** A number: of a property, a product of two, a percentage, the sum over a list, or one number, or all, in an object. */
export type Term =
  | string
  | readonly [string, string]
  | { percent: string | number; of: Term }
  | { list: string; item: readonly string[]; less?: string }
  | { inside: string; only?: string }

/** How values follow from others, as plain data. A given value stays. */
export type Relation =
  | {
      is: 'sum'
      property: string
      of: readonly Term[]
      minus?: readonly string[]
      noneIf?: readonly [string, string[]]
    }
  /** At most another number, or a small share of it. What happens later is 0 in a new record. */
  | { is: 'atMost' | 'share'; property: string; of: Term; isLater?: boolean }
  /** Whether a number reaches another one, and which part of it that is. */
  | { is: 'reached' | 'quotient'; property: string; of: readonly [string, string] }
  | { is: 'count' | 'age' | 'day'; property: string; of: string }
  /** The same text, or what a word of a list says to people. */
  | { is: 'copy'; property: string; of: string; isInWords?: boolean }
  /** The smallest number first. */
  | { is: 'order'; of: readonly string[] }
  /** A time after another one, and how long that takes, in milliseconds. */
  | {
      is: 'span'
      property: string
      of: string
      lasts: number
      duration?: readonly [name: string, unit: number, more: number]
    }

/** Any value: used for the schema `true`. */
export const anyPlan: SamplerPlan = { kind: 'any' }
