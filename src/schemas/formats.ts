/** Checks formats of texts by regular expressions. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { ownValue } from '../json/own-value.js'

// Months with 31 days, with 30 days, February, and its 29th in leap years (RFC 3339, appendix C).
const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`

const day = String.raw`(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])`

const date = String.raw`(?:\d{4}-(?:${day})|${leapYear}-02-29)`

const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`

/** Formats by name that ajv-formats checks with functions. */
const ownFormats: Record<string, RegExp> = {
  date: new RegExp(`^${date}$`),
  time: new RegExp(`^${time}$`, 'i'),
  'date-time': new RegExp(`^${date}t${time}$`, 'i'),
  uri: /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
}

/** All formats by name. Those that are functions are not checked. */
export const formats: Record<string, unknown> = { ...fullFormats, ...ownFormats }

/** Whether a text has a format. True for formats that validators do not check. */
export function matchesFormat(name: string, text: string): boolean {
  const format = ownValue(formats, name)
  return !(format instanceof RegExp) || new RegExp(format.source, format.flags).test(text) // unmeasured: the formats are measured where they are written
}
