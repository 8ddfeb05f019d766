/** What the compiler of plans asks about values: how those with a name look. Implemented in `src/values`. */
import type { NumberPlan, Relation, TimeRange } from './sampler-plan.js'

/** A text, one of several characters, words or recipes, a repetition, or a time. */
export type RecipePart =
  | string
  | { oneOf: string }
  | { words: readonly string[] }
  | { anyOf: Recipe[] }
  | { repeat: Recipe; min: number; max?: number }
  | { time: TimeRange; form: string }

/** Says how to make texts, as plain data: parts that are made one after the other. */
export type Recipe = RecipePart[]

/** What the document says about a text. */
export interface DescribedText {
  /** The name of the property, or of the list that contains the text. */
  name: string
  /** The name of the collection, or of the property with the object. */
  owner: string
  format: string | undefined
  examples: readonly string[]
  description: string
}

export interface TextLook {
  /** Undefined if there are only examples. */
  recipe?: Recipe
  /** Whether other texts are not valid. */
  isStrict?: boolean
  /** Whether nothing says what the text is. */
  isGuess?: boolean
}

/** What the document says about a number. */
export interface DescribedNumber {
  name: string
  /** The name of the collection, or of the property with the object. */
  owner?: string
  example: number | undefined
  isInteger: boolean
  /** The number of records, whose keys other records have. */
  records: number
  description: string
}

export type NumberLook = Pick<NumberPlan, 'usual' | 'isFraction' | 'example' | 'time' | 'isGuess'>

/** A property of an object. */
export interface DescribedMember {
  name: string
  kind: 'integer' | 'number' | 'boolean' | 'text' | 'list' | 'object'
  /** The names of the properties of an object, or of the items of a list. */
  items?: readonly string[]
  /** Whether a text is one of a list. */
  isEnum?: boolean
}

/** The names that may say what an object is. */
export interface OwnerNames {
  /** The `$ref` of its schema. */
  reference: string | undefined
  /** The property, or the list with the object. */
  property: string
  /** The owner of the property. */
  owner: string
}

export interface ValueLooks {
  text(described: DescribedText): TextLook
  /** Recipes for a text with a pattern, the likeliest first. @param isOpen whether the pattern matches texts of all kinds */
  textsToTry(described: DescribedText, isOpen: boolean): Recipe[]
  number(described: DescribedNumber): NumberLook
  /** Whether a value without a type may be a number, by its name. */
  mayBeNumber(name: string): boolean
  /** The examples of a schema, or else its default, without those that only say where a value would be. */
  examplesOf(schema: { example?: unknown; examples?: unknown; default?: unknown }): unknown[]
  /** Whether an example says more than the name of its property. */
  isTelling(example: string, name: string): boolean
  /** The name of one item of a list. */
  itemName(list: string): string
  /** The name by which the value of a property is chosen, beside the other properties of its object. */
  memberName(name: string, all: readonly string[]): string
  /** The allowed values of a property, the best first. @default in the order of the schema */
  inOrder?(name: string, allowed: readonly unknown[]): readonly unknown[]
  /** Whether an optional property is left out by its name. */
  isLeftOut?(name: string, types: readonly string[]): boolean
  /** Whether a property identifies its record, so that each record has it. */
  identifies(name: string): boolean
  /** How the values of an object follow from each other. */
  relations(members: readonly DescribedMember[], owner: string): Relation[]
  /** The name of what an object is. */
  ownerName(names: OwnerNames): string
}
