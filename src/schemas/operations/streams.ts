/** Finds out whether an operation can stream its answer. */
import { bareMediaType } from '../../contract/http/media-types.js'
import { type OpenApiDocument, schemaOf } from '../../document/document.js'
import { flattenSchema } from '../flatten-schema.js'
import type { DescribedOperation } from './describe-operations.js'

/** Media types of streams, without parameters. */
export const isStream: RegExp =
  /^(text\/event-stream|application\/(x-ndjson|ndjson|jsonl|x-jsonlines|json-lines|json-seq))$/

/** Whether an operation can stream its answer. */
export function canStream(document: OpenApiDocument, described: DescribedOperation): boolean {
  const contents = [...described.responses.values()].flatMap(({ value }) => Object.keys(value.content ?? {}))
  return (
    contents.some((name) => isStream.test(bareMediaType(name))) || findStreamProperty(document, described) !== undefined
  )
}

/** The property of the body that asks for a stream. */
export function findStreamProperty(document: OpenApiDocument, { body }: DescribedOperation): string | undefined {
  const contents = Object.entries(body?.value.content ?? {})
  const isAsking = contents.some(([name, value]) => {
    const schema = schemaOf({ value, path: [...(body?.path ?? []), 'content', name] })
    const property = flattenSchema(document, schema).properties.get('stream')
    return property && flattenSchema(document, property).types.has('boolean')
  })
  return isAsking ? 'stream' : undefined
}
