/** Finds records that begin to exist because an answer names them: a job whose key comes with `202 Accepted`. */
import type { StartedRecord } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { Candidate } from '../facts/candidate.js'
import { addFact } from '../facts/evidence.js'
import { bareName, nounOf } from '../paths/words.js'
import type { Group } from './compile-scope.js'
import { compileServiceWritten } from './compile-service-written.js'

/**
 * @param groups all collections. Only those that nothing adds to can be meant
 * @returns undefined if the answer names no such record
 */
export function findStarted(
  document: OpenApiDocument,
  groups: Iterable<Group>,
  { operation, success, path }: Candidate,
): StartedRecord | undefined {
  const answered = success?.flat?.properties
  if (!answered || operation.method === 'GET' || operation.method === 'HEAD') return undefined
  for (const { model, members, record, resource, path: home, facts } of groups) {
    const isAdded = members.some(({ kind }) => kind === 'create' || kind === 'replace')
    const parameter = members.find(({ kind }) => kind === 'read')?.parameter
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
    if (success.status !== 202 && !isDescribed) continue
    const why = `${keyName} in the answer is the key of a record that no other operation adds`
    addFact(facts, { fact: 'path', about: `${operation.method} ${operation.path}`, evidence: 'schema', why })
    const first = compileServiceWritten(document, undefined, record, model)
    // Answers have the times that are known.
    const serviceWritten = first.filter((each) => each.with === 'constant' && !each.as && !each.only)
    return { collection: model.name, keyName, properties, ...(serviceWritten.length > 0 && { serviceWritten }) }
  }
  return undefined
}

function isText(document: OpenApiDocument, schema: Located<Schema>): boolean {
  const { types } = flattenSchema(document, schema)
  return types.has('string') || types.has('integer')
}
