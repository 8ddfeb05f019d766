/** Compiles the request bodies of an operation, for each media type. */

import type { Effect } from '../../contract/effects/effect.js'
import {
  bareMediaType,
  codecOf,
  inRanges,
  isJson,
  isRange,
  isXml,
  patches,
  specificityOf,
} from '../../contract/http/media-types.js'
import type { BodyContent, CodecName, RequestBody, StyleName, ValueStyle } from '../../contract/request-model.js'
import {
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import type { ShapeCompiler } from '../../schemas/compile-shapes.js'
import type { TextTypeCompiler } from '../../schemas/compile-text-types.js'
import type { ValidatorCompiler } from '../../schemas/compile-validators.js'
import { flattenSchema, isBinary } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { isJsonPatch } from '../../schemas/operations/request-content.js'
import { allowsList } from './compile-representations.js'

/** The compilers that bodies need. */
export interface BodyContext {
  document: OpenApiDocument
  shapes: ShapeCompiler
  textTypes: TextTypeCompiler
  validators: ValidatorCompiler
  /** Leaves out the media types that mean the same as documented ones. */
  isExact?: boolean | undefined
}

/** @param record schema of the record that the operation writes, if it writes one */
export function compileBody(
  context: BodyContext,
  described: DescribedOperation,
  effect: Effect,
  record: Located<Schema> | undefined,
): RequestBody | undefined {
  const { body, method } = described
  if (!body) return undefined
  const bySpecificity = (a: string, b: string) => specificityOf(b) - specificityOf(a)
  const content = Object.entries(body.value.content)
    .toSorted(([a], [b]) => bySpecificity(bareMediaType(a), bareMediaType(b)))
    .flatMap(([name, media]) => {
      const located = { value: media, path: [...body.path, 'content', name] }
      return compileContent(context, bareMediaType(name), located, effect, record)
    })
    // Most specific first, because the first match is used.
    .toSorted((a, b) => bySpecificity(a.mediaType, b.mediaType))
  // Media types that differ only in their parameters are read in the same way.
  const distinct = content.filter(
    ({ mediaType }, index) => content.findIndex((each) => each.mediaType === mediaType) === index,
  )
  if (distinct.length === 0) return undefined
  // Many clients cannot send a body with GET (RFC 9110, section 9.3.1).
  const mayBeMissing = !context.isExact && (method === 'GET' || method === 'HEAD')
  const isRequired = body.value.required === true && !mayBeMissing
  const compiled: RequestBody = { required: isRequired, content: distinct }
  const equivalents = context.isExact ? [] : compileEquivalents(context, described, distinct, effect, record)
  return equivalents.length === 0 ? compiled : { ...compiled, equivalents }
}

const fileTypes = ['text/*', 'image/*', 'audio/*', 'video/*', 'font/*', 'application/pdf', 'application/zip']

/**
 * Each name of JSON means the same. So does JSON for the bytes or the text of an object, and a patch for the change of a
 * record that any JSON describes.
 */
function compileEquivalents(
  context: BodyContext,
  { body, method }: DescribedOperation,
  content: readonly BodyContent[],
  effect: Effect,
  record: Located<Schema> | undefined,
): BodyContent[] {
  const codecs: CodecName[] = ['json', 'merge-patch', 'json-patch']
  const [documented] = codecs.flatMap((name) => content.find(({ codec }) => codec === name) ?? [])
  const object = documented ? undefined : compileObject()
  const json = documented ?? object?.json
  // A file of any type has the bytes that `application/octet-stream` describes.
  const [bytes] = content.length === 1 && content[0]?.mediaType === 'application/octet-stream' ? content : []
  if (!json || !body) return bytes ? fileTypes.map((mediaType) => ({ ...bytes, mediaType })) : []
  const names = ['application/json', 'text/json', '*+json'].map((mediaType) => ({ ...json, mediaType }))
  if (object?.related) names.push(object.related)
  if (method !== 'PATCH' || effect.kind !== 'update') return names
  const validate = context.validators.add({ value: true, path: body.path }, 'request')
  const toPatch = ([mediaType, codec]: [string, CodecName]): BodyContent => {
    return { mediaType, codec, validate, shape: codec === 'json-patch' ? 0 : json.shape }
  }
  return [...Object.entries(patches).map(toPatch), ...names]

  /** A record is sent as JSON, or beside its file, although only a form, a text or the type of the file is documented. */
  function compileObject(): { json: BodyContent; related?: BodyContent } | undefined {
    const isFile = content.every(({ codec, mediaType }) => codec === 'binary' && !isXml(mediaType))
    const isPlain = (name: string) =>
      isFile || /^(text\/(?!.*(xml|\*)).*|multipart\/form-data|.*form-urlencoded)$/.test(bareMediaType(name))
    const [[name = '', value] = []] = Object.entries(body?.value.content ?? {})
    if (!body || !value || !content.every(({ mediaType }) => isPlain(mediaType))) return undefined
    const media = { value, path: [...body.path, 'content', name] }
    const schema = schemaOf(media)
    const { types, properties } = flattenSchema(context.document, schema)
    if (!types.has('object') && properties.size === 0) return undefined
    const parts = { media, schema, record }
    const related = isFile ? { related: compileWith(context, 'multipart/related', 'multipart', parts) } : {}
    return { json: compileWith(context, 'application/json', 'json', parts), ...related }
  }
}

function compileContent(
  context: BodyContext,
  mediaType: string,
  media: Located<MediaTypeObject>,
  effect: Effect,
  record: Located<Schema> | undefined,
): BodyContent[] {
  const schema = schemaOf(media)
  const isPatch = effect.kind === 'update' && isJsonPatch(context.document, mediaType, media)
  const codec = isPatch ? 'json-patch' : chooseCodec(context.document, mediaType, schema)
  const own = compileWith(context, mediaType, codec, { media, schema, record })
  // A range such as `application/*+json` includes only JSON.
  if (codec !== 'json' || !mediaType.endsWith('*')) return [own]
  const inRange = Object.entries(inRanges)
    .filter(([type]) => mediaType.startsWith('*') || type.startsWith('application/'))
    .map(([type, other]) => compileWith(context, type, other, { media, schema, record }))
  if (effect.kind !== 'update') return [...inRange, own]
  // A wildcard includes patches. The schema describes a record, so only the result of a patch is validated.
  const validate = context.validators.add({ value: true, path: schema.path }, 'request')
  const toPatch = ([type, patch]: [string, CodecName]): BodyContent => {
    return { mediaType: type, codec: patch, validate, shape: patch === 'json-patch' ? 0 : own.shape }
  }
  return [...Object.entries(patches).map(toPatch), ...inRange, own]
}

/** Chooses the codec. Text of unknown form is only decoded if its schema does not say more than `string`. */
function chooseCodec(document: OpenApiDocument, mediaType: string, schema: Located<Schema>): CodecName {
  const codec = codecOf(mediaType)
  const { types, keywords } = flattenSchema(document, schema)
  if (codec === 'json') return isRange(mediaType) && isBinary(keywords) ? 'binary' : 'json'
  const isText = types.size === 0 || types.has('string') || mediaType === 'text/plain'
  return codec === 'text' && !isText ? 'binary' : codec
}

interface ContentParts {
  media: Located<MediaTypeObject>
  schema: Located<Schema>
  record: Located<Schema> | undefined
}

function compileWith(
  { document, shapes, validators, textTypes }: BodyContext,
  mediaType: string,
  codec: CodecName,
  { media, schema, record }: ContentParts,
): BodyContent {
  if (codec === 'binary') {
    return { mediaType, codec, validate: validators.add({ value: true, path: schema.path }, 'request'), shape: 0 }
  }
  const isPatch = codec === 'json-patch'
  const shape = isPatch ? 0 : shapes.add(schema, 'request', record)
  // The codec validates a patch itself.
  const judged = isPatch && !allowsList(document, schema) ? { value: true, path: schema.path } : schema
  const content: BodyContent = { mediaType, codec, validate: validators.add(judged, 'request'), shape }
  if (codec !== 'form' && codec !== 'multipart' && codec !== 'text') return content
  content.textType = textTypes.add(schema)
  if (codec === 'text') return content
  const { properties } = flattenSchema(document, schema)
  const styles = Object.entries(media.value.encoding ?? {}).flatMap(([name, encoding]): [string, ValueStyle][] => {
    const property = properties.get(name)
    const style = property && styleOf(encoding)
    return style ? [[name, { ...style, type: textTypes.add(property) }]] : []
  })
  if (styles.length > 0) content.styles = Object.fromEntries(styles)
  const listed = Object.entries(media.value.encoding ?? {}).flatMap(([name, { style, explode, contentType }]) => {
    const isIgnored = contentType === undefined || style !== undefined || explode !== undefined
    return isIgnored
      ? []
      : [[name, contentType.split(',').map((each) => ({ mediaType: bareMediaType(each) }))] as const]
  })
  if (codec === 'multipart' && listed.length > 0) content.partTypes = Object.fromEntries(listed)
  return content
}

const formStyles = ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject']

/** @returns undefined if the field is written as most clients do */
function styleOf({
  style,
  explode,
  contentType,
}: NonNullable<MediaTypeObject['encoding']>[string]): Pick<ValueStyle, 'name' | 'explode'> | undefined {
  // `contentType` is ignored if a style is given (OpenAPI 3.1, section 4.8.15.1.2).
  const isStyled = style !== undefined || explode !== undefined
  if (!isStyled) return contentType !== undefined && isJson(contentType) ? { name: 'json', explode: false } : undefined
  const name = formStyles.includes(style ?? 'form') ? ((style ?? 'form') as StyleName) : 'form'
  return { name, explode: explode ?? name === 'form' }
}
