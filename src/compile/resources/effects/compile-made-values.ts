/** Compiles texts and numbers that are made of other values of their record. */

import { fromAbout } from '../../../behaviour/line.js'
import { fromMade } from '../../../behaviour/made-values.js'
import { nothing } from '../../../behaviour/vocabulary.js'
import type { MadeValue } from '../../../contract/contract.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { refuseUnknown } from '../../../document/refuse-unknown.js'
import { withOrigin } from '../../../schemas/addresses.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { Group } from './compile-scope.js'

/** @returns undefined if nothing is made, or if no operation creates records */
export function compileMadeValues(
  document: OpenApiDocument,
  { members, record, lines }: Pick<Group, 'members' | 'record' | 'lines'>,
): MadeValue[] | undefined {
  if (!members.some(({ kind }) => kind === 'create')) return undefined
  const { properties } = flattenSchema(document, record)
  const made = lines.all('made').flatMap((line): MadeValue[] => {
    const pointer = fromAbout(line.about)
    refuseUnknown(line, pointer[0] ?? '', properties.keys(), 'property of the record', line.about)
    if (line.says === nothing) return []
    const value = fromMade(line.says)
    if (value.counts !== undefined) refuseUnknown(line, value.counts, properties.keys(), 'list', line.about)
    return [withOrigin(document, record, { pointer, ...value })]
  })
  return made.length > 0 ? made : undefined
}
