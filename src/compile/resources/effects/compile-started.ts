/** Finds the record that begins to exist because an answer names it, as `starts` of a correction says: a job whose key comes with 202. */
import { guess } from '../../../behaviour/line.js'
import type { StartedRecord } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { bareName, nounOf } from '../../../lexicon/words.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { CompiledCandidate } from '../compiled-candidate.js'
import type { Group } from './compile-scope.js'
import { compileServiceWritten } from './compile-service-written.js'

/** @returns undefined if the correction names no collection, or the answer no record of it */
export function findStarted(
  document: OpenApiDocument,
  groups: ReadonlyMap<string, Group>,
  { operation, success, lines }: CompiledCandidate,
): StartedRecord | undefined {
  const answered = success?.flat?.properties
  const group = groups.get(lines.value('starts') ?? '')
  const parameter = group?.members.find(({ kind }) => kind === 'read')?.parameter
  if (!answered || !group || parameter === undefined || group.model.scope) return undefined
  const { model, record, resource } = group
  const wanted = [parameter, `${nounOf(resource?.name ?? '')}${model.key}`].map(bareName)
  const isKey = (name: string) => wanted.includes(bareName(name)) && bareName(name) !== bareName(model.key)
  const keyName = [...answered.keys()].find(isKey)
  if (keyName === undefined) return undefined
  const known = [...flattenSchema(document, record).properties.keys()]
  const properties = [...answered.keys()].flatMap((name): [string, string][] => {
    const own = known.find((each) => bareName(each) === bareName(name) && each !== model.key)
    return own === undefined || name === keyName ? [] : [[name, own]]
  })
  const about = `${operation.method} ${operation.path}`
  group.lines.add('starts', about, keyName, guess('extension', `${keyName} in its answer is the key of a new record`))
  // Answers have the times that are known.
  const serviceWritten = compileServiceWritten(document, undefined, record, model).filter(
    (each) => each.with === 'constant' && !each.as && !each.only,
  )
  return { collection: model.name, keyName, properties, ...(serviceWritten.length > 0 && { serviceWritten }) }
}
