/** The options that all commands with a sandbox share. */
import { Option } from 'commander'
import type { ServerOptions } from '../../entries/node.js'
import { printMessage } from '../print-message.js'
import { type DocumentOptions, documentOptions, flag } from './document-options.js'
import { byteCount, collect, collectTargets, wholeNumber } from './option-values.js'

/** As they come from the command line; `toServerOptions` converts them. */
export interface SharedOptions extends DocumentOptions {
  /** 0 for any free port. */
  port?: number
  /** The only valid keys. */
  apiKey?: string[]
  /** Name of a scenario, or a JSON file. */
  scenario?: string
  /** Number of records to generate. */
  records?: number
  /** Makes generated data repeatable. */
  seed?: number
  /** Limit for request bodies, in bytes. */
  maxBody?: number
  /** Limit for what waits in the server, in bytes. */
  maxMemory?: number
  /** Time at which the clock starts. */
  at?: string
  /** Whether every operation takes care of HTTP. */
  httpCare?: boolean
  /** Hosts that callbacks may be sent to, besides those of this machine. */
  callbackHost?: string[]
  /** Where webhooks without a URL are sent. */
  webhookUrl?: string
}

const maxRecords = 10_000_000

/** @param description includes the default in brackets */
export function portOption(description: string): Option {
  return new Option('-p, --port <number>', description).argParser(wholeNumber(0, 65535))
}

/** In groups, so that a command can add its own options between them. */
export function sharedOptions(): { data: Option[]; limits: Option[]; clock: Option; hooks: Option[] } {
  return {
    data: [
      new Option('--api-key <key>', 'a valid key; all other keys become invalid (repeatable)').argParser(collect),
      new Option(
        '--scenario <name|file>',
        'data that every key starts with (default): default, empty, sold-out, edge-cases, or a JSON file',
      ),
      new Option('--records <number>', 'start with this many generated records instead').argParser(
        wholeNumber(0, maxRecords),
      ),
      new Option('--seed <number>', 'makes generated data repeatable (1)').argParser(wholeNumber(0, 2 ** 32 - 1)),
      flag('--http-care', 'entity tags, Idempotency-Key, Location and 406 also where the document has none'),
      ...documentOptions('serve another document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON'),
    ],
    limits: [
      new Option('--max-body <bytes>', 'maximum size of a request body, e.g. 64k (1m), at most 64m').argParser(
        byteCount('0', '64m'),
      ),
      new Option(
        '--max-memory <bytes>',
        'memory for unfinished requests, unread responses, unsent callbacks and snapshots (512m, or a quarter of the memory if that is less)',
      ).argParser(byteCount('1m', '1024g')),
    ],
    clock: new Option('--at <time>', 'time at which the clock starts, e.g. 2030-12-04T23:59:00Z (now)'),
    hooks: [
      new Option('--webhook-url <url>', 'where webhooks of the document are sent that have no URL of their own'),
      new Option(
        '--callback-host <host[:port]>',
        'a host besides this machine that callbacks and webhooks may be sent to, * for any (repeatable)',
      ).argParser(collectTargets),
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
    onSkip: (collection, why) => printMessage(`No records were generated for "${collection}": ${why}`),
  }
}

/** Only on a terminal, as many records take seconds to generate. */
function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(done < total ? `\rgenerated ${done} of ${total} records` : '\r\u001b[K')
}
