/** Resolves a `$ref` in the same file or another one (RFC 3986; RFC 6901; JSON Schema 2020-12, section 8.2). */
import { decodeText } from '../contract/path-template.js'
import { isObject } from '../json/own-value.js'
import { type DocumentPath, filesMember, isReference } from './document.js'
import { isForeign, resolveLocation, splitReference, whyForeign } from './locations.js'
import type { Source } from './parse-source.js'

/** The files of a document. */
export interface SourceFiles {
  root: Source
  /** The files that the document refers to, by path or URL. For an unusable file, the reason as a clause. */
  others: ReadonlyMap<string, Source | string>
}

/** The target of a `$ref`: a value in the whole document, which holds each other file as a member. */
export interface Target {
  path: DocumentPath
  value: unknown
}

/** A `$ref` has no target. The message is a clause without a subject. */
export class MissingTarget extends Error {}

export interface Resolver {
  /**
   * @param from the place of the `$ref`
   * @throws MissingTarget
   */
  resolve($ref: string, from: DocumentPath): Target
  /** Like `resolve`, but returns undefined if there is no target. */
  attempt($ref: string, from: DocumentPath): Target | undefined
  /** The file that a part of the document is in. */
  sourceOf(path: DocumentPath): Source
}

/** A schema with an `$id` or anchors. */
interface Identified {
  /** Its resolved `$id`. */
  id: string
  path: DocumentPath
  value: object
}

/** How many more `$ref`s may be followed to find one target. */
interface Steps {
  left: number
}

const maxSteps = 100

export interface ResolverOptions {
  /** Called when the first `$ref` leads to another file. */
  mount(source: Source, path: DocumentPath): void
  /** The file or overlay that a part was written in. */
  originOf(path: DocumentPath): Source
  /** The overlays. Their `$ref`s are relative to the document. */
  overlays: ReadonlySet<Source>
}

/** The files of a document, and what is known about them. */
interface Resolving extends SourceFiles, ResolverOptions {
  /** The members of the document that hold other files, by their name. */
  mounted: Map<string, Source>
  identified: Identified[]
  anchors: Map<Source, Map<string, Target>>
}

export function createResolver(files: SourceFiles, options: ResolverOptions): Resolver {
  const resolving: Resolving = { ...files, ...options, mounted: new Map(), identified: [], anchors: new Map() }
  index(resolving, resolving.root)
  return {
    sourceOf: (path) => sourceOf(resolving, path),
    resolve: ($ref, from) => resolve(resolving, $ref, from),
    attempt: ($ref, from) => attempt(resolving, $ref, from),
  }
}

function pathOf(resolving: Resolving, source: Source): DocumentPath {
  if (source === resolving.root) return []
  const path = [filesMember, source.file]
  if (resolving.anchors.has(source)) return path
  resolving.mounted.set(source.file, source)
  resolving.mount(source, path)
  index(resolving, source)
  return path
}

/** A file as part of the document, with the changes of resolving.overlays. */
function targetOf(resolving: Resolving, source: Source): Target {
  const path = pathOf(resolving, source)
  const files = (resolving.root.value as Record<string, Record<string, unknown>>)[filesMember]
  return { path, value: source === resolving.root ? resolving.root.value : files?.[source.file] }
}

function sourceOf(resolving: Resolving, [first, name]: DocumentPath): Source {
  return (first === filesMember && resolving.mounted.get(String(name))) || resolving.root
}

/** Records the schemas of a file that have an identifier or an anchor. */
function index(resolving: Resolving, source: Source): void {
  const known = new Map<string, Target>()
  resolving.anchors.set(source, known)
  if (!/\$(?:id|anchor|dynamicAnchor)\b/.test(source.text)) return
  const seen = new Set<unknown>()
  const open: { value: unknown; path: DocumentPath; base: string }[] = [
    { value: source.value, path: pathOf(resolving, source), base: source.location },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, base } = next
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const { $id, $anchor, $dynamicAnchor } = value as Record<string, unknown>
    const id = typeof $id === 'string' ? resolveLocation(base, splitReference($id)[0]) : base
    if (id !== base) resolving.identified.push({ id, path, value })
    for (const name of [$anchor, $dynamicAnchor]) {
      if (typeof name === 'string' && !known.has(name)) known.set(name, { path, value })
    }
    for (const [name, inner] of Object.entries(value)) open.push({ value: inner, path: [...path, name], base: id })
  }
}

function open(resolving: Resolving, file: string, from: DocumentPath): { source: Source } | Target {
  const origin = resolving.originOf([...from, '$ref'])
  const source = resolving.overlays.has(origin) ? resolving.root : sourceOf(resolving, from)
  if (file === '') return { source }
  // The innermost identifier of the enclosing schemas counts.
  const around = resolving.identified.filter(
    ({ path }) => path.length > 0 && path.every((part, at) => part === from[at]),
  )
  const base = around.at(-1)?.id
  const fileAt = (location: string) => {
    if (location === resolving.root.location) return resolving.root
    return isForeign(origin.location, location) ? whyForeign : resolving.others.get(location)
  }
  const locations = [
    ...(base === undefined ? [] : [resolveLocation(base, file)]),
    resolveLocation(source.location, file),
  ]
  for (const location of locations) {
    const byId = resolving.identified.find(({ id }) => id === location)
    if (byId) return byId
    const other = fileAt(location)
    if (typeof other === 'object') return { source: other }
  }
  const why = fileAt(locations.at(-1) ?? file)
  throw new MissingTarget(typeof why === 'string' ? `cannot be read: ${why}` : '')
}

function resolve(resolving: Resolving, $ref: string, from: DocumentPath, steps: Steps = { left: maxSteps }): Target {
  if (steps.left === 0) throw new MissingTarget('leads back to itself')
  steps.left--
  const [file, fragment] = splitReference($ref)
  const opened = open(resolving, file, from)
  const target = 'source' in opened ? targetOf(resolving, opened.source) : opened
  if (fragment === '') return target
  if (fragment.startsWith('/')) return walk(resolving, target, fragment, from, steps)
  const source = sourceOf(resolving, target.path)
  const anchored = resolving.anchors.get(source)?.get(decodeText(fragment) ?? fragment)
  if (anchored) return anchored
  for (const section of ['/components/schemas/', '/definitions/', '/$defs/']) {
    try {
      return walk(resolving, target, section + fragment, from, steps)
    } catch {
      // Try the next one.
    }
  }
  throw new MissingTarget(`points to nothing: there is no anchor "${fragment}"`)
}

function attempt(resolving: Resolving, $ref: string, from: DocumentPath, steps?: Steps): Target | undefined {
  try {
    return resolve(resolving, $ref, from, steps)
  } catch (error) {
    if (error instanceof MissingTarget) return undefined
    throw error
  }
}

/** Follows a pointer from a value, including `$ref`s on the way. */
function walk(resolving: Resolving, start: Target, pointer: string, from: DocumentPath, steps: Steps): Target {
  let { path, value } = start
  for (const part of pointer.slice(1).split('/').map(toName)) {
    const isThere = () => typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    const next = !isThere() && isReference(value) ? attempt(resolving, value.$ref, path, steps) : undefined
    if (next) ({ path, value } = next)
    if (!isThere()) return walkElsewhere(resolving, start, pointer, from, part)
    value = (value as Record<string, unknown>)[part]
    path = [...path, part]
  }
  return { path, value }
}

/** A pointer without a target in its file may be relative to a schema with an identifier, or to the whole document. */
function walkElsewhere(
  resolving: Resolving,
  start: Target,
  pointer: string,
  from: DocumentPath,
  missing: string,
): Target {
  const around = resolving.identified.filter(
    ({ path }) => path.length > 0 && path.every((part, at) => part === from[at]),
  )
  const starts = [...around.toReversed(), { path: [], value: resolving.root.value }]
  for (const { path, value } of starts) {
    const found = walkOnly(value, pointer)
    if (found !== undefined) return { path: [...path, ...pointer.slice(1).split('/').map(toName)], value: found }
  }
  const { file } = sourceOf(resolving, start.path)
  throw new MissingTarget(
    `points to nothing: there is no "${missing}"${file === resolving.root.file ? '' : ` in "${file}"`}`,
  )
}

function walkOnly(root: unknown, pointer: string): unknown {
  let value = root
  for (const part of pointer.slice(1).split('/').map(toName)) {
    value =
      (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined
  }
  return value
}

function toName(part: string): string {
  return (decodeText(part) ?? part).replaceAll('~1', '/').replaceAll('~0', '~')
}
