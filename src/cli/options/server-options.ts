/** The options that all commands with a sandbox share. */
import { Option } from 'commander'
import type { ServerOptions } from '../../entries/node.js'
import { describeSetAside } from '../banner.js'
import { printMessage } from '../print-message.js'
import { type DocumentOptions, documentOptions } from './document-options.js'
import {
  byteCount,
  collect,
  collectHosts,
  collectTargets,
  flag,
  milliseconds,
  option,
  wholeNumber,
} from './option-values.js'

/** Options from the command line; `toServerOptions` converts them. */
export interface SharedOptions
  extends DocumentOptions,
    Pick<
      ServerOptions,
      | 'port'
      | 'records'
      | 'seed'
      | 'at'
      | 'store'
      | 'sharedJournal'
      | 'httpCare'
      | 'lifecycleStep'
      | 'webhookUrl'
      | 'webhookSecret'
    > {
  /** The only valid keys. */
  apiKey?: string[]
  /** Name of a scenario, or a JSON file. */
  scenario?: string
  /** Limit for request bodies, in bytes. */
  maxBody?: number
  /** Limit for pending data in the server, in bytes. */
  maxMemory?: number
  /** Hosts that callbacks may be sent to, in addition to this machine. */
  callbackHost?: string[]
  /** Files with the team's own code for operations. */
  overrides?: string[]
}

const maxRecords = 10_000_000

/** @param description includes the default in brackets */
export function portOption(description: string): Option {
  return option('-p, --port <number>', description, wholeNumber(0, 65535))
}

/** Where a server listens, and by which names it may be called. */
export function hostOptions(): Option[] {
  return [
    option('--host <address>', 'address to listen on (127.0.0.1, which only this machine can reach)'),
    option(
      '--allow-host <name>',
      'a further host name that requests may be sent to, * for any; for proxies and tunnels (repeatable)',
      collectHosts,
    ),
  ]
}

export function logOption(): Option {
  const log = new Option('--log <format>', 'request log on stderr (pretty): pretty, json or none')
  return log.choices(['pretty', 'json', 'none'])
}

/** @param description ends before its examples */
export function maxBodyOption(description: string): Option {
  return option('--max-body <bytes>', `${description}, e.g. 64k (1m), at most 64m`, byteCount('0', '64m'))
}

/** @param data what the memory is for */
export function maxMemoryOption(data: string): Option {
  const usual = '512m, or a quarter of the memory if that is less'
  return option('--max-memory <bytes>', `memory for ${data} (${usual})`, byteCount('1m', '1024g'))
}

/** In groups, so that a command can add its own options between them. */
export function sharedOptions(): { data: Option[]; limits: Option[]; clock: Option; webhooks: Option[] } {
  return {
    data: [
      option('--api-key <key>', 'a valid key; all other keys become invalid (repeatable)', collect),
      option(
        '--scenario <name|file>',
        'data that every key starts with (default): a JSON file; without a document also default, empty, sold-out or edge-cases',
      ),
      option('--records <number>', 'start with this many generated records instead', wholeNumber(0, maxRecords)),
      option('--seed <number>', 'makes generated data repeatable (1)', wholeNumber(0, 2 ** 32 - 1)),
      flag('--http-care', 'add entity tags, Idempotency-Key, Location and 406 where the document lacks them'),
      option(
        '--lifecycle-step <time>',
        'how long each state of a job lasts, e.g. 500ms; 0s ends jobs at once (1s)',
        milliseconds,
      ),
      ...documentOptions('serve another document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON'),
      option('--overrides <file>', 'your own code for operations, in JavaScript or TypeScript (repeatable)', collect),
    ],
    limits: [
      option(
        '--store <address>',
        'where worlds are kept: memory, file:<path>, or redis://<host> for several programs (memory)',
      ),
      flag('--shared-journal', 'show the exchanges of all programs with the same store in Redis, without credentials'),
      maxBodyOption('maximum size of a request body'),
      maxMemoryOption('unfinished requests, unread responses, unsent callbacks and snapshots'),
    ],
    clock: option('--at <time>', 'time at which the clock starts, e.g. 2030-12-04T23:59:00Z (now)'),
    webhooks: [
      option('--webhook-url <url>', 'where webhooks of the document are sent that have no URL of their own'),
      option(
        '--webhook-secret <secret>',
        'signs callbacks and webhooks, in the headers of Standard Webhooks and documented ones: whsec_ and Base64, or any text',
      ),
      option(
        '--callback-host <host[:port]>',
        'a host besides this machine that callbacks and webhooks may be sent to, * for any (repeatable)',
        collectTargets,
      ),
    ],
  }
}

/** Options of the server from those of the command line. Errors and progress are printed to stderr. */
export function toServerOptions<O extends SharedOptions>({
  apiKey,
  maxBody,
  maxMemory,
  overlay,
  callbackHost,
  ...rest
}: O): ServerOptions {
  return {
    ...rest,
    ...(overlay ? { overlays: overlay } : {}),
    ...(callbackHost ? { callbackHosts: callbackHost } : {}),
    ...(apiKey ? { apiKeys: apiKey } : {}),
    ...(maxBody === undefined ? {} : { maxBodyBytes: maxBody }),
    ...(maxMemory === undefined ? {} : { maxMemoryBytes: maxMemory }),
    onUnexpectedError: (error) => printMessage(`unexpected error: ${error instanceof Error ? error.stack : error}`),
    onProgress: showProgress,
    onMessage: printMessage,
    onSetAside: (setAside) => printMessage(describeSetAside(setAside)),
    onSkip: (collection, why) => printMessage(`No records were generated for "${collection}": ${why}`),
  }
}

/** Shows the progress of generating many records, which takes seconds. Only on a terminal. */
function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(done < total ? `\rgenerated ${done} of ${total} records` : '\r\u001b[K')
}
