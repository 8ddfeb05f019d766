/** Says which record begins to exist because an answer names it, as a person's `starts` says: a job whose key comes with 202. */
import { guess } from '../behaviour/line.js'
import type { OpenApiDocument } from '../document/document.js'
import { bareName, nounOf } from '../lexicon/words.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import type { Candidate } from './facts/candidate.js'
import { findServiceWritten } from './facts/service-written.js'
import type { Collections } from './owners.js'
import { modelOf } from './writes.js'

export function findStarted(
  document: OpenApiDocument,
  collections: Collections,
  { operation, success, lines }: Candidate,
): void {
  const answered = success?.flat?.properties
  const collection = collections.get(lines.value('starts') ?? '')
  const parameter = collection?.members.find(({ kind }) => kind === 'read')?.parameter
  if (!answered || !collection || parameter === undefined || collection.path.includes('{')) return
  const { model, record, resource } = collection
  const wanted = [parameter, `${nounOf(resource?.name ?? '')}${model.key}`].map(bareName)
  const isKey = (name: string) => wanted.includes(bareName(name)) && bareName(name) !== bareName(model.key)
  const keyName = [...answered.keys()].find(isKey)
  if (keyName === undefined) return
  const known = [...flattenSchema(document, record).properties.keys()]
  const properties = [...answered.keys()].flatMap((name): [string, string][] => {
    const own = known.find((each) => bareName(each) === bareName(name) && each !== model.key)
    return own === undefined || name === keyName ? [] : [[name, own]]
  })
  const why = guess('extension', `${keyName} in its answer is the key of a new record`)
  collection.lines.add('starts', `${operation.method} ${operation.path}`, keyName, why)
  // Answers have the times that are known.
  const serviceWritten = findServiceWritten(document, undefined, record, modelOf(collection)).filter(
    (each) => each.with === 'constant' && !each.as && !each.only,
  )
  const written = serviceWritten.length > 0 && { serviceWritten }
  lines.add('started', '', { collection: model.name, keyName, properties, ...written }, why)
}
