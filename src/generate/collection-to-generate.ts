/** What all parts of generating the records of one collection work with. */
import type { Faker } from '@faker-js/faker'
import type { DocumentPath, Located, OpenApiDocument, Schema } from '../compile/document.js'
import type { CollectionModel, Validate } from '../contract/contract.js'
import type { Hint } from './hints.js'
import type { Random } from './random.js'

export interface CollectionToGenerate {
  document: OpenApiDocument
  model: CollectionModel
  /** Where the schema of a record stands in the document. */
  schemaPath: DocumentPath
  validate: Validate
  hints: { readonly [property: string]: Hint }
  /** How many records there will be. */
  records: number
  faker: Faker
  random: Random
}

/** The schema of a record as it is returned. */
export function findRecordSchema(document: OpenApiDocument, path: DocumentPath): Located<Schema> {
  const value = path.reduce<unknown>((at, part) => (at as Record<string | number, unknown>)[part], document)
  return { value: value as Schema, path }
}
