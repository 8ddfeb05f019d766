/** A baseline: the findings that a team already knows, so that only new ones fail a run. */
import { SandboxError } from '../contract/sandbox-error.js'
import type { Finding } from './finding.js'

const version = 1

/**
 * Ids of the findings in a baseline.
 * @param file its name in errors
 * @throws SandboxError `UNREADABLE_FILE`
 */
export function parseBaseline(text: string, file: string): string[] {
  const baseline = parseJson(text, file)
  if (!isObject(baseline) || !('version' in baseline))
    throw unreadable(file, 'it is JSON, but not a baseline', replaceIt)
  if (baseline['version'] !== version) {
    const found = JSON.stringify(baseline['version'])
    throw unreadable(file, `its version is ${found}, and this program reads version ${version}`, replaceIt)
  }
  const findings = baseline['findings']
  if (!Array.isArray(findings)) throw unreadable(file, '"findings" is not a list', replaceIt)
  return findings.map((finding: unknown, index) => {
    const id = isObject(finding) ? finding['id'] : undefined
    if (typeof id === 'string') return id
    throw unreadable(file, `entry ${index + 1} of "findings" has no "id" that is text`, 'Correct or remove it')
  })
}

/** JSON with one property per line, sorted by id, so that changes are easy to review. */
export function renderBaseline(findings: readonly Pick<Finding, 'id' | 'message'>[]): string {
  const entries = findings
    .map(({ id, message }) => ({ id, message }))
    .sort((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0))
  return `${JSON.stringify({ version, findings: entries }, null, 2)}\n`
}

function parseJson(text: string, file: string): unknown {
  try {
    // Some editors on Windows add a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw unreadable(file, `it is not JSON: ${(error as Error).message}`, replaceIt)
  }
}

const replaceIt = 'Name another file, or delete this one and create a new one with --update-baseline'

function unreadable(file: string, why: string, remedy: string): SandboxError {
  return new SandboxError('UNREADABLE_FILE', `Failed to read the baseline "${file}": ${why}. ${remedy}`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
