/**
 * Judges JSON bodies of responses by validators of JSON Schema 2020-12, compiled from the document. Reads every item, in
 * linear time.
 */
import type { Located, OpenApiDocument, Schema } from '../../compile/document.js'
import { createNotes } from '../../compile/notes.js'
import { followOnce, toPointer } from '../../compile/references.js'
import { createValidatorCompiler } from '../../compile/schemas/compile-validators.js'
import type { Validate } from '../../contract/validator.js'
import { type Deviation, deviationsOf, type ToPlace } from './deviation.js'

export interface BodyJudge {
  /**
   * @param schema of the documented response
   * @param rounded the body as a validator sees it: see `ExactJson`
   */
  judge(schema: Located<Schema>, rounded: unknown): Deviation[]
  /** Sentences without a full stop: what was not judged, and why. */
  readonly notes: string[]
}

/** Compiles each schema when it is first needed. */
export function createBodyJudge(document: OpenApiDocument, toPlace: ToPlace): BodyJudge {
  const judged = withoutIntegerFormats(document)
  const notes = createNotes()
  const compiler = createValidatorCompiler(judged, notes, { isForModule: false })
  const validators = new Map<string, Validate | undefined>()

  function compile({ path }: Located<Schema>): Validate | undefined {
    const pointer = toPointer(path)
    if (!validators.has(pointer)) {
      const { value } = followOnce<Schema>(judged, { $ref: pointer }, [])
      const number = compiler.add({ value: value as Schema, path }, 'response')
      validators.set(pointer, compiler.toFunctions()[number])
    }
    return validators.get(pointer)
  }

  return {
    judge(schema, rounded) {
      const validate = compile(schema)
      if (!validate || validate(rounded)) return []
      const found = deviationsOf(validate, toPlace, ['body'], {
        whole: 'Response body',
        member: 'Response body property',
      })
      // A million wrong items have a million errors.
      validate.errors = null
      return found
    },
    get notes() {
      return notes.list.map(({ message, path }) => {
        const place = Array.isArray(path) ? toPointer(path) : 'the document'
        return `bodies were not compared with ${place}: ${message}`
      })
    },
  }
}

/** The rule `integer-range` checks these formats, with every digit. */
function withoutIntegerFormats(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (name, value) =>
    name === 'format' && (value === 'int64' || value === 'int32') ? undefined : value,
  )
}
