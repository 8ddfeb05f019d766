/** Documents with random mistakes are served without the wrong parts, or refused with a clear error. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { compileDocument, createSandbox, SandboxError } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const original = parse(readFileSync(new URL('../../spec/petstore.openapi.yaml', import.meta.url), 'utf8')) as object

/** Values that are wrong in most places. */
const wrong: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, '', 'x', 'true', 'constructor', '__proto__', '(', '{'],
  ...[[], {}, [null], [1], ['a'], { a: 1 }, { type: 'strin' }, { type: [] }, { allOf: [] }, { oneOf: {} }],
  ...[{ required: true }, { type: 'array', items: [] }, { pattern: '(' }, { enum: [] }, { format: 'toString' }],
  ...['#/nope', '#', '#/paths', '#/components/schemas/Pet', 'other.yaml'].map(($ref) => ({ $ref })),
]

/** Selects a place, and what it gets: a wrong value, the value of another place, or nothing. */
const mistake = fc.record({
  place: fc.nat(),
  change: fc.oneof(
    fc.record({ value: fc.constantFrom(...wrong) }),
    fc.record({ from: fc.nat() }),
    fc.constant({ isRemoved: true as const }),
  ),
})
type Mistake = typeof mistake extends fc.Arbitrary<infer T> ? T : never

function placesOf(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])])
}

function makeMistake(document: object, { place, change }: Mistake): void {
  const places = placesOf(document)
  const chosen = places[place % places.length]
  if (!chosen) return
  const { holder, key } = chosen
  if ('value' in change) holder[key] = structuredClone(change.value)
  else if ('from' in change) {
    const other = places[change.from % places.length]
    holder[key] = structuredClone(other?.holder[other.key])
  } else if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

it('serves what is left of a document with mistakes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mistake, { minLength: 1, maxLength: 4 }), async (mistakes) => {
      const document = structuredClone(original)
      for (const each of mistakes) makeMistake(document, each)
      const compiled = await compileDocument(JSON.stringify(document)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(SandboxError)
        return undefined
      })
      if (!compiled) return
      const { contract } = compiled
      const unexpected: unknown[] = []
      const sandbox = createSandbox({ contract, onUnexpectedError: (error) => unexpected.push(error) })
      for (const { method, path, servers } of contract.operations) {
        const mount = contract.servers.find(({ name }) => name === servers[0])?.mount ?? ''
        const body = method === 'GET' || method === 'HEAD' ? {} : { body: '{}' }
        const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
        await sandbox.fetch(`http://localhost${mount}${path.replace(/\{[^}]*\}/g, '1')}`, { method, headers, ...body })
      }
      expect(unexpected).toEqual([])
      expect(compiled.notes()).toHaveLength(compiled.noteCount)
    }),
    { numRuns: 150 },
  )
})
