/** Reads what users keep as JSON: locks, baselines and recordings. */
import { SandboxError } from '../contract/sandbox-error.js'
import { lineOfJsonError } from '../json/json-error-line.js'

/** @param what `lock` @param remedy what to do, as a sentence without a full stop */
export function unreadable(what: string, file: string, why: string, remedy = ''): SandboxError {
  const parts = [`Failed to read the ${what} "${file}": ${why}`, remedy].filter((part) => part !== '')
  return new SandboxError('UNREADABLE_FILE', parts.join('. '))
}

/** @throws SandboxError `UNREADABLE_FILE` with the line */
export function parseJsonFile(text: string, what: string, file: string, remedy?: string): unknown {
  // Some editors on Windows add a byte order mark.
  const json = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const line = lineOfJsonError(json, error)
    const place = `${file}${line === undefined ? '' : `:${line}`}`
    throw unreadable(what, place, `it is not JSON: ${(error as Error).message}`, remedy)
  }
}
