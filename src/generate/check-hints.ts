/** Reads and validates hints, and calls the Faker methods that they name. */
import { base, en, Faker } from '@faker-js/faker'
import type { CollectionModel, Contract } from '../contract/contract.js'
import { sampleTime } from '../contract/effects/effect.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { DocumentPath, OpenApiDocument } from '../document/document.js'
import { isObject } from '../json/own-value.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { findRecordSchema } from './collection-to-generate.js'
import type { Hint, Hints } from './hints.js'

/** @throws SandboxError `INVALID_OPTION` for hints that have no effect or cannot be used */
export function checkHints(hints: Hints, contract: Contract, document: OpenApiDocument): void {
  const faker = createFaker()
  const names = contract.collections.map(({ name }) => name)
  for (const [name, properties] of Object.entries(hints)) {
    const model = contract.collections.find((collection) => collection.name === name)
    if (!model) throw invalid(`unknown collection "${name}"; available: ${names.join(', ') || 'none'}`)
    const record = flattenSchema(document, findRecordSchema(document, contract.recordSchemas[model.record] ?? []))
    for (const [property, hint] of Object.entries(properties)) checkHint(`${name}.${property}`, property, hint, record)
  }

  function checkHint(place: string, property: string, { faker: method, absent }: Hint, record: FlatSchema): void {
    if (!record.properties.has(property)) {
      throw invalid(`unknown property "${place}"; available: ${[...record.properties.keys()].join(', ')}`)
    }
    if (method !== undefined) callFaker(faker, method, place)
    if (absent === undefined) return
    if (!(absent >= 0 && absent <= 1)) throw invalid(`absent of "${place}" must be from 0 to 1 (got ${absent})`)
    if (absent > 0 && record.required.has(property)) throw invalid(`"${place}" is required and cannot be absent`)
  }
}

/** Returns the result of a Faker method. @throws SandboxError `INVALID_OPTION` if it does not exist or fails */
export function callFaker(faker: Faker, method: NonNullable<Hint['faker']>, place: string): unknown {
  const [[path, given] = ['', []]] = typeof method === 'string' ? [[method, []] as const] : Object.entries(method)
  const found = path
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], faker)
  if (typeof found !== 'function') throw invalid(`Faker has no method "${path}" for "${place}"`)
  try {
    return found(...given)
  } catch (error) {
    throw invalid(`Faker's ${path} cannot be used for "${place}": ${(error as Error).message}`)
  }
}

function invalid(why: string): SandboxError {
  return new SandboxError('INVALID_OPTION', `Failed to use the hints: ${why}`)
}

export function createFaker(): Faker {
  const faker = new Faker({ locale: [en, base] })
  faker.setDefaultRefDate(sampleTime)
  return faker
}

/** The hints that the document itself has for a collection. What cannot be used is left out. */
export function documentHints(document: OpenApiDocument, contract: Contract, model: CollectionModel): Hints[string] {
  const { name, record } = model
  const usable = Object.entries(hintsIn(document, contract.recordSchemas[record] ?? [])).filter(([property, hint]) => {
    try {
      checkHints({ [name]: { [property]: hint } }, contract, document)
      return true
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      return false
    }
  })
  return { ...hintsOf(contract.recordSources?.[name]?.filterValues), ...Object.fromEntries(usable) }
}

/** Hints in the schema of a record: `x-sandbox-hint`. */
function hintsIn(document: OpenApiDocument, schemaPath: DocumentPath): Hints[string] {
  const { properties } = flattenSchema(document, findRecordSchema(document, schemaPath))
  return Object.fromEntries(
    [...properties].flatMap(([name, schema]) => {
      const hint = (flattenSchema(document, schema).keywords as Record<string, unknown>)['x-sandbox-hint']
      return isObject(hint) ? [[name, hint as Hint]] : []
    }),
  )
}

/** Hints that give records values that list filters find. */
function hintsOf(values: Readonly<Record<string, string[]>> = {}): Hints[string] {
  return Object.fromEntries(Object.entries(values).map(([name, allowed]) => [name, { enum: allowed }]))
}
