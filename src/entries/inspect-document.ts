/** Collects facts about a document for the control API: reasons, places, and requests that users can try. */

import { writeEffect } from '../behaviour/write-lines.js'
import { createFindRelied } from '../checks/consumer/relied.js'
import { withPathKey } from '../checks/provider/provider-collection.js'
import {
  createDraft,
  type Draft,
  toProviderRequest,
  withBody,
  withParameter,
} from '../checks/provider/requests/request-draft.js'
import { locateViolation } from '../compile/locate-violation.js'
import { sampleValid } from '../compile/operations/compile-ensure.js'
import type { OverlayAction } from '../compile/resources/print-overlay.js'
import type { Operation } from '../contract/contract.js'
import { describeChanges } from '../contract/effects/describe-changes.js'
import type { OpenFact } from '../contract/open-fact.js'
import type { ParameterPlace } from '../contract/request-model.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { DocumentPart, Inspected, RequestValues, WrittenRequest } from '../control/inspected.js'
import { type DocumentPath, filesMember, type OpenApiDocument, type Schema } from '../document/document.js'
import { once } from '../document/once.js'
import { confirmedName, effectName } from '../document/refuse-unknown.js'
import { createFindReferences } from '../generate/find-references.js'
import { effectLinesOf } from '../infer/read-extensions.js'
import { fromJsonPointer, toJsonPointer } from '../json/json-pointer.js'
import { getOrInsert, isObject, ownValue } from '../json/own-value.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import { type DescribedOperation, describeOperations } from '../schemas/operations/describe-operations.js'
import type { CompiledText } from './compile-text.js'
import { type Corrections, nextOverlay, writeCommand, writeOverlay } from './corrections.js'
import { completeRecord, ownersOf } from './examples/complete-record.js'
import type { Examples } from './examples/example-draft.js'
import { createFormReferences } from './examples/form-references.js'
import { createForm, type FormContext, membersOf, optional, textOf, withMediaType } from './examples/operation-form.js'

const places = ['path', 'query', 'header', 'cookie'] as const
/** How many exchanges are known to be looked at. */
const maxExchanges = 10_000

type Inspectable = Pick<
  CompiledText,
  | 'contract'
  | 'document'
  | 'explanations'
  | 'locate'
  | 'inferAgain'
  | 'collectionPaths'
  | 'collectionFacts'
  | 'openFacts'
>

export function inspectDocument(
  compiled: Inspectable,
  sandbox: Sandbox,
  corrections: Corrections | undefined,
): Inspected {
  const { contract: whole, document, explanations, locate, inferAgain, collectionPaths, collectionFacts } = compiled
  const { contract } = sandbox
  const all = describeOperations(document)
  const described = new Map(all.map((each) => [each.id, each]))
  const reasons = new Map(explanations.map((each) => [`${each.method} ${each.path}`, each]))
  const operations = new Map(contract.operations.map((each) => [each.id, each]))
  const isOn = canTryIn(document, true)
  const findReferences = createFindReferences(document, whole, () => true)

  /** Cached places of operations, because each list contains all of them. */
  const parts = new Map<string, DocumentPart>()
  const toPart = (path: DocumentPath): DocumentPart => ({ pointer: toPlainPointer(path), ...locate(path) })

  let examples: Promise<Examples> | undefined
  const loadExamples = async () => (await import('./examples/example-draft.js')).createExamples(contract, document, all)
  const formContext: FormContext = {
    sandbox,
    exampleRequests: () => (examples ??= loadExamples()),
    formReferences: once(() => createFormReferences(document, whole)),
    factsOf: (collection) => [...(collectionFacts.get(collection) ?? [])],
  }

  const canTry = (id: string) => canTryIn(described.get(id)?.value, isOn)
  const reasonOf = (id: string) => {
    const operation = operations.get(id)
    return operation && reasons.get(`${operation.method} ${operation.path}`)
  }
  const inferWith = (id: string, tried: object | undefined) => {
    const known = { documented: described.get(id) as DescribedOperation, explained: reasonOf(id) }
    return correctionOf({ inferAgain, corrections, ...known }, operations.get(id) as Operation, tried)
  }

  const openFacts = once(() => compiled.openFacts())
  const findRelied = once(() => createFindRelied(contract, openFacts(), true))
  const relied = new Map<number, Pick<OpenFact, 'number' | 'about'>[]>()
  const print = async (title: string, actions: readonly OverlayAction[]) => {
    const file = nextOverlay()
    const overlay = await writeOverlay(`${title} of ${whole.title} ${whole.version}`.trim(), actions)
    return { overlay, file, ...optional('command', writeCommand(file)) }
  }

  return {
    openFacts,
    reliedOf(exchange) {
      // Repeated requests count, so each exchange is looked at once.
      if (relied.size > maxExchanges) relied.clear()
      return getOrInsert(relied, exchange.id, () =>
        findRelied()(exchange).map(({ number, about }) => ({ number, about })),
      )
    },
    canTry,
    reasonOf,
    summaryOf: (id) => textOf(membersOf(described.get(id)?.value)['summary']),
    tagsOf(id) {
      const { tags } = membersOf(described.get(id)?.value)
      return Array.isArray(tags) ? tags.filter((each) => typeof each === 'string') : []
    },
    pathOf: (name) => collectionPaths.get(name) ?? '',
    async overlayOf(id, tried) {
      const { actions, change, effect, does, reason } = await inferWith(id, tried)
      const { [id]: applied, ...others } = Object.fromEntries(corrections?.actions ?? [])
      const shown = tried ? change : applied
      return {
        ...(shown
          ? await print('Corrections', [...Object.values(others), shown])
          : await print('What is inferred', actions)),
        ...{ effect, does, reason },
        corrected: tried ?? writeEffect(effectLinesOf(described.get(id) as DescribedOperation), 'written'),
        ...(corrections && { applied: applied !== undefined }),
      }
    },
    ...(corrections && {
      async correct(id: string, effect?: object) {
        const change = effect && (await inferWith(id, effect)).change
        if (effect && !change) throw new SandboxError('INVALID_OPTION', 'HEAD follows GET; correct that operation')
        await corrections.correct(id, change)
      },
      async confirm(target: string, name: string, isRight: boolean) {
        const isMeant = ({ confirm }: OpenFact) =>
          confirm.target === target && String(confirm.update[confirmedName]) === name
        const fact = isRight ? openFacts().find(isMeant) : undefined
        if (isRight && !fact) return false
        const others = { isReplaced: false, path: '', isOfRecords: false }
        const action = fact && { ...fact.confirm, description: `${fact.fact}: ${fact.why}`, ...others }
        await corrections.correct(`${target}\n${name}`, action)
        return true
      },
    }),
    async corrections() {
      const actions = [...(corrections?.actions.values() ?? [])]
      const confirmed = actions.filter(({ update }) => confirmedName in update).length
      return { ...(await print('Corrections', actions)), confirmed }
    },
    sampleOf: (pointer, name) => sampleAt(document, pointer, name),
    referencesOf(name) {
      const model = whole.collections.find((each) => each.name === name)
      return model ? findReferences(model).filter(({ isList, isName }) => !isList && !isName) : []
    },
    complete(model, values, environment, world) {
      const collection = (name: string) => world.collection(name, environment)
      const newest = new Map(ownersOf(model).map((name) => [name, collection(name).select([], 1)[0]?.values]))
      const { size } = collection(model.name)
      const record = completeRecord(whole, model, values, { size, newest }) ?? values
      return { ...record, [model.key]: ownValue(values, model.key) }
    },
    locate(id, violation, sent) {
      const operation = described.get(id)
      if (!operation) return undefined
      if (violation) return toPart(locateViolation(document, operation, violation, sent))
      const part = parts.get(id) ?? toPart(operation.at)
      parts.set(id, part)
      return part
    },
    locateWebhook(name, method) {
      const isThere = (place: string) => Object.hasOwn(membersOf(membersOf(document)[place]), name)
      const place = ['webhooks', 'x-webhooks'].find(isThere)
      return place === undefined ? undefined : toPart([place, name, method.toLowerCase()])
    },
    formOf: (id, world) =>
      createForm(formContext, operations.get(id) as Operation, canTry(id), described.get(id), world),
    write: (id, values) => writeRequest(sandbox, operations.get(id) as Operation, values),
  }
}

interface Correcting extends Pick<CompiledText, 'inferAgain'> {
  corrections: Corrections | undefined
  documented: DescribedOperation
  /** What is inferred without a correction. */
  explained: { effect: string; reason: string } | undefined
}

/** What is inferred of an operation, or would be with a correction, and the change of the document for it. */
async function correctionOf(
  { inferAgain, corrections, documented, explained }: Correcting,
  { id, method, path }: Operation,
  tried: object | undefined,
) {
  const again = await inferAgain(tried && { at: [...documented.at, effectName], value: tried })
  const own = again.explanations.find((each) => each.method === method && each.path === path)
  const after = again.contract.operations.find((each) => each.id === id)
  const actions = again.overlay.filter((action) =>
    action.isOfRecords
      ? action.path === own?.collection
      : action.path === path && action.target.toLowerCase().endsWith(`.${method.toLowerCase()}`),
  )
  const action = actions.find(({ isOfRecords }) => !isOfRecords)
  const { effect = '', reason = '' } = explained ?? {}
  const description = `Before: ${effect}, because ${reason}`
  // A further correction is one of the same document.
  const known = corrections?.actions.get(id) ?? { description, isReplaced: documented.value[effectName] !== undefined }
  const { description: before, isReplaced } = known
  return {
    actions,
    change: action && { ...action, description: before, isReplaced, update: { [effectName]: tried } },
    effect: membersOf(action?.update[effectName]),
    does: after ? describeChanges(after.effect) : [],
    reason: own?.reason ?? '',
  }
}

/** @returns undefined if there is no schema */
function sampleAt(document: OpenApiDocument, pointer: string, name: string | undefined): unknown {
  const path = fromJsonPointer(pointer)
  const value = path.reduce<unknown>(
    (part, each) =>
      isObject(part) || Array.isArray(part) ? ownValue(part as Record<string, unknown>, each) : undefined,
    document,
  )
  if (!isObject(value) && value !== true) return undefined
  return sampleValid(document, { value: value as Schema, path }, name) ?? null
}

function writeRequest(
  { contract }: Sandbox,
  described: Operation,
  { key, environment, parameters = {}, body, mediaType }: RequestValues,
): WrittenRequest {
  const operation = mediaType === undefined ? described : withMediaType(described, mediaType)
  const server = environment ?? operation.servers[0]
  const baseUrl = contract.servers.find(({ name }) => name === server)?.mount ?? ''
  let draft = createDraft(operation)
  for (const place of places) {
    for (const [name, value] of Object.entries(parameters[place] ?? {})) draft = withValue(draft, place, name, value)
  }
  if (body !== undefined) draft = withBody(draft, body)
  const { method, url, headers, body: text } = toProviderRequest(draft, { baseUrl, contract, key })
  // Without a scheme, a header of the sandbox names the world.
  const named = operation.security.length === 0 ? [['Sandbox-World', key] as const] : []
  return {
    method,
    target: url,
    headers: [...named, ...headers].map(([name, value]) => ({ name, value })),
    ...(text !== undefined && { body: text }),
  }
}

function withValue(draft: Draft, place: ParameterPlace, name: string, value: unknown): Draft {
  return place === 'path' ? withPathKey(draft, name, value) : withParameter(draft, place, name, value)
}

/** Whether a document or an operation allows trying: `x-sandbox-try`, or the extensions of ReadMe and others. */
function canTryIn(value: unknown, otherwise: boolean): boolean {
  const { 'x-sandbox-try': own, 'x-explorer-enabled': other, 'x-readme': readme } = membersOf(value)
  const said = [own, other, membersOf(readme)['explorer-enabled']].find((each) => typeof each === 'boolean')
  return typeof said === 'boolean' ? said : otherwise
}

/** A JSON Pointer in the file of a part. */
function toPlainPointer(path: DocumentPath): string {
  return toJsonPointer(path[0] === filesMember ? path.slice(2) : path)
}
