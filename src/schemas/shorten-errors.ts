/** Shortens the code of validators: Ajv writes each error out at its place, which takes most of the code of large documents. */

const text = '"(?:[^"\\\\]|\\\\[^])*(?:"|\\\\?$)'
/** The pattern of a format is code with quotes in it: `const formats4 = /[^"]/i` */
const pattern = '\\bformats\\d+ = /(?:[^/\\\\[]|\\\\[^]|\\[(?:[^\\]\\\\]|\\\\[^])*(?:\\]|\\\\?$))+(?:/|\\\\?$)'
const skipped = `${text}|${pattern}`
/** An expression such as `instancePath+"/items/" + i0`, and the object `params`, up to their ends: without braces in braces. */
const path = `((?:${text}|[^"{}])*?)`
const parameters = `(\\{(?:${text}|[^"{}])*\\})`
const error = `const (err\\d+) = \\{instancePath(?::${path})?,schemaPath:${text},keyword:(${text}),params:${parameters}\\};`
const addition = 'if\\(vErrors === null\\)\\{vErrors = \\[\\1\\];\\}else \\{vErrors\\.push\\(\\1\\);\\}errors\\+\\+;'
// Texts come first, because a text of the document may look like code.
const places = new RegExp(`${error}${addition}|${skipped}`, 'g')

const ofCall = `,parentData(?::\\w+)?,parentDataProperty(?::(?:${text}|[^,{}"]+))?,rootData(?::\\w+)?,dynamicAnchors(?=\\})`
const ofFunction = ', parentData, parentDataProperty, rootData=data, dynamicAnchors=\\{\\}(?=\\})'
const unused = new RegExp(`${ofCall}|${ofFunction}|${skipped}`, 'g')

/** Functions that the shortened code calls. The list of errors is null without errors. */
const helpers = [
  'const addError = (errors, instancePath, keyword, params) => {(errors ??= []).push({instancePath, keyword, params});return errors};',
  'const cutErrors = (errors, length) => {if (errors === null || length === 0) return null;errors.length = length;return errors};',
  'const isObject = (data) => data && typeof data == "object" && !Array.isArray(data);',
  'const u = undefined;',
].join('')

/** What Ajv writes often, and what is shorter. */
const expressions: [long: string, short: string][] = [
  // The errors of a condition, which nobody reads.
  [`const (err\\d+) = \\{\\};${addition}`, 'vErrors = addError(vErrors);errors++;'],
  [
    'if\\(vErrors !== null\\)\\{if\\((_errs\\d+)\\)\\{vErrors\\.length = \\1;\\}else \\{vErrors = null;\\}\\}',
    'vErrors = cutErrors(vErrors, $1);',
  ],
  ['(data\\d*) && typeof \\1 == "object" && !Array\\.isArray\\(\\1\\)', 'isObject($1)'],
  [
    '\\(\\(typeof (data\\d*) == "number"\\) && \\(!\\(\\1 % 1\\) && !isNaN\\(\\1\\)\\)\\) && \\(isFinite\\(\\1\\)\\)',
    'Number.isInteger($1)',
  ],
  ['\\(typeof (data\\d*) == "number"\\) && \\(isFinite\\(\\1\\)\\)', 'Number.isFinite($1)'],
  ['\\bvErrors\\b', 'v'],
  ['(?<![.\\w$])errors\\b(?!:)', 'n'],
  ['== undefined', '== u'],
]
const shorter = expressions.map(([long, short]) => {
  const alone = new RegExp(`^(?:${long})$`)
  return { places: new RegExp(`${long}|${skipped}`, 'g'), toShort: (whole: string) => whole.replace(alone, short) }
})

/**
 * @param code of a function body that begins with "use strict"
 * @returns code with the same verdicts and the same errors, except for their `schemaPath`
 */
export function shortenErrors(code: string): string {
  const short = code.replace(places, (whole, name?: string, at?: string, keyword?: string, params?: string) =>
    name === undefined
      ? whole
      : `vErrors = addError(vErrors, ${at ?? 'instancePath'}, ${keyword}, ${params});errors++;`,
  )
  // Only `$dynamicRef` and bounds beyond doubles read what their callers pass.
  const isDynamic = /dynamicAnchors[[.]|\bparentData\?\./.test(short)
  const used = isDynamic ? short : short.replace(unused, (whole) => (whole.startsWith(',') ? '' : whole))
  return helpers + shorter.reduce((code, { places, toShort }) => code.replace(places, toShort), used)
}
