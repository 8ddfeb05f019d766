/** What is known about the requests of a consumer besides their findings: where they were made, and which ones were not checked. */
import type { ConsumerObserver } from '../../checks/consumer/observe-consumer.js'
import type { Finding } from '../../checks/finding.js'
import type { Failure } from '../../checks/report.js'
import { plural } from '../../checks/reports/report-texts.js'
import type { LogEntry } from '../../entries/node.js'
import { variables } from '../processes/consumer-environment.js'

/** Names the tests of findings. The parser of their files is only loaded for findings with a place. */
export async function nameSources<Found extends Pick<Finding, 'sources'>>(findings: Found[]): Promise<Found[]> {
  if (!findings.some(({ sources }) => sources)) return findings
  const { nameTests } = await import('../name-tests.js')
  return nameTests(findings, process.cwd())
}

/** What the sources of findings lack. @param isRecorded whether no program can say them */
export function sourceNotes(findings: readonly Finding[], malformed: number, isRecorded = false): string[] {
  const unplaced = findings.filter(({ sources }) => !sources).length
  const which = plural(unplaced, 'finding')
  return [
    ...(unplaced > 0 && !isRecorded
      ? [
          `${which} without a line of your code, as no Node.js program sent the request, or no caller was left`,
          'Other programs name the line of a request in a header, such as "Sandbox-Source: shelf_test.py:12"',
        ]
      : []),
    ...(malformed > 0
      ? [`${plural(malformed, 'request')} had a Sandbox-Source header that is not file:line, and was ignored`]
      : []),
  ]
}

/** A run that checked nothing must not pass. @param goal what the requests did not reach */
export function missingRequests({ requests, calls }: ConsumerObserver, refused: number, goal = 'sandbox'): Failure[] {
  if (calls() > 0) return []
  const others = [...(requests() > 0 ? ['OPTIONS'] : []), ...(refused > 0 ? [`${refused} that it refused`] : [])]
  return [
    {
      message: `no request${others.length > 0 ? ` except ${others.join(' and ')}` : ''} reached the ${goal}`,
      help:
        `Read the address from ${variables.base}, or name your own variable with --env: a fixed address leads ` +
        'elsewhere, and a mock in the process, such as MSW, keeps requests away. ' +
        'If the command is right to send none, add --allow-no-requests',
    },
  ]
}

/** Collects the requests that could not be checked because of a bug, as they may have findings. */
export function catchErrors<Values extends unknown[]>(
  add: (...values: Values) => void | Promise<void>,
): { add(...values: Values): Promise<void>; unchecked(): Failure[] } {
  const messages: string[] = []
  return {
    async add(...values) {
      try {
        await add(...values)
      } catch (error) {
        messages.push(error instanceof Error ? error.message : String(error))
      }
    },
    unchecked() {
      const [first] = messages
      if (first === undefined) return []
      const message = `${plural(messages.length, 'request')} could not be checked because of an unexpected error`
      return [{ message, help: `Please report this error: ${first}` }]
    },
  }
}

export interface RefusedRequests {
  /** Counts the entry if the server itself refused it. */
  add(entry: LogEntry): void
  count(): number
  /** A sentence without a full stop for each reason, with the first request. */
  notes(): string[]
}

interface Refused {
  first: LogEntry
  count: number
}

/** Limited, because each reason may quote a request. */
const maxReasons = 10

export function countRefusedRequests(): RefusedRequests {
  const byReason = new Map<string, Refused>()
  let count = 0

  function toNote([reason, { first, count }]: [string, Refused]): string {
    const which = first.method === '-' ? '' : `, the first one ${first.method} ${first.target}`
    return `${plural(count, 'request')} did not reach the service${which}: ${first.status}, ${reason}`
  }

  return {
    add(entry) {
      if (!entry.isRefusedByServer) return
      count++
      // `run` does not have this option: tests can use the address that it provides.
      const reason = (entry.refused ?? '').replace(/\. Start with --allow-host .*$/s, '')
      const known = byReason.get(reason)
      if (known) known.count++
      else if (byReason.size < maxReasons) byReason.set(reason, { first: entry, count: 1 })
    },
    count: () => count,
    notes() {
      const listed = [...byReason.values()].reduce((sum, each) => sum + each.count, 0)
      const more = count > listed ? [`${plural(count - listed, 'more request')} did not reach the service`] : []
      return [...[...byReason].map(toNote), ...more]
    },
  }
}
