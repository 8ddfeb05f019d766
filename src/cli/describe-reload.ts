/** Tells what happened when a document was read again. */

import { plural } from '../checks/reports/report-texts.js'
import { withPlace } from '../contract/sandbox-error.js'
import type { Reload, SetAsideRecord } from '../entries/node.js'

/** Records that are listed. */
const maxListed = 20

export function describeReload(reload: Reload): string {
  const files = reload.files.join(', ')
  if ('error' in reload) return `${files} changed, and the document before is still served: ${withPlace(reload.error)}`
  const { operations, noteCount, kept, setAside } = reload
  const parts = [
    plural(operations, 'operation'),
    ...(noteCount > 0 ? [plural(noteCount, 'note')] : []),
    ...(kept > 0 ? [`${plural(kept, 'change')} of the data kept`] : []),
    ...(setAside.length > 0 ? [`${plural(setAside.length, 'record')} set aside until they fit again`] : []),
  ]
  const rest = setAside.length - maxListed
  return [
    `${files} changed, and is served: ${parts.join(', ')}`,
    ...setAside.slice(0, maxListed).map(describeRecord),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ].join('\n')
}

/** Without the key of its world, which may be somebody's credentials. */
function describeRecord({ collection, values, why }: SetAsideRecord): string {
  const text = JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return `  ${collection}: ${short}: ${why}`
}
