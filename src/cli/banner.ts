/** The banner: everything that a user needs for the first request. */
import { plural } from '../checks/reports/report-texts.js'
import { toSafeLine } from '../contract/safe-text.js'
import { withPlace } from '../contract/sandbox-error.js'
import { isRootDocumented } from '../control/create-control.js'
import { writeExampleCurl } from '../entries/examples/example-request.js'
import type { Reload, RunningServer, SetAsideRecord } from '../entries/node.js'
import { name, version } from '../generated/package.js'
import { isLoopbackHost } from '../node/host-name.js'
import { describe } from '../sandbox/facade/sandbox.js'
import type { DocumentOptions } from './options/document-options.js'

/** Maximum rows of a table, and maximum servers in one row. The end of the banner must stay visible. */
const maxRows = 20
const maxNamed = 3

/** Options of `serve` that the banner depends on. */
export interface BannerOptions extends DocumentOptions {
  host?: string
  controlToken?: string
  scenario?: string
  records?: number | undefined
  /** Where worlds are kept. @default `memory` */
  store?: string
}

/**
 * The text of the banner. Its last line never changes, as scripts wait for it.
 * @param options where the document is, for a further command, and who can reach the control API
 */
export async function renderBanner(
  { url, sandbox, noteCount, document }: Pick<RunningServer, 'url' | 'sandbox' | 'noteCount' | 'document'>,
  { host = '127.0.0.1', controlToken, store = 'memory', scenario, records, ...options }: BannerOptions = {},
): Promise<string> {
  const hasInspector = controlToken !== undefined || isLoopbackHost(host)
  const explain = [name, 'explain', ...toArguments(options)].join(' ')
  const { title, servers, operations, keys, tokens } = describe(sandbox, url)
  const isGenerated = options.spec !== undefined && scenario === undefined && records !== 0
  const curl = await writeExampleCurl(sandbox, document, url, isGenerated)
  const hasSeveral = servers.length > 1
  const rows = operations.map(({ method, path, effect, notes, servers: on }) => {
    const where = hasSeveral && on.length < servers.length ? nameSome(on) : ''
    return [method, path, effect, ...(hasSeveral ? [where] : []), notes]
  })
  return [
    // A folded text of YAML ends with a line break.
    `${name} ${version}: ${title.replace(/\s+/g, ' ')}`,
    '',
    ...table(rows),
    ...more(rows, explain),
    '',
    ...table(servers.map((server) => [server.name, server.url])),
    ...more(servers, `${url}/_sandbox/openapi.yaml`),
    '',
    `  ${keys} ${store === 'memory' ? 'A restart resets everything.' : 'The store keeps all data.'}`,
    ...(tokens === undefined ? [] : [`  Tokens are issued at ${tokens}`]),
    `  The document is at ${url}/_sandbox/openapi.yaml`,
    hasInspector
      ? `  Requests, data and the reason of each answer are in a browser at ${url}${isRootDocumented(sandbox.contract, 'GET') ? '/_sandbox/' : ''}`
      : '  The inspector is off, as other machines reach this address; --control-token <token> turns it on',
    ...(noteCount === 0 ? [] : [`  ${plural(noteCount, 'note')} about the document: ${explain} lists them`]),
    '',
    `  ${curl}`,
    '',
    `${name} is ready on ${url}`,
    '',
  ]
    .map(toSafeLine)
    .join('\n')
}

/** The options of a document as a shell reads them. */
function toArguments({
  spec,
  overlay = [],
  allowRemoteRefs,
  allowOutsideRefs,
  unknownKeys,
}: DocumentOptions): string[] {
  const quote = (text: string) => (/^[\w./:\\@%+=~?&,-]+$/.test(text) ? text : `"${text}"`)
  return [
    ...(spec === undefined ? [] : ['--spec', quote(spec)]),
    ...overlay.flatMap((each) => ['--overlay', quote(each)]),
    ...(allowRemoteRefs ? ['--allow-remote-refs'] : []),
    ...(allowOutsideRefs ? ['--allow-outside-refs'] : []),
    ...(unknownKeys ? ['--unknown-keys', '404'] : []),
  ]
}

/** A line with the number of omitted rows, and the command that lists them. */
function more({ length }: readonly unknown[], where: string): string[] {
  return length > maxRows ? [`  and ${length - maxRows} more: ${where} lists all`] : []
}

function nameSome(names: readonly string[]): string {
  const rest = names.length - maxNamed
  return rest > 1 ? `${names.slice(0, maxNamed).join(', ')} and ${rest} more` : names.join(', ')
}

function table(all: string[][]): string[] {
  const rows = all.slice(0, maxRows)
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

/** Maximum number of listed records. */
const maxListed = 20

export function describeReload(reload: Reload): string {
  const files = reload.files.join(', ')
  if ('error' in reload)
    return `${files} changed, and what was there before is still served: ${withPlace(reload.error)}`
  const { operations, noteCount, kept, setAside } = reload
  const parts = [
    plural(operations, 'operation'),
    ...(noteCount > 0 ? [plural(noteCount, 'note')] : []),
    ...(kept > 0 ? [`${plural(kept, 'change')} of the data kept`] : []),
  ]
  const about = `${files} changed, and is served: ${parts.join(', ')}`
  return setAside.length > 0 ? `${about}, ${describeSetAside(setAside)}` : about
}

export function describeSetAside(setAside: readonly SetAsideRecord[]): string {
  const rest = setAside.length - maxListed
  return [
    `${plural(setAside.length, 'record')} set aside until ${setAside.length === 1 ? 'it fits' : 'they fit'} again`,
    ...setAside.slice(0, maxListed).map(describeRecord),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ].join('\n')
}

/** Leaves out the key of its world, which may be a real credential. */
function describeRecord({ collection, values, why }: SetAsideRecord): string {
  const text = JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return `  ${collection}: ${short}: ${why}`
}
