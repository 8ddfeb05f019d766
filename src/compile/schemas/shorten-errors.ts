/** Shortens the code of validators: Ajv writes each error out at its place, which takes most of the code of large documents. */

const text = '"(?:[^"\\\\]|\\\\.)*"'
/** An expression such as `instancePath+"/items/" + i0`, and the object `params`, up to their ends: without braces in braces. */
const path = `((?:${text}|[^"{}])*?)`
const parameters = `(\\{(?:${text}|[^"{}])*\\})`
const error = `const (err\\d+) = \\{instancePath(?::${path})?,schemaPath:${text},keyword:(${text}),params:${parameters}\\};`
const addition = 'if\\(vErrors === null\\)\\{vErrors = \\[\\1\\];\\}else \\{vErrors\\.push\\(\\1\\);\\}errors\\+\\+;'
// Texts come first, because a text of the document may look like code.
const places = new RegExp(`${error}${addition}|${text}`, 'g')

const ofCall = `,parentData(?::\\w+)?,parentDataProperty(?::(?:${text}|[^,{}"]+))?,rootData(?::\\w+)?,dynamicAnchors(?=\\})`
const ofFunction = ', parentData, parentDataProperty, rootData=data, dynamicAnchors=\\{\\}(?=\\})'
const unused = new RegExp(`${ofCall}|${ofFunction}|${text}`, 'g')

/** Adds an error to the list, which is null without errors. Called by the shortened code. */
const helper =
  'const addError = (errors, instancePath, keyword, params) => {(errors ??= []).push({instancePath, keyword, params});return errors};'

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
  // Only `$dynamicRef` reads what its callers pass.
  const isDynamic = /dynamicAnchors[[.]/.test(short)
  return helper + (isDynamic ? short : short.replace(unused, (whole) => (whole.startsWith('"') ? whole : '')))
}
