/** The banner: everything that a user needs for the first request. */

import { toSafeLine } from '../contract/safe-text.js'
import { isRootDocumented } from '../control/create-control.js'
import { writeExampleCurl } from '../entries/example-request.js'
import type { RunningServer } from '../entries/node.js'
import { name, version } from '../generated/package.js'
import { isLoopbackHost } from '../node/host-name.js'
import { describe } from '../sandbox/describe-sandbox.js'
import type { DocumentOptions } from './document-options.js'

/**
 * The text of the banner. Its last line never changes, as scripts wait for it.
 * @param options where the document is, for a further command, and the token of the control API
 */
export async function renderBanner(
  { url, sandbox, noteCount, document }: Pick<RunningServer, 'url' | 'sandbox' | 'noteCount' | 'document'>,
  { controlToken, ...options }: DocumentOptions & { controlToken?: string } = {},
): Promise<string> {
  const hasInspector = controlToken !== undefined || isLoopbackHost(new URL(url).hostname)
  const { title, servers, operations, keys, tokens } = describe(sandbox, url)
  const curl = await writeExampleCurl(sandbox, document, url)
  const hasSeveral = servers.length > 1
  const rows = operations.map(({ method, path, effect, notes, servers: on }) => {
    const where = hasSeveral && on.length < servers.length ? on.join(', ') : ''
    return [method, path, effect, ...(hasSeveral ? [where] : []), notes]
  })
  return [
    // A folded text of YAML ends with a line break.
    `${name} ${version}: ${title.replace(/\s+/g, ' ')}`,
    '',
    ...table(servers.map((server) => [server.name, server.url])),
    '',
    ...table(rows),
    '',
    `  ${keys} A restart resets everything.`,
    ...(tokens === undefined ? [] : [`  Tokens are issued at ${tokens}`]),
    `  The document is at ${url}/_sandbox/openapi.yaml`,
    ...(hasInspector
      ? [
          `  Requests, data and the reason of each answer are in a browser at ${url}${isRootDocumented(sandbox.contract, 'GET') ? '/_sandbox/' : ''}`,
        ]
      : []),
    ...(noteCount === 0
      ? []
      : [`  ${countNotes(noteCount)}: ${[name, 'explain', ...toArguments(options)].join(' ')} lists them`]),
    '',
    `  ${curl}`,
    '',
    `${name} is ready on ${url}`,
    '',
  ]
    .map(toSafeLine)
    .join('\n')
}

function countNotes(count: number): string {
  return count === 1 ? 'One part of it is wrong and approximated' : `${count} parts of it are wrong and approximated`
}

/** The options of a document as a shell reads them. */
function toArguments({ spec, overlay = [], allowRemoteRefs, allowOutsideRefs }: DocumentOptions): string[] {
  const quote = (text: string) => (/^[\w./:\\@%+=~?&,-]+$/.test(text) ? text : `"${text}"`)
  return [
    ...(spec === undefined ? [] : ['--spec', quote(spec)]),
    ...overlay.flatMap((each) => ['--overlay', quote(each)]),
    ...(allowRemoteRefs ? ['--allow-remote-refs'] : []),
    ...(allowOutsideRefs ? ['--allow-outside-refs'] : []),
  ]
}

function table(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}
