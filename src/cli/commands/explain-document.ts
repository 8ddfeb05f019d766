/** Prints the effects of the operations of a document with their reasons, and its notes. */
import type { ResourceFact, ServiceHabit } from '../../behaviour/explain.js'
import { plural, toJson, toLines } from '../../checks/reports/report-texts.js'
import { explainValues } from '../../compile/explain-values.js'
import type { ExplainedOperation } from '../../compile/resources/explain-operation.js'
import type { OverlayAction } from '../../compile/resources/print-overlay.js'
import { webhooksOf } from '../../compile/webhooks/read-webhook-rules.js'
import type { CollectionModel, Contract, Operation } from '../../contract/contract.js'
import { type FollowingWebhook, webhooksFollowing } from '../../contract/describe-webhooks.js'
import { unreadParameters } from '../../contract/effects/find-idle.js'
import { neverAnswers } from '../../contract/effects/never-answers.js'
import type { OpenFact } from '../../contract/open-fact.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import type { DocumentNote } from '../../document/notes.js'
import { compileSpec } from '../../entries/compile-spec.js'
import { toOverlay, writeOverlay } from '../../entries/corrections.js'
import { findRecordSchema } from '../../generate/collection-to-generate.js'
import { type DocumentOptions, toSpecOptions } from '../options/document-options.js'

export interface ExplainOptions extends DocumentOptions {
  json?: boolean
  /** Only operations whose path contains this text. */
  path?: string
  asOverlay?: boolean
  asOverrides?: boolean
  /** Only what nobody has said or shown. */
  open?: boolean
}

/** The output of `--json`. */
interface Explanation {
  habits: ServiceHabit[]
  operations: (ExplainedOperation & {
    sends?: FollowingWebhook[]
    http?: string[]
    unread?: string[]
    never?: string[]
  })[]
  collections: (Pick<CollectionModel, 'name' | 'key' | 'keyKind' | 'servers'> & {
    path: string
    facts: ResourceFact[]
  })[]
  /** Names of servers that share their data. */
  sharing: string[][]
  notes: DocumentNote[]
  /** The webhooks that no operation sends. */
  unsentWebhooks: string[]
}

/** @param part only operations whose path contains this text */
export async function explainDocument(
  part: string | undefined,
  { strict = false, json = false, asOverlay = false, asOverrides = false, open = false, ...options }: ExplainOptions,
): Promise<void> {
  const compiled = await compileSpec(toSpecOptions(options), { strict, thorough: true })
  const { contract, explanations, habits, collectionPaths, collectionFacts } = compiled
  const operations = explanations
    .map((each, index) => ({
      ...each,
      ...sendsOf(contract, contract.operations[index]?.id),
      ...httpOf(contract.operations[index]),
      ...unreadOf(contract.operations[index]),
      ...neverOf(contract, contract.operations[index]),
    }))
    .filter(({ path }) => part === undefined || path.includes(part))
  const title = `${contract.title.replace(/\s+/g, ' ')} ${contract.version}`.trim()
  if (part === '' || (part !== undefined && operations.length === 0)) {
    // Probably a misspelled file name.
    if (/\.(ya?ml|json)$/i.test(part) && options.spec === undefined) await compileSpec({ spec: part }, { strict })
    const why = `"${part}" is neither the file or URL of a document nor a part of a path of ${title}`
    throw new SandboxError(
      'INVALID_OPTION',
      `${why}; name a file that exists, or a part of a path such as "${contract.operations[0]?.path}"`,
    )
  }
  if (open) {
    const ids = new Set(
      operations.flatMap(
        ({ method, path }) =>
          contract.operations.find((each) => each.method === method && each.path === path)?.id ?? [],
      ),
    )
    const own = new Set(operations.map(({ collection }) => collection))
    const facts = compiled
      .openFacts()
      .filter((fact) =>
        fact.operation !== undefined
          ? ids.has(fact.operation)
          : !fact.isDoubt && (part === undefined || own.has(collectionPaths.get(fact.collection ?? '') ?? '')),
      )
    process.stdout.write(json ? toJson(facts) : toLines(renderOpen(title, facts)))
    return
  }
  if (asOverrides) {
    process.stdout.write(toLines(renderOverrides(operations)))
    return
  }
  const shown = new Set(operations.map(({ collection }) => collection))
  if (asOverlay) {
    const isShown = ({ path, isOfRecords }: OverlayAction) =>
      part === undefined || path.includes(part) || (isOfRecords && shown.has(path))
    const overlayTitle = `What is inferred of ${title}`
    const actions = (await compiled.inferAgain()).overlay.filter(isShown)
    process.stdout.write(json ? toJson(toOverlay(overlayTitle, actions)) : await writeOverlay(overlayTitle, actions))
    return
  }
  const collections = contract.collections
    .map(({ name: collection, key, keyKind, servers, record }) => {
      const schema = () => findRecordSchema(compiled.document, contract.recordSchemas[record] ?? [])
      // Values are many, so they are only printed for a part of the document.
      const values = json || part !== undefined ? explainValues(compiled.document, schema(), collection) : []
      const facts = [...(collectionFacts.get(collection) ?? []), ...values.filter(({ about }) => about !== key)]
      return { name: collection, path: collectionPaths.get(collection) ?? '', key, keyKind, servers, facts }
    })
    .filter(({ path }) => part === undefined || shown.has(path))
  const sent = new Set(contract.webhooks?.map(({ name }) => name))
  const unsentWebhooks = [...webhooksOf(compiled.document).keys()].filter((name) => !sent.has(name))
  const sharing = sharingOf(contract)
  const notes = compiled.notes()
  const explanation: Explanation = { habits, operations, collections, sharing, notes, unsentWebhooks }
  process.stdout.write(json ? toJson(explanation) : toLines(render(title, explanation)))
}

/** Each open fact with its reason, and the line of an overlay that settles it. */
function renderOpen(title: string, facts: readonly OpenFact[]): string {
  const count = `${title}: ${plural(facts.length, 'open fact')}`
  const lines = facts.flatMap(({ fact, about, why, right, correct, confirm }) => [
    `  ${fact}${about.length > 0 && right === undefined ? ` (${about.join(', ')})` : ''}`,
    `    why: ${why}${right ? `, and such guesses are right in ${Math.round(right * 100)} %` : ''}`,
    `    correct: ${JSON.stringify(correct)}`,
    `    or confirm: ${JSON.stringify(confirm.update)}`,
  ])
  return [count, '', ...lines, ''].join('\n')
}

/** A file with a stub for each operation of which something is not sure. */
function renderOverrides(operations: Explanation['operations']): string {
  const stubs = operations.flatMap(({ method, path, effect, reason, sure, unread = [], never = [] }) => {
    const facts = [
      ...(sure === 'high' ? [] : [`${effect}, ${sure === 'low' ? 'not sure' : 'likely'}: ${reason}`]),
      ...(unread.length > 0 ? [`nothing is done with ${unread.join(', ')}`] : []),
      ...(never.length > 0 ? [`never answers ${never.join(', ')}`] : []),
    ]
    if (facts.length === 0) return []
    const said = facts.map((fact) => `  // ${fact.replace(/\s+/g, ' ')}`)
    return [...said, `  ${toJson(`${method} ${path}`)}: async ({ next }) => next(),`]
  })
  const start = ["import { defineOverrides } from 'petstore-sandbox'", '', 'export default defineOverrides({']
  return [...start, ...stubs, '})', ''].join('\n')
}

function sharingOf({ sharedServers = [] }: Contract): string[][] {
  const firsts = [...new Set(sharedServers.map(([, first]) => first))]
  return firsts.map((first) => [first, ...sharedServers.flatMap(([name, own]) => (own === first ? [name] : []))])
}

function sendsOf(contract: Contract, id: string | undefined): { sends?: FollowingWebhook[] } {
  const sends = webhooksFollowing(contract, id)
  return sends.length === 0 ? {} : { sends }
}

function httpOf(operation: Operation | undefined): { http?: string[] } {
  const http = operation ? describeHttp(operation) : []
  return http.length === 0 ? {} : { http }
}

function unreadOf(operation: Operation | undefined): { unread?: string[] } {
  const unread = operation ? unreadParameters(operation) : []
  return unread.length === 0 ? {} : { unread }
}

function neverOf(contract: Contract, operation: Operation | undefined): { never?: string[] } {
  const never = operation ? neverAnswers(contract, operation) : []
  return never.length === 0 ? {} : { never }
}

function render(
  title: string,
  { habits, operations, collections, sharing, notes, unsentWebhooks }: Explanation,
): string {
  const widthOf = (texts: string[]) => Math.max(0, ...texts.map((text) => text.length))
  const widths = [
    widthOf(operations.map(({ method }) => method)),
    widthOf(operations.map(({ path }) => path)),
    widthOf(operations.map(({ effect }) => effect)),
  ] as const
  const rows = operations.flatMap(({ method, path, effect, reason, sure, sends = [], http, unread, never }) => {
    const doubt = sure === 'high' ? '' : ` (${sure === 'low' ? 'not sure' : 'likely'})`
    const sent = sends.map(({ kind, name, method: sentBy, to, delayMs, signatures }) => {
      const later = delayMs === 0 ? '' : ` after ${delayMs} ms`
      const signed = signatures ? `, signed in ${signatures.join(', ')} (--webhook-secret)` : ''
      return `${' '.repeat(widths[0] + 4)}sends the ${kind} ${name}: ${sentBy} ${to}${later}${signed}`
    })
    const own = `${method.padEnd(widths[0])}  ${path.padEnd(widths[1])}  ${effect.padEnd(widths[2])}  ${reason}${doubt}`
    const care = http ? [`${' '.repeat(widths[0] + 4)}takes care of ${http.join(', ')}`] : []
    const meaning = `nothing says what ${unread?.length === 1 ? 'it means' : 'they mean'}`
    const idle = unread ? [`${' '.repeat(widths[0] + 4)}ignores ${unread.join(', ')}: ${meaning}`] : []
    const unmet = never ? [`${' '.repeat(widths[0] + 4)}never answers ${never.join(', ')} without a fault`] : []
    return [`  ${own}`, ...care, ...idle, ...unmet, ...sent]
  })
  const facts = collections.flatMap(({ path, facts }) =>
    facts.map(({ fact, about, evidence, why }) => `  ${path}  ${fact} ${about}  by ${evidence}: ${why}`),
  )
  const known = facts.length === 0 ? [] : ['', 'What is known about the records:', ...facts]
  const environments = sharing.map((names) => `  ${names.join(', ')}`)
  const joined =
    sharing.length === 0 ? [] : ['', 'Servers that share their data (x-sandbox-environment):', ...environments]
  const names = unsentWebhooks.join(', ')
  const unsent = unsentWebhooks.length === 0 ? [] : ['', `Webhooks that are not sent (x-sandbox-webhooks): ${names}`]
  const found = groupNotes(notes).map(({ count, file, line, column, message, instead }) => {
    const place = `${file}:${line}:${column}`
    const text = `${message.replace(/\s+/g, ' ')}; ${instead}`
    return count === 1 ? `  ${place}  ${text}` : `  ${count} ×, first at ${place}  ${text}`
  })
  const guessed = operations.filter(({ sure }) => sure !== 'high').length
  const guesses = guessed === 0 ? '' : `; ${plural(guessed, 'operation')} ${guessed === 1 ? 'is' : 'are'} guessed`
  const heading = notes.length === 0 ? `Nothing is wrong in the document${guesses}` : `${plural(notes.length, 'note')}:`
  const all = habits.map(
    ({ habit, says, why }) => `  ${habit}: ${typeof says === 'string' ? says : JSON.stringify(says)}, since ${why}`,
  )
  return [
    title,
    '',
    ...(habits.length > 0 ? ['Habits (x-sandbox-service):', ...all, ''] : []),
    ...rows,
    ...known,
    ...joined,
    ...unsent,
    '',
    heading,
    ...found,
    '',
  ].join('\n')
}

/** Groups equal notes, with the place of the first one. */
function groupNotes(notes: readonly DocumentNote[]): (DocumentNote & { count: number })[] {
  const groups = new Map<string, DocumentNote & { count: number }>()
  for (const note of notes) {
    const key = JSON.stringify([note.message, note.instead])
    const known = groups.get(key)
    if (known) known.count++
    else groups.set(key, { ...note, count: 1 })
  }
  return [...groups.values()]
}

/** The HTTP semantics of an operation, such as `ETag`, `If-Match (428 without)` and `Idempotency-Key` */
function describeHttp({ extras, method }: Operation): string[] {
  if (extras?.kind !== 'http') return []
  const { versions, idempotencyKey, idempotencyProperty, location } = extras
  const isReading = method === 'GET' || method === 'HEAD'
  const tag = versions?.tag === undefined ? 'ETag' : `ETag of ${versions.tag}`
  const time = versions?.modified === undefined ? '' : `, Last-Modified of ${versions.modified}`
  const condition = isReading ? 'If-None-Match (304)' : `If-Match (412${versions?.isRequired ? ', 428 without' : ''})`
  return [
    ...(versions ? [`${tag}${time}`, condition] : []),
    ...(idempotencyKey === undefined ? [] : [idempotencyKey]),
    ...(idempotencyProperty === undefined ? [] : [`${idempotencyProperty} of the body`]),
    ...(location ? [location.header] : []),
  ]
}
