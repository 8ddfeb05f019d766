/** Validates user options. Separate from the engine, so that bundles with the default options can drop it. */
import { SandboxError } from '../contract/sandbox-error.js'
import { toTime } from '../state/clock.js'
import type { EngineOptions } from './create-engine.js'

/** Visible ASCII: keys are sent in headers. */
const sendable = /^[\x21-\x7e]+$/

/** The memory for a body that is a list of empty objects: about 50 times its size. */
const mostBodyBytes = 64 * 1024 * 1024

/** @throws SandboxError `INVALID_OPTION` */
export function checkOptions({
  apiKeys,
  at,
  maxBodyBytes = 0,
  journal = {},
}: Partial<Omit<EngineOptions, 'contract'>>): void {
  const wrong = apiKeys?.find((key) => !sendable.test(key))
  if (wrong !== undefined || apiKeys?.length === 0) {
    const found = wrong === undefined ? 'none' : JSON.stringify(wrong)
    throw invalid(`API keys must be one or more strings of visible ASCII without spaces (got ${found})`)
  }
  if (!(Number.isInteger(maxBodyBytes) && maxBodyBytes >= 0 && maxBodyBytes <= mostBodyBytes)) {
    throw invalid(`maxBodyBytes must be a whole number of bytes, at most ${mostBodyBytes} (got ${maxBodyBytes})`)
  }
  for (const [name, bound] of Object.entries(journal)) {
    if (!(bound >= 0)) throw invalid(`journal.${name} must be 0 or more (got ${bound})`)
  }
  try {
    if (at !== undefined) toTime(at)
  } catch (error) {
    throw invalid(`Failed to set the clock: ${(error as Error).message}`)
  }
}

function invalid(message: string): SandboxError {
  return new SandboxError('INVALID_OPTION', message)
}
