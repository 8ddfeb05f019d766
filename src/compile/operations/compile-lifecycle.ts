/** Compiles the lifecycle of an operation: its deprecation, removal, successor and stability. */

import type { Lifecycle, Successor } from '../../contract/contract.js'
import type { Effect } from '../../contract/effects/effect.js'
import { parseTime, timeWords } from '../../contract/parse-time.js'
import { writeQuery } from '../../contract/path-template.js'
import { DocumentProblem } from '../../document/document.js'
import type { Notes } from '../../document/notes.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'

/**
 * Reads `deprecated`, `x-deprecated-since`, `x-sunset`, `x-successor: { operationId }` and `x-stability-level`.
 * @param effectOf returns the effect of an operation, for the filters of the successor
 * @param notes collects extensions that cannot be read
 */
export function compileLifecycle(
  operation: DescribedOperation,
  operations: readonly DescribedOperation[],
  effectOf: (operation: DescribedOperation) => Effect,
  notes: Notes,
): Lifecycle {
  const { value } = operation
  const lifecycle: Lifecycle = { deprecated: value.deprecated === true }
  const since = readTime('x-deprecated-since')
  if (lifecycle.deprecated && since !== undefined) lifecycle.deprecatedSince = Math.floor(since / 1000)
  const sunset = readTime('x-sunset')
  if (sunset !== undefined) lifecycle.sunset = sunset
  const stability = value['x-stability-level']
  if (typeof stability === 'string') lifecycle.stability = stability
  const successor = notes.attempt(() => findSuccessor(operation, operations), 'it is ignored', undefined)
  if (successor) lifecycle.successor = toSuccessor(successor, effectOf(successor))
  return lifecycle

  function readTime(extension: `x-${string}`): number | undefined {
    return notes.attempt(() => toTime(operation, extension), 'it is ignored', undefined)
  }
}

function findSuccessor(
  { value, at }: DescribedOperation,
  operations: readonly DescribedOperation[],
): DescribedOperation | undefined {
  const written = value['x-successor'] as { operationId?: string } | undefined
  if (written === undefined) return undefined
  const successorId = String(written?.operationId ?? written)
  const successor = operations.find((other) => other.value.operationId === successorId)
  if (successor && typeof written === 'object') return successor
  const message = `x-successor must be { operationId } of an operation in the document (got "${successorId}")`
  throw new DocumentProblem(message, [...at, 'x-successor'])
}

function toSuccessor(operation: DescribedOperation, effect: Effect): Successor {
  return {
    method: operation.method,
    path: operation.path,
    ...toLink(operation),
    filters:
      effect.kind === 'list'
        ? effect.query.filters.flatMap(({ name, compare }) => (compare === 'equal' ? [name] : []))
        : [],
  }
}

function toTime({ value, at }: DescribedOperation, extension: `x-${string}`): number | undefined {
  const written = value[extension]
  if (written === undefined) return undefined
  const time = typeof written === 'string' ? parseTime(written) : undefined
  if (time !== undefined) return time
  throw new DocumentProblem(`${extension} must be ${timeWords} (got "${written}")`, [...at, extension])
}

/** The path with its query. Absent if it has parameters. */
function toLink({ template }: DescribedOperation): { link?: string } {
  if (template.segments.some(({ names }) => names.length > 0)) return {}
  const query = writeQuery(template)
  return { link: toUriReference(query === '' ? template.path : `${template.path}?${query}`) }
}

/**
 * Percent-encodes characters that a `Link` header does not allow (RFC 8288, section 3), but not those already encoded. A path
 * that begins with two slashes would name a host (RFC 3986, section 4.2), so it gets a dot segment, which clients remove.
 */
function toUriReference(path: string): string {
  const encoded = path.toWellFormed().replace(/%(?![\dA-Fa-f]{2})|[^!#-;=?-Z_a-z~[\]]/gu, encodeURIComponent)
  return encoded.startsWith('//') ? `/.${encoded}` : encoded
}
