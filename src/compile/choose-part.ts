/** Chooses a part of the operations of a document. */
import { unknownName } from '../contract/sandbox-error.js'
import type { DescribedOperation } from './describe-operations.js'

/** The operations that have one of the tags, and those with one of the ids. */
export interface DocumentPart {
  tags?: readonly string[] | undefined
  operations?: readonly string[] | undefined
}

/** @throws SandboxError `INVALID_OPTION` for a tag or an id that no operation has */
export function createIsKept(
  described: readonly DescribedOperation[],
  { tags = [], operations = [] }: DocumentPart,
): (operation: DescribedOperation) => boolean {
  const known = { tag: new Set(described.flatMap(tagsOf)), operation: new Set(described.map(({ id }) => id)) }
  for (const tag of tags) if (!known.tag.has(tag)) throw unknownName('tag', tag, [...known.tag])
  for (const id of operations) if (!known.operation.has(id)) throw unknownName('operation', id, [...known.operation])
  return (operation) => operations.includes(operation.id) || tagsOf(operation).some((tag) => tags.includes(tag))
}

/** The tags of an operation, without what is no text. */
function tagsOf({ value: { tags } }: DescribedOperation): string[] {
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []
}
