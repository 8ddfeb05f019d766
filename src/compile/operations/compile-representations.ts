/** Compiles the further media types in which an operation can answer. */
import type { Effect } from '../../contract/effects/effect.js'
import { bareMediaType, isJson, isRange, isXml } from '../../contract/http/media-types.js'
import type { Representation } from '../../contract/http/representation.js'
import {
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { withLazy } from '../../document/once.js'
import { fromJson, toJson } from '../../json/exact-json.js'
import { rootName, type XmlCompiler } from '../../schemas/compile-xml.js'
import { flattenSchema, isListSchema } from '../../schemas/flatten-schema.js'
import { chooseSuccess } from '../../schemas/operations/choose-success.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { sampleBody, toJsonExample } from '../samples/sample-body.js'
import type { EnsureCompiler } from './compile-ensure.js'
import { compileStream, isStreamOf } from './compile-streams.js'

export interface RepresentationContext {
  document: OpenApiDocument
  ensures: EnsureCompiler
  xml: XmlCompiler
}

/** @returns undefined if an operation always answers in the same media type */
export function compileRepresentations(
  { document, ensures, xml }: RepresentationContext,
  described: DescribedOperation,
  effect: Effect,
): Representation[] | undefined {
  const success = chooseSuccess(described)
  if (!success || effect.kind === 'undescribed' || effect.mediaType === undefined) return undefined
  const { response } = success
  const content = Object.entries(response.value.content ?? {})
  const own = bareMediaType(effect.mediaType)
  const [ownName = '', primary] = content.find(([name]) => bareMediaType(name) === own) ?? []
  const primaryPath = [...response.path, 'content', ownName]
  const others = content.filter(
    ([name], index) =>
      !isRange(name) &&
      bareMediaType(name) !== own &&
      content.findIndex(([each]) => bareMediaType(each) === bareMediaType(name)) === index,
  )
  const all = others.flatMap(([name, media]) => compileOne(name, media) ?? [])
  return all.length > 0 || described.responses.has('406') ? all : undefined

  function compileOne(name: string, media: MediaTypeObject): Representation | undefined {
    const bare = bareMediaType(name)
    const mediaType = name.trim()
    const located = { value: media, path: [...response.path, 'content', name] }
    const schema = schemaOf(located)
    if (primary && isJson(own) && isStreamOf(document, bare, located)) {
      const whole = primary.schema === undefined ? undefined : schemaOf({ value: primary, path: primaryPath })
      const stream = compileStream({ document, described, media: located, mediaType }, whole, ensures)
      return { mediaType, from: 'stream', stream }
    }
    if (primary && isJson(own) && media.schema !== undefined && isSameSchema(primary.schema, media.schema)) {
      if (isJson(bare)) return { mediaType, from: 'json' }
      if (bare === 'text/plain') return { mediaType, from: 'text' }
      if (isXml(bare)) return { mediaType, from: 'xml', element: xml.add(schema), root: rootName(schema) }
    }
    if (isJson(bare)) {
      const toExample = () => toJsonExample(document, located)
      const ensure = media.schema === undefined ? undefined : ensures.addFor(schema, () => fromJson(toExample()))
      return withLazy({ mediaType, from: 'example' as const, ...(ensure && { ensure }) }, 'body', toExample)
    }
    const sampled = sampleBody(document, { [name]: media }, response.path)
    if (!sampled) return undefined
    const { base64 } = sampled
    if (base64 !== undefined) return { mediaType, from: 'example', base64 }
    return withLazy({ mediaType, from: 'example' as const }, 'body', () => sampled.text ?? '')
  }
}

function isSameSchema(one: Schema | undefined, other: Schema): boolean {
  return one === other || toJson(one) === toJson(other)
}

/** Whether a schema for a JSON Patch allows a list: documents often give the schema of the record, or of one change. */
export function allowsList(document: OpenApiDocument, schema: Located<Schema>): boolean {
  return isListSchema(flattenSchema(document, schema))
}
