/** Parses the values of options. All of these throw commander's `InvalidArgumentError`. */
import { InvalidArgumentError } from 'commander'
import { aHostName, aTargetHost, isHostName, isTargetHost } from '../../node/host-name.js'

/** A parser for whole numbers within bounds, both included. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= minimum && number <= maximum) return number
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum} (got "${text}").`)
  }
}

const units: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** A parser for numbers of bytes within bounds, both included, with `k`, `m` or `g` for powers of 1024: `1m`. */
export function byteCount(least: string, most: string): (text: string) => number {
  return (text) => {
    const bytes = toBytes(text)
    if (bytes >= toBytes(least) && bytes <= toBytes(most)) return bytes
    const bounds = least === '0' ? `at most ${most}` : `${least} to ${most}`
    throw new InvalidArgumentError(`It must be a number of bytes such as 65536, 64k or 1m, ${bounds} (got "${text}").`)
  }
}

function toBytes(text: string): number {
  const [, digits, unit = ''] = /^(\d+)\s*([kmg]?)(?:i?b)?$/i.exec(text) ?? []
  return Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN)
}

/** A number from 0 to 100, decimals allowed. */
export function percentage(text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (number <= 100) return number
  throw new InvalidArgumentError(`It must be a number from 0 to 100 (got "${text}").`)
}

/** A number above 0, decimals allowed. */
export function positiveNumber(text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (number > 0 && Number.isFinite(number)) return number
  throw new InvalidArgumentError(`It must be a number above 0 (got "${text}").`)
}

/** True for true, yes, on and 1; false for false, no, off and 0. */
export function yesOrNo(text: string): boolean {
  if (/^(true|yes|on|1)$/i.test(text)) return true
  if (/^(false|no|off|0)$/i.test(text)) return false
  throw new InvalidArgumentError(`It must be true or false (got "${text}").`)
}

/** Collects the names of a repeatable option. */
export function collectHosts(text: string, before: string[] | undefined): string[] {
  if (isHostName(text)) return collect(text, before)
  throw new InvalidArgumentError(`It must be ${aHostName} (got "${text}").`)
}

/** Collects the hosts of a repeatable option, each with an optional port. */
export function collectTargets(text: string, before: string[] | undefined): string[] {
  if (isTargetHost(text)) return collect(text, before)
  throw new InvalidArgumentError(`It must be ${aTargetHost} (got "${text}").`)
}

/** Collects the values of a repeatable option. */
export function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), text]
}
