/** Validates hints, and calls the Faker methods that they name. */
import type { Faker } from '@faker-js/faker'
import type { Contract } from '../contract/contract.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { OpenApiDocument } from '../document/document.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { findRecordSchema } from './collection-to-generate.js'
import type { Hint, Hints } from './hints.js'

/** @throws SandboxError `INVALID_OPTION` for hints that have no effect or cannot be used */
export function checkHints(hints: Hints, contract: Contract, document: OpenApiDocument, faker: Faker): void {
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
