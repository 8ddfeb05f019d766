/** Judges exchanges of a sandbox in the process by the rules of `run`. Loaded on first use, as handlers rarely need it. */
import { createJudge } from '../checks/consumer/create-judge.js'
import { wordsIn } from '../checks/consumer/places.js'
import { observeGuesses } from '../checks/consumer/relied.js'
import type { Finding, Severity } from '../checks/finding.js'
import { isFailure } from '../checks/report.js'
import { describePlace, messageOf, plural } from '../checks/reports/report-texts.js'
import type { RequestContract } from '../contract/contract.js'
import { openFactsOf } from '../contract/open-fact.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { oncePer } from '../document/once.js'
import type { Exchange } from '../state/journal.js'

/** The findings of the exchanges, in the order of their first occurrence. */
export function judgeExchanges(contract: RequestContract, exchanges: readonly Exchange[]): Finding[] {
  const judge = createJudge({
    contract,
    documentedNames: namesIn(contract),
    // Integers that the consumer received are enough to recognize a rounded one.
    existingKeys: () => [],
    variables: { key: 'API_KEY' },
  })
  for (const exchange of exchanges) judge.add(exchange)
  return judge.findings()
}

/** Once per contract, as a document may have tens of thousands. */
const namesIn = /* @__PURE__ */ oncePer(
  ({ shapes, operations }: RequestContract): ReadonlySet<string> =>
    wordsIn([shapes, operations.flatMap(({ parameters }) => parameters.map(({ name }) => name))]),
)

/**
 * Whether an exchange belongs to a key: it opened its world, or was refused before any world was opened and carries it.
 * @param key @default every key
 */
export function isOfKey(exchange: Exchange, key: string | undefined): boolean {
  if (exchange.sent) return false
  if (key === undefined || exchange.key === key) return true
  const { headers, query } = exchange.request
  return exchange.key === undefined && [...headers, query].some((text) => holds(text, key))
}

/** Whether a text has the key as a whole word: `sandbox-1` is not in `sandbox-12`. */
function holds(text: string, key: string): boolean {
  const at = text.indexOf(key)
  return at >= 0 && !/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + key.length))
}

/** How many guesses are listed. */
const mostGuesses = 10

/** The guesses that decided answers, as a text. Empty if none did. */
export function describeGuesses(contract: RequestContract, exchanges: readonly Exchange[]): string {
  const observer = observeGuesses(contract, openFactsOf(contract))
  for (const exchange of exchanges) observer.add(exchange)
  const guesses = observer.guesses().slice(0, mostGuesses)
  const lines = guesses.map(
    ({ fact, why, correct }) => `- ${fact}\n  why: ${why}\n  settle: ${JSON.stringify(correct)}`,
  )
  return lines.length === 0 ? '' : ['The sandbox guessed what decided answers of this test:', ...lines].join('\n')
}

/**
 * @param noun what each of them is @param rest what follows it in the message
 * @throws SandboxError `VIOLATED_CONTRACT` that lists the findings of this severity or worse, if there are any
 */
export function refuseViolations(
  { title, version }: RequestContract,
  findings: readonly Finding[],
  failOn: Severity,
  noun = 'violation',
  rest = 'of the contract',
): void {
  const failures = findings.filter((finding) => isFailure(finding, failOn))
  if (failures.length === 0) return
  const lines = failures.map((finding) =>
    [
      `${finding.severity} ${finding.rule} ${describePlace(finding)}`,
      `  what: ${messageOf(finding)}`,
      `  help: ${finding.help}`,
      ...finding.requests.map((request) => `  $ ${request}`),
    ].join('\n'),
  )
  const count = `${plural(failures.length, noun)} ${rest}`
  throw new SandboxError('VIOLATED_CONTRACT', `${count} of ${title} ${version}:\n${lines.join('\n')}`)
}
