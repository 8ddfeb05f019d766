/** Applies an overlay to a document (OpenAPI Overlay 1.0 and 1.1). */
import { exec, type JsonValue } from 'jsonpath-rfc9535'
import parse from 'jsonpath-rfc9535/parser'
import { copyValue } from '../json/copy.js'
import { isObject } from '../json/own-value.js'
import { type DocumentPath, DocumentProblem, type FilePlace, filesMember, isReference } from './document.js'
import { correctionIn, findLostCorrection, lostTarget } from './lost-corrections.js'
import { createMerger } from './merge-overlay.js'
import type { Notes } from './notes.js'
import type { Source } from './parse-source.js'
import type { Places, WrittenPlace } from './places.js'
import { quoteValue } from './quote-value.js'
import type { Resolver, Target } from './resolve-reference.js'

export interface OverlayOptions {
  resolver: Resolver
  places: Places
  notes: Notes
  /** Whether any `$ref` may lead to another file. */
  hasFiles: boolean
}

interface Action {
  target: string
  remove: boolean
  copy: string | undefined
  update: unknown
  /** Its place in the overlay. */
  path: DocumentPath
}

/**
 * @param document is modified
 * @throws DocumentProblem if this is not an overlay, or if it corrects a missing operation
 */
export function applyOverlay(
  document: Record<string, unknown>,
  overlay: Source,
  { resolver, places, notes, hasFiles }: OverlayOptions,
): void {
  const placeOf = (at: DocumentPath): FilePlace => ({ file: overlay.file, at })
  const merger = createMerger(document, { places, notes })

  for (const action of readActions(overlay, notes)) {
    const { target, remove, copy, update, path } = action
    const from: WrittenPlace = { source: overlay, path: [...path, 'update'] }
    const correction = correctionIn(update)
    const isCorrection = correction !== undefined
    const targetPlace = placeOf([...path, 'target'])
    const found = select(target, targetPlace, isCorrection)
    if (found.length === 0) {
      if (isCorrection) throw new DocumentProblem(lostTarget(target, correction, document), targetPlace)
      notes.add(targetPlace, `The target ${quoteValue(target)} matches nothing`, 'the action changes nothing')
    } else if (remove) merger.remove(found.map(({ holder, key }) => [...holder, key]))
    else if (copy !== undefined) applyCopy(action, found)
    else if (update === undefined) {
      notes.add(placeOf(path), 'The action has no update, copy or remove', 'it is ignored')
    } else {
      for (const { path, value } of found) {
        // A correction is about what a `$ref` stands for.
        const to = isCorrection ? behind({ value, path }, resolver).path : path
        const lost = isCorrection ? findLostCorrection(document, to, update) : undefined
        if (lost) throw new DocumentProblem(lost.message, placeOf([...from.path, ...lost.path]))
        merger.merge(to, update, from)
      }
    }
  }

  function applyCopy({ copy = '', path }: Action, targets: Selected[]): void {
    const place = placeOf([...path, 'copy'])
    const [node, second] = select(copy, place, false)
    if (!node || second) {
      const count = node ? 'more than one node' : 'nothing'
      notes.add(place, `copy must select one node, but ${quoteValue(copy)} matches ${count}`, 'the action is ignored')
      return
    }
    const value = copyValue(node.value as JsonValue)
    for (const { path: to } of targets) merger.merge(to, value, places.find(node.path))
  }

  function select(expression: string, place: FilePlace, isCorrection: boolean): Selected[] {
    const { view, toPath } = hasFiles ? openReferences(document, resolver) : { view: document, toPath: undefined }
    const found: Selected[] = []
    try {
      exec(view as JsonValue, expression, (value, names) => {
        const written = names.map((name) => (typeof name === 'string' ? unescapeName(name) : name))
        const path = toPath?.(written) ?? written
        const holder = toPath?.(written.slice(0, -1)) ?? written.slice(0, -1)
        found.push({ value, path, holder, key: written.at(-1) ?? '' })
      })
    } catch (error) {
      const why = (error as Error).message.replace(/\.$/, '')
      const message = `${quoteValue(expression)} is not a JSONPath (RFC 9535): ${why}`
      if (isCorrection) throw new DocumentProblem(message, place)
      notes.add(place, message, 'the action is ignored')
      return []
    }
    return found.length > 0 ? found : reachBehind(document, resolver, expression)
  }
}

/** A node that a JSONPath matches. */
interface Selected {
  value: unknown
  path: DocumentPath
  /** The path of the object or array that contains it. It differs from the matched path behind a `$ref`. */
  holder: DocumentPath
  key: string | number
}

/** The names of a normalized path are escaped (RFC 9535, section 2.7). */
function unescapeName(name: string): string {
  return name.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code?: string, letter = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' }[letter as string] ?? letter
  })
}

function readActions({ value, file }: Source, notes: Notes): Action[] {
  const refuse = (why: string, at: DocumentPath) =>
    new DocumentProblem(`This is not an OpenAPI Overlay: ${why}`, { file, at })
  if (!isObject(value)) throw refuse('it must be an object', [])
  const { overlay, actions } = value
  if (overlay === undefined) {
    const isDocument = 'openapi' in value || 'swagger' in value
    throw refuse(
      `it has no "overlay" field at its root${isDocument ? '. Use --spec for a document' : ', such as overlay: 1.0.0'}`,
      [],
    )
  }
  if (!Array.isArray(actions)) throw refuse(`actions must be an array (got ${quoteValue(actions)})`, ['actions'])
  if (!/^1\.[01](\.|$)/.test(String(overlay))) {
    const message = `overlay must be 1.0.0 or 1.1.0 (got ${quoteValue(overlay)})`
    notes.add({ file, at: ['overlay'] }, message, 'it is read as 1.1.0')
  }
  return actions.flatMap((action: unknown, index): Action[] => {
    const path = ['actions', index]
    const { target, remove, copy, update } = isObject(action) ? action : {}
    if (typeof target === 'string') {
      return [{ target, remove: remove === true, copy: typeof copy === 'string' ? copy : undefined, update, path }]
    }
    const message = `${path.join('.')} must be an object with a target (got ${quoteValue(isObject(action) ? target : action)})`
    const correction = correctionIn(update)
    if (correction !== undefined)
      throw new DocumentProblem(`${message}, so its ${correction} is lost`, { file, at: path })
    notes.add({ file, at: path }, message, 'it is ignored')
    return []
  })
}

/** The depth up to which `$ref`s to other files are followed, by root member. */
const opened: Record<string, number> = { paths: 2, components: 2, definitions: 1, parameters: 1, responses: 1 }

interface OpenedDocument {
  view: Record<string, unknown>
  /** Converts a path in the view to one in the document. */
  toPath(path: DocumentPath): DocumentPath
}

function openReferences(document: Record<string, unknown>, resolver: Resolver): OpenedDocument {
  const homes = new Map<string, DocumentPath>()

  function open(target: Target, at: DocumentPath, levels: number): unknown {
    const { value, path } = follow(target, resolver)
    if (path !== target.path) homes.set(JSON.stringify(at.map(String)), path)
    if (levels === 0 || !isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, value]) => [
        name,
        open({ value, path: [...path, name] }, [...at, name], levels - 1),
      ]),
    )
  }

  const view = { ...document }
  delete view[filesMember]
  for (const [name, levels] of Object.entries(opened)) {
    if (name in view) view[name] = open({ value: view[name], path: [name] }, [name], levels)
  }
  return {
    view,
    toPath(path) {
      for (let length = Math.min(path.length, 3); length > 0; length--) {
        const home = homes.get(JSON.stringify(path.slice(0, length).map(String)))
        if (home) return [...home, ...path.slice(length)]
      }
      return path
    },
  }
}

/**
 * Finds what a JSONPath of names, indexes and wildcards means if each `$ref` on its way stands for its target.
 * @returns nothing for other selectors, which look at the document as it is written
 */
function reachBehind(document: Record<string, unknown>, resolver: Resolver, expression: string): Selected[] {
  let found: Selected[] = [{ value: document, path: [], holder: [], key: '' }]
  for (const segment of parse(expression).segments) {
    const { node } = segment
    const selectors = node.type === 'BracketedSelection' ? node.selectors : [node]
    if (segment.type !== 'ChildSegment') return []
    found = found.flatMap((each) => {
      const { value, path } = behind(each, resolver)
      if (typeof value !== 'object' || value === null) return []
      const keys = Array.isArray(value) ? value.keys() : Object.keys(value)
      const isChosen = (key: string | number) =>
        selectors.some(
          (selector) => selector.type === 'WildcardSelector' || ('value' in selector && selector.value === key),
        )
      return [...keys].filter(isChosen).map((key): Selected => {
        return { value: Reflect.get(value, key), path: [...path, key], holder: path, key }
      })
    })
  }
  return found
}

/** The target of a `$ref`, in any file. The value itself if it is no `$ref`, or if that points to nothing. */
function behind(start: Target, resolver: Resolver): Target {
  let found = start
  for (let steps = 0; steps < 100 && isReference(found.value); steps++) {
    const next = resolver.attempt(found.value.$ref, found.path)
    if (!next) break
    found = next
  }
  return found
}

/** Follows `$ref`s that lead to other files. */
function follow(target: Target, resolver: Resolver): Target {
  let found = target
  for (let steps = 0; steps < 100 && isReference(found.value); steps++) {
    const isInside = found.value.$ref.startsWith('#') && found.path[0] !== filesMember
    const next = isInside ? undefined : resolver.attempt(found.value.$ref, found.path)
    if (!next) break
    found = next
  }
  return found
}
