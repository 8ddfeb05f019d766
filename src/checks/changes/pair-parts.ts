/** Finds the parameters, headers, answers and contents that belong together in two versions. */
import { bareMediaType } from '../../contract/http/media-types.js'
import type { Located, MediaTypeObject, ParameterObject, ResponseObject } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { resolve } from '../../document/references.js'
import { isObject } from '../../json/own-value.js'
import { jsonContent } from '../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import type { VersionOperation } from './change.js'
import type { OperationUse } from './operation-use.js'
import { restOf } from './same-schemas.js'

/** What has a schema. Parameters and headers have no `itemSchema`, and media types have no style. */
export type Holder = Omit<ParameterObject, 'name' | 'in'> & MediaTypeObject & { in?: string }

/** Members of objects other than schemas that rules look at. All others are only compared as a whole. */
const comparedMembers = new Set([
  ...['openapi', '$self', 'info', 'servers', 'paths', 'components', 'security', 'webhooks', 'operationId'],
  ...['parameters', 'requestBody', 'responses', 'headers', 'content', 'schema', 'itemSchema', 'name', 'in', 'required'],
  ...['style', 'explode', 'deprecated'],
])

/** The members that no rule looks at. What is false or empty is as good as absent. */
export const membersOf: (object: object) => object[] = oncePer((object: object) => {
  const isGiven = (value: unknown) => value !== false && !(isObject(value) && Object.keys(value).length === 0)
  return restOf(object, comparedMembers).filter((each) => Object.values(each).every(isGiven))
})

export type Parameter = VersionOperation['parameters'][number]

/** The parameters that both versions have. Those in a path may have other names. */
export function pairParameters(old: VersionOperation, next: VersionOperation): [Parameter, Parameter][] {
  const toNext = new Map(namesInPath(old).map((name, index) => [name, namesInPath(next)[index]]))
  return old.parameters.flatMap((one) => {
    const { name, in: place } = one.value
    const other = next.parameters.find(
      ({ value }) =>
        value.in === place &&
        (place === 'path' ? value.name === toNext.get(name) : isSameName(place, value.name, name)),
    )
    return other ? [[one, other]] : []
  })
}

function namesInPath({ template }: VersionOperation): string[] {
  return template.segments.flatMap(({ names }) => names)
}

function isSameName(place: string, one: string, other: string): boolean {
  return place === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other
}

type Styled = [VersionOperation, Located<Holder>]

/** How a parameter or a header is written in both versions, if that is not the same. */
export function differentStyles(old: Styled, next: Styled): [was: string, now: string] | undefined {
  const [was, now] = [styleOf(...old), styleOf(...next)]
  // A single value is the same in many styles.
  const isSame = was.isSeveral && now.isSeveral ? was.words === now.words : was.single === now.single
  return isSame ? undefined : [was.words, now.words]
}

/** How a value is written, and how a single one is. */
function styleOf({ viewOf }: VersionOperation, located: Located<Holder>) {
  const [media] = Object.keys(located.value.content ?? {})
  const { types } = viewOf(parameterSchema(located)).view()
  const isSeveral = types.has('array') || types.has('object')
  if (media !== undefined) return { isSeveral, words: bareMediaType(media), single: bareMediaType(media) }
  const { in: place, style = place === 'query' || place === 'cookie' ? 'form' : 'simple' } = located.value
  const { explode = style === 'form' } = located.value
  const single = style === 'label' || style === 'matrix' ? style : ''
  // A simple list is the same in both ways, and an object that is a `deepObject` has only one.
  const hasBoth = isSeveral && style !== 'deepObject' && (style !== 'simple' || types.has('object'))
  return { isSeveral, words: `${style}${hasBoth ? `, explode: ${explode}` : ''}`, single }
}

/** By names in lower case (RFC 9110, section 5.1). */
export function headersOf(
  { version: { document } }: VersionOperation,
  { value, path }: Located<ResponseObject>,
): [name: string, header: Located<ParameterObject>][] {
  return Object.entries(value.headers ?? {}).map(([name, header]) => [
    name.toLowerCase(),
    resolve<ParameterObject>(document, header, [...path, 'headers', name]),
  ])
}

/** The response that is documented for a status, or for a key such as `2XX`. */
export function responseFor({ responses }: VersionOperation, status: string): Located<ResponseObject> | undefined {
  const ranges = [status, `${status[0]}XX`, `${status[0]}xx`].flatMap((key) => responses.get(key) ?? [])
  // Of a range, the first status that is documented.
  const within = /^[1-5]XX$/i.test(status) ? [...responses].find(([key]) => key[0] === status[0])?.[1] : undefined
  return ranges[0] ?? within ?? responses.get('default')
}

/** The range, or of errors the default, that documents a status which has no response of its own. */
export function responseBefore({ responses }: VersionOperation, status: string): Located<ResponseObject> | undefined {
  const keys = [`${status[0]}XX`, `${status[0]}xx`, ...(/^[45]/.test(status) ? ['default'] : [])]
  return responses.has(status) ? undefined : keys.flatMap((key) => responses.get(key) ?? [])[0]
}

/** The statuses that a documented response is for, as far as a lock has some. */
export function statusesOf(operation: VersionOperation, key: string, use: OperationUse | undefined): string[] {
  const documented = operation.responses.get(key)
  const used = [...(use?.answers.keys() ?? [])].filter((status) => responseFor(operation, status) === documented)
  return [...used, ...(used.includes(key) ? [] : [key])]
}

/** The content of media types that both versions have. A JSON type that only the old version has is paired with the first one. */
export function* pairContents(
  old: Located<WithContent> | undefined,
  next: Located<WithContent> | undefined,
): Generator<[type: string, old: Located<MediaTypeObject>, next: Located<MediaTypeObject>]> {
  if (!old || !next) return
  const nextTypes = new Map(contentsOf(next))
  const json = jsonContent(old.value.content, old.path)
  for (const [type, one] of contentsOf(old)) {
    const isJson = one.value === json?.value
    const other = nextTypes.get(type) ?? (isJson ? jsonContent(next.value.content, next.path) : undefined)
    if (other) yield [type, one, other]
  }
}

type WithContent = Pick<ResponseObject, 'content'>

function contentsOf({ value: { content = {} }, path }: Located<WithContent>): [string, Located<MediaTypeObject>][] {
  return Object.entries(content).map(([type, value]) => [
    bareMediaType(type),
    { value, path: [...path, 'content', type] },
  ])
}
