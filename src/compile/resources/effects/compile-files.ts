/**
 * Finds the operations that upload and download files. An upload stores its file for the download at the same path, or below
 * the record that the upload creates.
 */

import type { OperationSaid } from '../../../behaviour/members.js'
import type { Operation } from '../../../contract/contract.js'
import type { FilePath, FileUse, KeepFile } from '../../../contract/effects/effect.js'
import { bareMediaType, isJson, isXml } from '../../../contract/http/media-types.js'
import { type PathSegment, parsePathTemplate, wholeParameter } from '../../../contract/path-template.js'
import { type OpenApiDocument, schemaOf } from '../../../document/document.js'
import { flattenSchema, isBinary } from '../../../schemas/flatten-schema.js'
import { isWriting } from '../../../schemas/operations/change.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import { isTextual } from '../../samples/write-value.js'

interface Candidate {
  operation: Operation
  described: DescribedOperation
  segments: PathSegment[]
  lines: OperationSaid
}

/**
 * @param linesOf what is said of an operation
 * @returns what each operation does with files, in the order of the operations
 */
export function compileFiles(
  document: OpenApiDocument,
  operations: readonly Operation[],
  described: readonly DescribedOperation[],
  linesOf: (operation: DescribedOperation) => OperationSaid,
): (FileUse | undefined)[] {
  const candidates = operations.flatMap((operation, index): Candidate[] => {
    const description = described[index]
    if (!description) return []
    const { segments } = parsePathTemplate(operation.path)
    return [{ operation, described: description, segments, lines: linesOf(description) }]
  })
  const downloads = candidates.filter((each) => isDownload(document, each))
  const keeps = candidates.map((each): KeepFile | undefined => {
    const values = compileFileValues(each)
    const paths = isUpload(each) || values?.encoded !== undefined ? findPaths(each, downloads) : []
    return paths.length > 0 || values ? { kind: 'keep', paths, ...values } : undefined
  })
  const kept = new Set(keeps.flatMap((each) => each?.paths.map(({ path }) => path) ?? []))
  const keptSegments = [...kept].map((path) => parsePathTemplate(path).segments)
  return candidates.map(({ operation, described: { responses }, segments }, index): FileUse | undefined => {
    const keep = keeps[index]
    if (keep) return keep
    const { method, path, effect } = operation
    if (method === 'GET' && kept.has(path)) {
      const types = [...responses].flatMap(([status, { value }]) =>
        'status' in effect && status === String(effect.status) ? Object.keys(value.content ?? {}) : [],
      )
      return { kind: 'send', types: types.map(bareMediaType) }
    }
    const isAbove = () => keptSegments.some((each) => startsWith(each, segments))
    return method === 'DELETE' && segments.some(({ names }) => names.length > 0) && isAbove()
      ? { kind: 'remove' }
      : undefined
  })
}

/** What the record that an operation writes says of its file. */
function compileFileValues({
  operation,
  lines,
}: Candidate): Pick<KeepFile, 'values' | 'encoded' | 'named'> | undefined {
  const { effect } = operation
  if (!('collection' in effect) || !isWriting(effect.kind)) return undefined
  const values = lines.all('describes').map(({ says }) => says)
  if (values.length === 0) return undefined
  const [encoded, named] = [lines.value('encoded'), lines.value('fileName')]
  return { values, ...(encoded !== undefined && { encoded }), ...(named !== undefined && { named }) }
}

function isDownload(document: OpenApiDocument, candidate: Candidate): boolean {
  const { method, effect } = candidate.operation
  if (method !== 'GET' || effect.kind !== 'example' || effect.mediaType === undefined) return false
  return !isJson(effect.mediaType) || isContent(document, candidate)
}

/** Whether a path shows the content of a file as a text: `GET /files/{fileId}/content` with `type: string` */
function isContent(document: OpenApiDocument, { described: { responses }, lines }: Candidate): boolean {
  if (!lines.value('showsContent')) return false
  const response = responses.get('200')
  const [[type, value] = []] = Object.entries(response?.value.content ?? {})
  if (!response || type === undefined || value?.schema === undefined) return false
  const { types } = flattenSchema(document, schemaOf({ value, path: [...response.path, 'content', type] }))
  return types.size === 1 && types.has('string')
}

/** Whether a body may be, or have, a file. */
function isUpload({ operation }: Candidate): boolean {
  return /^(POST|PUT)$/.test(operation.method) && hasFile(operation)
}

function hasFile({ body }: Operation): boolean {
  return body?.content.some(({ codec }) => /binary|multipart|text/.test(codec)) === true
}

function findPaths({ operation, segments, lines }: Candidate, downloads: readonly Candidate[]): FilePath[] {
  const same = downloads.filter((each) => isSamePath(each.segments, segments) && fits(operation, each))
  if (same.length > 0) return same.map((each) => ({ path: each.operation.path }))
  const below = downloads.filter((each) => (isFile(each) || isJsonText(each)) && startsWith(each.segments, segments))
  const keys = lines.value('fileKeys') ?? []
  return below.flatMap((each): FilePath[] => {
    const [first, ...rest] = each.segments.slice(segments.length)
    const others = first && first.names.length > 0 ? rest : [first, ...rest]
    if (others.length > 2 || others.some((segment) => segment?.names.length !== 0)) return []
    const { path } = each.operation
    if (first?.names.length === 0) return operation.method === 'PUT' ? [{ path }] : []
    const parameter = first && wholeParameter(first)
    return parameter === undefined || operation.method !== 'POST' ? [] : [{ path, properties: [parameter, ...keys] }]
  })
}

/** A PUT and a GET of a path have the same content. A POST may have other content, unless both are files. */
function fits({ method, body }: Operation, download: Candidate): boolean {
  if (method === 'PUT') return true
  const types = (body?.content ?? []).filter(({ mediaType }) => !isXml(mediaType)).map(({ codec }) => codec)
  return isFile(download) && types.some((codec) => codec === 'binary' || codec === 'multipart')
}

function isFile({ operation: { effect }, described: { responses } }: Candidate): boolean {
  if (effect.kind !== 'example' || effect.mediaType === undefined) return false
  const isDeclared = [...responses.values()].some(({ value }) =>
    Object.values(value.content ?? {}).some(({ schema }) => isBinary(schema)),
  )
  return isDeclared || !isTextual(bareMediaType(effect.mediaType))
}

/** A download whose content is described as a JSON text. */
function isJsonText({ operation: { effect } }: Candidate): boolean {
  return effect.kind === 'example' && effect.mediaType !== undefined && isJson(effect.mediaType)
}

function isSamePath(one: readonly PathSegment[], other: readonly PathSegment[]): boolean {
  return one.length === other.length && startsWith(one, other)
}

/** Whether a path begins with the segments of another one. Names of parameters do not matter. */
function startsWith(whole: readonly PathSegment[], start: readonly PathSegment[]): boolean {
  return start.every(({ texts }, index) => {
    const own = whole[index]?.texts
    return own?.length === texts.length && texts.every((text, place) => text === own[place])
  })
}
