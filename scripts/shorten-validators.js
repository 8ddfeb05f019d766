/**
 * Shortens the code that Ajv generates for the bundled document, so that a page loads a tenth less. A wrong match could
 * change the results, so `prove-validators.js` compares the short code with the original in each build.
 */

/** Removes `schemaPath` from errors, and the evaluated properties if no keyword needs them. */
export function shortenValidators(code) {
  const shorter = code
    .replace(/schemaPath:"(?:[^"\\]|\\.)*",/g, '')
    .replace(/params:\{comparison: "[<>]=?", /g, 'params:{')
    .replace(
      /\(\(typeof (data\d*) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)/g,
      'Number.isInteger($1)',
    )
    .replace(/\(typeof (data\d*) == "number"\) && \(isFinite\(\1\)\)/g, 'Number.isFinite($1)')
    // Only finite numbers are compared.
    .replace(/ \|\| isNaN\((data\d*)\)\)\{/g, '){')
    .replace(
      /const (err\d+) = (\{.*?\});if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g,
      '(vErrors ??= []).push($2);errors++;',
    )
  if (/unevaluated|\$dynamicRef/.test(code)) return shorter
  const short = withoutCount(shorter)
    .replace(/validate\d+\.evaluated = \{[^;]*\};/g, '')
    .replace(
      /const (evaluated\d+) = validate\d+\.evaluated;if\(\1\.dynamicProps\)\{[^}]*\}if\(\1\.dynamicItems\)\{[^}]*\}/g,
      '',
    )
    .replace(/, parentData, parentDataProperty, rootData=data, dynamicAnchors=\{\}/g, '')
    .replace(/,parentData(?:: ?\w+)?,parentDataProperty(?:: ?[^,}]+)?,rootData,dynamicAnchors/g, '')
  return withoutStart(short)
}

/** Removes `instancePath` parameters. Without calls between validators, each starts at the root. */
function withoutStart(code) {
  if (/(?<!function )\bvalidate\d*\(/.test(code)) return code
  const fromRoot = code.replace(/(function validate\d+\(data), \{instancePath=""\}=\{\}\)/g, '$1)')
  return fromRoot
    .replaceAll('instancePath:instancePath+', 'instancePath:')
    .replaceAll('{instancePath,', '{instancePath:"",')
}

/** Removes the error count, unless a keyword reads it: the list of errors has the same length. */
function withoutCount(code) {
  if (/_errs\d/.test(code)) return code
  return code
    .replaceAll('errors++;', '')
    .replaceAll('errors = vErrors.length;', '')
    .replaceAll('let errors = 0;', '')
    .replaceAll('return errors === 0;', 'return vErrors === null;')
}
