/**
 * Shortens the code that Ajv generates for the bundled document, so that a page loads a tenth less. A wrong match could
 * change the results, so each build compares the short code with the original.
 */
import { isDeepStrictEqual } from 'node:util'

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

const casesPerValidator = 2000

/**
 * Tests that shortened validators give the same results and errors as the original ones. The cases are made from the
 * names and values in the schemas, and are the same in each build.
 * @throws Error with the first case for which the results differ
 */
export function proveSameVerdicts(original, shortened, contract) {
  const words = wordsOf(contract)
  const seeds = seedsOf(contract)
  for (const [number, judge] of original.entries()) {
    const random = createRandom(number + 1)
    const verdicts = new Set()
    for (let index = 0; index < casesPerValidator; index++) {
      const seed = seeds[Math.floor(random() * seeds.length)]
      const value = index % 2 === 0 ? mutate(random, words, seed) : createValue(random, words, 3)
      const [one, other] = [judge, shortened[number]].map((validate) => toVerdict(validate, value))
      verdicts.add(one.isValid)
      if (isDeepStrictEqual(one, other)) continue
      const difference = JSON.stringify({ value, original: one, shortened: other })
      throw new Error(`The shortened validator ${number} differs from the original: ${difference}`)
    }
    if (!verdicts.has(true)) throw new Error(`No case is valid for validator ${number}, so its cases prove little`)
  }
}

/** Removes the parts of errors that shortened validators omit. */
function toVerdict(validate, value) {
  const isValid = validate(value)
  const errors = (validate.errors ?? []).map(({ instancePath, keyword, params: { comparison, ...params } }) => {
    return { instancePath, keyword, params }
  })
  return { isValid, errors }
}

/** Collects the names of properties and parameters. */
function wordsOf({ operations, shapes }) {
  const parameters = operations.flatMap((operation) => operation.parameters.map(({ name }) => name))
  const properties = shapes.flatMap((shape) => (shape.properties ?? []).map(([name]) => name))
  return [...new Set(['path', 'query', 'header', 'cookie', ...parameters, ...properties])]
}

/** Collects values that are probably valid: the examples of the document, and parameters with the value 1. */
function seedsOf({ operations }) {
  const examples = operations.flatMap(({ responses }) => responses.flatMap(({ example }) => example ?? []))
  const parameters = operations.map((operation) => {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
    return { path: Object.fromEntries(inPath.map(({ name }) => [name, 1])), query: {} }
  })
  return [...examples.map((example) => JSON.parse(example)), ...parameters]
}

/** Replaces or removes about one in six parts of a value. */
function mutate(random, words, value) {
  if (random() < 0.15) return createValue(random, words, 1)
  if (Array.isArray(value)) return value.map((item) => mutate(random, words, item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(() => random() > 0.1)
  return Object.fromEntries(kept.map(([name, item]) => [name, mutate(random, words, item)]))
}

const scalars = [
  'available',
  'pending',
  'sold',
  'x',
  '',
  '2030-12-05T00:00:00Z',
  0,
  1,
  20,
  100,
  101,
  -1,
  1.5,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  2 ** 64,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  true,
  null,
]

function createValue(random, words, depth) {
  const kind = random()
  if (depth === 0 || kind < 0.35) return scalars[Math.floor(random() * scalars.length)]
  if (kind < 0.4) return Array.from({ length: Math.floor(random() * 3) }, () => createValue(random, words, depth - 1))
  const names = words.filter(() => random() < 0.6)
  return Object.fromEntries(names.map((name) => [name, createValue(random, words, depth - 1)]))
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
