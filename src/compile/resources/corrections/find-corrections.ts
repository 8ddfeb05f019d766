/** Finds `x-sandbox-resource` and `x-sandbox-lifecycle` on paths, schemas and tags: the first evidence of facts about records. */
import { suggestion } from '../../../contract/suggest-closest.js'
import {
  type DocumentPath,
  DocumentProblem,
  type Located,
  type OpenApiDocument,
  pathItemOf,
  type Schema,
} from '../../../document/document.js'
import { oncePer } from '../../../document/once.js'
import { resolve } from '../../../document/references.js'
import { isObject } from '../../../json/own-value.js'
import { behindReference } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../describe-operations.js'
import { checkCorrection } from './check-correction.js'
import { lifecycle, resourceVocabulary } from './vocabulary.js'

export const resourceName = 'x-sandbox-resource'
const lifecycleName = 'x-sandbox-lifecycle'

/** What the vocabulary of `x-sandbox-resource` allows. */
export interface ResourceCorrection {
  key?: string
  keys?: string[]
  record?: string
  request?: string
  owner?: Record<string, string>
  references?: Record<string, string | { to: string; strict?: boolean }>
  unique?: string[]
  first?: Record<string, unknown>
  lifecycle?: Lifecycle | false
  made?: Record<string, string>
  names?: Record<string, string>
  environment?: string
}

export interface Lifecycle {
  property: string
  from: unknown
  to: { after: string; value: unknown; sets?: Record<string, unknown> }[]
  fail?: number
  failed?: unknown
}

/** The corrections of one collection, and where each member is written. */
export interface ResourceCorrections extends ResourceCorrection {
  /** @throws DocumentProblem if the text is none of those that are known */
  check(member: keyof ResourceCorrection, text: string, known: Iterable<string>, what: string, ...at: string[]): void
}

interface Found {
  value: ResourceCorrection
  at: DocumentPath
  isUsed: boolean
}

interface Corrections {
  /** @returns those of the tags, the schema and the paths of records: later ones count more. Undefined without any */
  of(operations: readonly DescribedOperation[], record: Located<Schema> | undefined): ResourceCorrections | undefined
  /** @throws DocumentProblem if one is about no records */
  refuseUnused(): void
}

/** Reads all corrections of the records of a document. @throws DocumentProblem for an invalid one */
export const correctionsOf: (document: OpenApiDocument) => Corrections = oncePer((document: OpenApiDocument) => {
  const paths = new Map<unknown, Found>()
  const schemas = new Map<unknown, Found>()
  const tags = new Map<unknown, Found>()
  for (const [path, written] of Object.entries(document.paths ?? {})) {
    if (!isObject(written)) continue
    const item = resolve<object>(document, written, ['paths', path])
    add(paths, item.path.join('\n'), item)
    for (const [method, operation] of Object.entries(item.value))
      if (isObject(operation)) refuseIn(operation, [...item.path, method])
  }
  for (const [name, value] of Object.entries(document.components?.schemas ?? {}))
    if (isObject(value)) add(schemas, value, { value, path: ['components', 'schemas', name] })
  const listed = 'tags' in document && Array.isArray(document['tags']) ? document['tags'] : []
  for (const [index, tag] of listed.entries())
    if (isObject(tag)) add(tags, tag['name'], { value: tag, path: ['tags', index] })
  refuseIn(document, [])
  const all = [tags, schemas, paths].flatMap((each) => [...each.values()])
  return {
    of(operations, record) {
      if (all.length === 0) return undefined
      const named = operations.flatMap(({ value }) =>
        'tags' in value && Array.isArray(value['tags']) ? value['tags'] : [],
      )
      const found = [
        ...named.map((name) => tags.get(name)),
        record && schemas.get(behindReference(document, record).value),
        ...operations.toReversed().map(({ at }) => paths.get(pathItemOf(at).join('\n'))),
      ].filter((each) => each !== undefined)
      for (const each of found) each.isUsed = true
      return found.length === 0 ? undefined : merge(found)
    },
    refuseUnused() {
      const lost = all.find(({ isUsed }) => !isUsed)
      if (lost)
        throw new DocumentProblem(
          `${resourceName} is about no records: no operation of the sandbox keeps any here`,
          lost.at,
        )
    },
  }
})

function add(found: Map<unknown, Found>, key: unknown, { value: holder, path }: Located<object>): void {
  const written: Record<string, unknown> = { ...holder }
  const value = written[resourceName]
  if (value !== undefined) checkCorrection(resourceName, value, resourceVocabulary, [...path, resourceName])
  const own = written[lifecycleName]
  if (own !== undefined) checkCorrection(lifecycleName, own, lifecycle, [...path, lifecycleName])
  if (value === undefined && own === undefined) return
  const at = [...path, value === undefined ? lifecycleName : resourceName]
  const progress = own === undefined ? {} : { lifecycle: own as Lifecycle | false }
  found.set(key, { value: { ...progress, ...(value as ResourceCorrection) }, at, isUsed: false })
}

/** Refuses corrections of records where they would have no effect. */
function refuseIn(holder: object, path: DocumentPath): void {
  const wrong = [resourceName, lifecycleName].find((name) => name in holder)
  if (wrong !== undefined) throw new DocumentProblem(`${wrong} must be on a path, a schema or a tag`, [...path, wrong])
}

function merge(found: readonly Found[]): ResourceCorrections {
  const value: ResourceCorrection = Object.assign({}, ...found.map((each) => each.value))
  return {
    ...value,
    check(member, text, known, what, ...at) {
      const names = [...known]
      if (names.includes(text)) return
      const place = found.findLast((each) => member in each.value)?.at ?? []
      const own = place.at(-1) === lifecycleName ? place : [...place, member]
      const message = `${own.slice(place.length - 1).join('.')}: there is no ${what} "${text}"${suggestion(text, names)}`
      throw new DocumentProblem(message, [...own, ...at])
    },
  }
}
