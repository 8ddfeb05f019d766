/**
 * Judges JSON bodies of responses by validators of JSON Schema 2020-12, compiled from the document. Reads every item, in
 * linear time.
 */
import type { Validate } from '../../../contract/validator.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { createNotes } from '../../../document/notes.js'
import { followOnce, toPointer } from '../../../document/references.js'
import { getOrInsert } from '../../../json/own-value.js'
import { createValidatorCompiler } from '../../../schemas/compile-validators.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import { type Deviation, deviationsOf, type ToPlace } from './deviation.js'

export interface BodyJudge {
  /**
   * @param schema of the documented response
   * @param text the body as it was received
   * @param rounded the body as a validator sees it: see `ExactJson`
   */
  judge(schema: Located<Schema>, text: string, rounded: unknown): Deviation[]
  /** Sentences without a full stop: what was not judged, and why. */
  readonly notes: string[]
}

/** Compiles each schema when it is first needed. */
export function createBodyJudge(document: OpenApiDocument, toPlace: ToPlace): BodyJudge {
  const judged = withoutIntegerFormats(document)
  const notes = createNotes()
  const compiler = createValidatorCompiler(judged, notes, { isForModule: false })
  const validators = new Map<string, Validate | undefined>()
  /** The last result is cached: a provider may answer many requests in a row with the same long body. */
  let last: { pointer: string; text: string; found: Deviation[] } | undefined

  function compile(pointer: string, path: Located<Schema>['path']): Validate | undefined {
    if (!validators.has(pointer)) {
      const { value } = followOnce<Schema>(judged, { $ref: pointer }, [])
      const number = compiler.add({ value: value as Schema, path }, 'response')
      validators.set(pointer, compiler.toFunctions()[number])
    }
    return validators.get(pointer)
  }

  function findDeviations(validate: Validate | undefined, rounded: unknown): Deviation[] {
    if (!validate || validate(rounded)) return []
    const found = deviationsOf(validate, toPlace, ['body'], {
      whole: 'Response body',
      member: 'Response body property',
    })
    // Frees the errors: a million wrong items have a million errors.
    validate.errors = null
    return found
  }

  return {
    judge({ path }, text, rounded) {
      const pointer = toPointer(path)
      if (last?.pointer === pointer && last.text === text) return last.found
      last = { pointer, text, found: findDeviations(compile(pointer, path), rounded) }
      return last.found
    },
    get notes() {
      return notes.list.map(({ message, path }) => {
        const place = Array.isArray(path) ? toPointer(path) : 'the document'
        return `bodies were not compared with ${place}: ${message}`
      })
    },
  }
}

/** Removes integer formats, because the rule `integer-range` checks them exactly. */
function withoutIntegerFormats<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutIntegerFormats) as T
  const kept = Object.entries(value).filter(
    ([name, each]) => name !== 'format' || (each !== 'int64' && each !== 'int32'),
  )
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutIntegerFormats(each)])) as T
}

/** Returns one entry per place with an integer that is out of range: where it is in the body, and what is wrong. */
export type IntegerJudge = (schema: Located<Schema>, body: unknown) => { at: string; message: string }[]

/** Bits of a format, without the sign. */
const bits: Record<string, bigint> = { int32: 31n, int64: 63n }

/** Reads the schemas of responses when they are first needed. */
export function createIntegerJudge(document: OpenApiDocument): IntegerJudge {
  const known = new Map<Schema, FlatSchema>()
  return (schema, body) => {
    const found = new Map<string, { at: string; message: string }>()
    visit(schema, body, 'body')
    return [...found.values()]

    function visit(schema: Located<Schema>, value: unknown, at: string): void {
      // Each schema is flattened once, not for each value.
      const flat = getOrInsert(known, schema.value, () => flattenSchema(document, schema))
      const { keywords, items, properties } = flat
      if (Array.isArray(value)) {
        if (items) for (const item of value) visit(items, item, `${at}[]`)
      } else if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          const property = properties.get(name)
          if (property) visit(property, inner, `${at}.${name}`)
        }
      } else if (isBeyond(value, bits[keywords.format ?? ''])) {
        getOrInsert(found, at, () => ({ at, message: `${at} is ${value}, which is beyond ${keywords.format}` }))
      }
    }
  }
}

function isBeyond(value: unknown, exponent: bigint | undefined): boolean {
  if (exponent === undefined || !(typeof value === 'bigint' || Number.isInteger(value))) return false
  const integer = BigInt(value as number | bigint)
  return integer < -(2n ** exponent) || integer >= 2n ** exponent
}
