/** Reads the lines of persons: `x-sandbox-resource` and `x-sandbox-lifecycle` on paths, schemas and tags, `x-sandbox-effect` in operations. */
import { findWrong } from '../behaviour/check-value.js'
import { type Evidence, Lines, saidBy } from '../behaviour/line.js'
import type { CollectionLines, CollectionMembers, OperationLines, OperationMembers } from '../behaviour/members.js'
import { effectVocabulary, lifecycle, resourceVocabulary, type Vocabulary } from '../behaviour/vocabulary.js'
import {
  type DocumentPath,
  DocumentProblem,
  type Located,
  type OpenApiDocument,
  pathItemOf,
  type Schema,
} from '../document/document.js'
import { oncePer } from '../document/once.js'
import { resolve } from '../document/references.js'
import { effectName, resourceName, serviceName } from '../document/refuse-unknown.js'
import { isObject } from '../json/own-value.js'
import { behindReference } from '../schemas/flatten-schema.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'

const lifecycleName = 'x-sandbox-lifecycle'

/** What is written at one place. */
interface Written {
  value: Record<string, unknown>
  at: DocumentPath
  isUsed: boolean
}

interface ResourceExtensions {
  /** @returns the lines of the tags, the schema and the paths of records: later ones count more */
  of(operations: readonly DescribedOperation[], record: Located<Schema> | undefined): CollectionLines
  /** @throws DocumentProblem if one is about no records */
  refuseUnused(): void
}

/** Reads all lines about the records of a document. @throws DocumentProblem for an invalid one */
export const extensionsOf: (document: OpenApiDocument) => ResourceExtensions = oncePer((document: OpenApiDocument) => {
  const paths = new Map<unknown, Written>()
  const schemas = new Map<unknown, Written>()
  const tags = new Map<unknown, Written>()
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
      if (all.length === 0) return new Lines()
      const named = operations.flatMap(({ value }) =>
        'tags' in value && Array.isArray(value['tags']) ? value['tags'] : [],
      )
      const found = [
        ...operations.map(({ at }) => paths.get(pathItemOf(at).join('\n'))),
        record && schemas.get(behindReference(document, record).value),
        ...named.toReversed().map((name) => tags.get(name)),
      ].filter((each) => each !== undefined)
      for (const each of found) each.isUsed = true
      return toCollectionLines(found)
    },
    refuseUnused() {
      const lost = all.find(({ isUsed }) => !isUsed)
      if (!lost) return
      const message = `${resourceName} is about no records: no operation of the sandbox keeps any here`
      throw new DocumentProblem(message, lost.at)
    },
  }
})

function add(found: Map<unknown, Written>, key: unknown, { value: holder, path }: Located<object>): void {
  const written: Record<string, unknown> = { ...holder }
  const value = written[resourceName]
  const own = written[lifecycleName]
  if (value !== undefined) refuseWrong(resourceName, value, resourceVocabulary, path)
  if (own !== undefined) refuseWrong(lifecycleName, own, lifecycle, path)
  if (value === undefined && own === undefined) return
  const at = [...path, value === undefined ? lifecycleName : resourceName]
  const progress = own === undefined ? {} : { lifecycle: own }
  found.set(key, { value: { ...progress, ...(value as object) }, at, isUsed: false })
}

function refuseWrong(name: string, value: unknown, vocabulary: Vocabulary, path: DocumentPath): void {
  const wrong = findWrong(name, value, vocabulary)
  if (wrong) throw new DocumentProblem(wrong.message, [...path, name, ...wrong.at])
}

/** Refuses what is about records where it would have no effect. */
function refuseIn(holder: object, path: DocumentPath): void {
  if (path.length > 0 && serviceName in holder)
    throw new DocumentProblem(`${serviceName} must be at the root of the document`, [...path, serviceName])
  const wrong = [resourceName, lifecycleName].find((name) => name in holder)
  if (wrong !== undefined) throw new DocumentProblem(`${wrong} must be on a path, a schema or a tag`, [...path, wrong])
}

/** Members of which a person says all that there is. */
const complete: readonly string[] = ['keys', 'owner', 'unique', 'changes']

const says = `${resourceName} says so`
/** Why the lines of a member hold. @default `x-sandbox-resource names it` */
const reasons: Readonly<Record<string, string>> = {
  ...{ references: `${resourceName} names its collection`, lifecycle: 'a lifecycle says so' },
  ...{ first: says, made: says },
}

/** @param found those that count most first */
function toCollectionLines(found: readonly Written[]): CollectionLines {
  const lines: CollectionLines = new Lines()
  const known = new Set<string>()
  for (const { value, at } of found)
    for (const [member, written] of Object.entries(value)) {
      if (known.has(member) || member === 'recorded') continue
      known.add(member)
      const place = at.at(-1) === lifecycleName ? at : [...at, member]
      const why = reasons[member] ?? `${resourceName} names it`
      addWritten(lines, member as keyof CollectionMembers, written, { why, place, recorded: value['recorded'] })
    }
  return lines
}

interface Said extends Pick<Evidence, 'why' | 'place'> {
  /** What recordings show of the lines of the extension. */
  recorded: unknown
}

/** Adds what is written of a member: one line, or one for each of its names. */
function addWritten<Members>(
  lines: Lines<Members>,
  member: keyof Members & string,
  written: unknown,
  { why, place, recorded }: Said,
): void {
  const add = (about: string, value: unknown) => {
    const said = saidBy(Object(recorded), member, about, why)
    lines.add(member, about, value as Members[keyof Members], { ...said, from: 'extension', ...(place && { place }) })
  }
  if (Array.isArray(written)) for (const name of written) add(String(name), true)
  else if (isObject(written) && member !== 'lifecycle')
    for (const [name, each] of Object.entries(written)) add(name, member === 'references' ? toReference(each) : each)
  else add('', written)
  if (complete.includes(member)) lines.complete(member)
}

function toReference(written: unknown): CollectionMembers['references'] {
  return typeof written === 'string' ? { to: written } : (written as CollectionMembers['references'])
}

/** The lines of persons about an operation. They are read once, and nobody adds others. */
export const effectLinesOf: (operation: DescribedOperation) => OperationLines = oncePer(readEffectLines)

/** Reads the lines of persons about an operation. @throws DocumentProblem for an invalid one */
export function readEffectLines({ value, at }: DescribedOperation): OperationLines {
  const lines: OperationLines = new Lines()
  const written: unknown = value[effectName]
  if (written === undefined) return lines
  refuseWrong(effectName, written, effectVocabulary, at)
  const { recorded, ...members } = typeof written === 'string' ? { effect: written } : Object(written)
  for (const [member, each] of Object.entries(members)) {
    const place = [...at, effectName, ...(typeof written === 'string' ? [] : [member])]
    addWritten(lines, member as keyof OperationMembers, each, { why: `${effectName} says so`, place, recorded })
  }
  return lines
}
