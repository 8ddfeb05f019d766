/** Makes the code that Ajv writes shorter, without what nobody here reads. */

/** The same in fewer bytes: without where in the schema an error is, and without what was evaluated, if nothing asks. */
export function shortenValidators(code: string): string {
  const shorter = code
    .replace(/schemaPath:"(?:[^"\\]|\\.)*",/g, '')
    .replace(/params:\{comparison: "[<>]=?", /g, 'params:{')
    // Whether a number is one is asked as well: it has to be finite.
    .replace(/\(!\((data\d*) % 1\) && !isNaN\(\1\)\)/g, '(!($1 % 1))')
    // A number is compared only where it is finite already.
    .replace(/ \|\| isNaN\((data\d*)\)\)\{/g, '){')
    .replace(
      /const (err\d+) = (\{.*?\});if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g,
      '(vErrors ??= []).push($2);errors++;',
    )
  if (/unevaluated|\$dynamicRef/.test(code)) return shorter
  return withoutCount(shorter)
    .replace(/validate\d+\.evaluated = \{[^;]*\};/g, '')
    .replace(
      /const (evaluated\d+) = validate\d+\.evaluated;if\(\1\.dynamicProps\)\{[^}]*\}if\(\1\.dynamicItems\)\{[^}]*\}/g,
      '',
    )
    .replace(/, parentData, parentDataProperty, rootData=data, dynamicAnchors=\{\}/g, '')
    .replace(/,parentData(?:: ?\w+)?,parentDataProperty(?:: ?[^,}]+)?,rootData,dynamicAnchors/g, '')
}

/** The number of errors is that of the list, unless something asks how many there were before. */
function withoutCount(code: string): string {
  if (/_errs\d/.test(code)) return code
  return code
    .replaceAll('errors++;', '')
    .replaceAll('errors = vErrors.length;', '')
    .replaceAll('let errors = 0;', '')
    .replaceAll('return errors === 0;', 'return vErrors === null;')
}
