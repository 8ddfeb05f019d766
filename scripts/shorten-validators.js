/**
 * Shortens the code that Ajv writes for the bundled document: a page loads a tenth less. A wrong match could change what
 * is valid, so `prove-validators.js` compares the short code with the original in each build.
 */

/** The same in fewer bytes: without where in the schema an error is, and without what was evaluated, if nothing asks. */
export function shortenValidators(code) {
  const shorter = code
    .replace(/schemaPath:"(?:[^"\\]|\\.)*",/g, '')
    .replace(/params:\{comparison: "[<>]=?", /g, 'params:{')
    .replace(
      /\(\(typeof (data\d*) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)/g,
      'Number.isInteger($1)',
    )
    .replace(/\(typeof (data\d*) == "number"\) && \(isFinite\(\1\)\)/g, 'Number.isFinite($1)')
    // A number is compared only where it is finite already.
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

/** Where a value stands is said by who calls; where no validator calls another one, each begins at the root. */
function withoutStart(code) {
  if (/(?<!function )\bvalidate\d*\(/.test(code)) return code
  const fromRoot = code.replace(/(function validate\d+\(data), \{instancePath=""\}=\{\}\)/g, '$1)')
  return fromRoot
    .replaceAll('instancePath:instancePath+', 'instancePath:')
    .replaceAll('{instancePath,', '{instancePath:"",')
}

/** The number of errors is that of the list, unless something asks how many there were before. */
function withoutCount(code) {
  if (/_errs\d/.test(code)) return code
  return code
    .replaceAll('errors++;', '')
    .replaceAll('errors = vErrors.length;', '')
    .replaceAll('let errors = 0;', '')
    .replaceAll('return errors === 0;', 'return vErrors === null;')
}
