/** Runs a consumer that sends given requests, and reads the report of `run`. */
import { withRemoteCommand } from './remote-command.js'
import { type Sent, sendAll } from './send-requests.js'
import { runWarm } from './warm.js'

export type { Sent } from './send-requests.js'

export interface Observed {
  code: number | null
  stderr: string
  requests: number
  findings: {
    id: string
    rule: string
    severity: string
    operation?: string
    at: string
    kind?: string
    path: string
    message: string
    help: string
    count: number
    requests: string[]
    response: { status: number; body: string }
    isKnown: boolean
  }[]
  coverage: {
    total: number
    met: number
    percent: number
    operations: {
      operation: string
      resource?: string
      requests: number
      points: { kind: string; name: string; isMet: boolean; gap: string }[]
    }[]
  }
}

/** @param args options of `run` */
export async function observe(sent: readonly Sent[], args: readonly string[] = []): Promise<Observed> {
  const { code, stdout, stderr } = await withRemoteCommand(
    (variables) => sendAll(sent, variables),
    (command) => runWarm(['run', '--report', 'json', ...args, '--', ...command]),
  )
  return { code, stderr, ...JSON.parse(stdout) }
}

/** The coverage gaps of each called operation. */
export function gapsOf({ coverage }: Observed, operation: string): string[] {
  const found = coverage.operations.find((each) => each.operation === operation)
  return [...new Set(found?.points.filter(({ isMet }) => !isMet).map(({ gap }) => gap))]
}
