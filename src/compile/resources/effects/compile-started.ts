/** Finds records that begin to exist because an answer names them: a job whose key comes with `202 Accepted`. */
import type { StartedRecord } from '../../../contract/effects/effect.js'
import { bareName, nounOf } from '../../../values/words.js'
import type { DescribedOperation } from '../../describe-operations.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document.js'
import { recordContent } from '../../operations/compile-representations.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { Candidate } from '../facts/candidate.js'
import { addFact } from '../facts/evidence.js'
import type { Group } from './compile-scope.js'
import { compileServiceWritten } from './compile-service-written.js'

/**
 * @param groups all collections. Only those that nothing adds to can be meant
 * @returns undefined if the answer names no such record
 */
export function findStarted(
  document: OpenApiDocument,
  groups: Iterable<Group>,
  { operation, success, path, corrected }: Candidate,
): StartedRecord | undefined {
  const answered = success?.flat?.properties
  if (!answered || operation.method === 'GET' || operation.method === 'HEAD') return undefined
  for (const { model, members, record, resource, path: home, facts } of groups) {
    const isAdded = members.some(({ kind }) => kind === 'create' || kind === 'replace')
    const parameter = members.find(({ kind }) => kind === 'read')?.parameter
    if (corrected?.starts !== undefined && corrected.starts !== home) continue
    if (isAdded || parameter === undefined || model.scope || home === path) continue
    const noun = bareName(nounOf(resource?.name ?? ''))
    const wanted = [bareName(parameter), `${noun}${bareName(model.key)}`].filter((name) => name !== bareName(model.key))
    const keyName = [...answered].find(
      ([name, schema]) => wanted.includes(bareName(name)) && isText(document, schema),
    )?.[0]
    if (keyName === undefined) continue
    const { properties: known } = flattenSchema(document, record)
    const properties = [...answered.keys()].flatMap((name): [string, string][] => {
      const own = [...known.keys()].find((each) => bareName(each) === bareName(name) && each !== model.key)
      return own === undefined || name === keyName ? [] : [[name, own]]
    })
    const isDescribed = properties.length > 1 && 2 * properties.length >= answered.size - 1
    if (success.status !== 202 && !isDescribed && corrected?.starts === undefined) continue
    const why = `${keyName} in the answer is the key of a record that no other operation adds`
    addFact(facts, { fact: 'path', about: `${operation.method} ${operation.path}`, evidence: 'schema', why })
    const first = compileServiceWritten(document, undefined, record, model)
    // Answers have the times that are known.
    const serviceWritten = first.filter((each) => each.with === 'constant' && !each.as && !each.only)
    const sent = sentTo(document, operation, known, [model.key, ...properties.map(([, own]) => own)])
    const named = { collection: model.name, keyName, properties, ...(sent.length > 0 && { sent }) }
    return { ...named, ...(serviceWritten.length > 0 && { serviceWritten }) }
  }
  return undefined
}

/**
 * What the record repeats of the request, in its own properties or in those of an object such as `details`.
 * @param taken its properties that the answer shows
 */
function sentTo(
  document: OpenApiDocument,
  operation: DescribedOperation,
  record: ReadonlyMap<string, Located<Schema>>,
  taken: readonly string[],
): [string, string[]][] {
  const content = recordContent(document, operation)
  const request = content?.value.schema === undefined ? undefined : flattenSchema(document, schemaOf(content))
  return [...(request?.properties ?? [])].flatMap(([name, schema]): [string, string[]][] => {
    const { types } = flattenSchema(document, schema)
    const isSame = ([own, each]: [string, Located<Schema>]) =>
      bareName(own) === bareName(name) &&
      [...flattenSchema(document, each).types].some((type) => type !== 'null' && types.has(type))
    const own = [...record].find((each) => isSame(each) && !taken.includes(each[0]))
    if (own) return [[name, [own[0]]]]
    return [...record].flatMap(([place, each]): [string, string[]][] => {
      if (!repeating.test(bareName(place))) return []
      const inner = [...flattenSchema(document, each).properties].find(isSame)
      return inner ? [[name, [place, inner[0]]]] : []
    })
  })
}

/** Objects in which a job has what it was asked. */
const repeating =
  /^(details?|params|parameters|options|request|input|inputs|payload|arguments|args|config|configuration)$/

function isText(document: OpenApiDocument, schema: Located<Schema>): boolean {
  const { types } = flattenSchema(document, schema)
  return types.has('string') || types.has('integer')
}
