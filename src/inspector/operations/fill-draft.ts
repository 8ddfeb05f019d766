/** Fills in the form of an operation from a request that was sent before. */
import type { Exchange, Operation } from '../api-types.js'
import { parseExact } from '../json-text.js'
import { headerOf } from '../requests/replay.js'
import { decode } from '../router.js'
import { environment, lookAt, world } from '../store.js'
import { bareType } from './body-kind.js'
import { bodyDraftOf, type Draft, draftOf, forgetDraft, markKept } from './drafts.js'
import { idOf } from './write-request.js'

/** Takes the values of the path, the query and a body in JSON. */
export function fillDraft(
  { world: key, environment: of, request, violations = [] }: Exchange,
  { id, path }: Operation,
): void {
  if (of !== undefined) environment.value = of
  if (key !== undefined && key !== world.value) lookAt(key)
  forgetDraft(environment.value, id)
  const draft = draftOf(environment.value, id)
  const sent = request.path.split('/')
  const inPath = path.split('/').flatMap((part, at) => {
    const [, name] = /^\{(.*)\}$/.exec(part) ?? []
    return name === undefined ? [] : [[idOf('path', name), decode(sent[at] ?? '')]]
  })
  const inQuery = [...new URLSearchParams(request.query)].map(([name, value]) => [idOf('query', name), value])
  draft.parameters.value = Object.fromEntries([...inPath, ...inQuery])
  const type = bareType(headerOf(request.headers, 'content-type') ?? '')
  draft.hasBody.value = type !== ''
  if (request.body !== undefined && /json$/.test(type)) fillBody(draft, type, request.body)
  draft.refused.value = violations
  markKept(draft)
}

function fillBody(draft: Draft, type: string, body: string): void {
  draft.mediaType.value = type
  try {
    bodyDraftOf(draft, type).value.value = { value: parseExact(body) }
  } catch {
    bodyDraftOf(draft, type).text.value = body
  }
}
