/** Judges what the body of a refusal says: whether it carries the reason, and whether it shows filler. */
const maxDepth = 8
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Texts and numbers in words that stand for any value: what a tool writes that knows only the type or the name. */
const fillers =
  /^(string|text|lorem.*|[a-z ]+ 1|foo|bar|standard|active|1\.0\.0|10\.00|10115|Ada( Meyer)?|Meyer( Group)?|1 Main Street|0{8}-0000-.*|.*service\.example.*|2026-01-01(T00:00:00(\.000)?Z)?)$/i
/** Random letters. Words of this length that errors have are none. */
const isRandom = (text) =>
  /^[a-z]{8}$/.test(text) && !/^(conflict|required|internal|notfound|unlisted|requires)$/.test(text)

/**
 * @param resolve follows a reference of the document
 * @param schema of the body
 * @returns whether the schema has free text, whether the body has the reason, and the filler in it
 */
export function judgeReason({ resolve, schema, examples, body, broken }) {
  const documented = new Set()
  const hasText = findTexts(resolve, schema, documented)
  for (const example of examples) addLeaves(example?.value ?? example, documented)
  const texts = [...leavesOf(body)].filter((leaf) => typeof leaf === 'string')
  const named = /(?:parameter|property) (\S+)/.exec(broken.what)?.[1] ?? 'body'
  const isReason = (text) =>
    !documented.has(text) && !fillers.test(text) && (text.includes(named) || text.trim().split(/\s+/).length >= 3)
  const filler = texts.find((text) => text !== named && !documented.has(text) && (fillers.test(text) || isRandom(text)))
  return { hasText, carries: texts.some(isReason), filler }
}

/** Adds the texts that a schema documents. @returns whether it has a text that may be any */
function findTexts(resolve, schema, documented) {
  const seen = new Set()
  return visit(schema, 0)

  function visit(written, depth) {
    const value = resolve(written)
    if (!isObject(value) || depth > maxDepth || seen.has(value)) return false
    seen.add(value)
    for (const given of [value.example, value.default, value.const]) addLeaves(given, documented)
    for (const list of [value.enum, value.examples]) if (Array.isArray(list)) addLeaves(list, documented)
    const { properties, items, additionalProperties } = value
    const branches = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => value[keyword] ?? [])
    const inner = [
      ...Object.values(properties ?? {}).filter((each) => !resolve(each)?.writeOnly),
      items,
      additionalProperties,
    ]
    const found = [...branches.map((each) => visit(each, depth)), ...inner.map((each) => visit(each, depth + 1))]
    return isFree(value) || found.includes(true)
  }
}

function isFree({ type, enum: values, const: constant, format, pattern, maxLength = 1000 }) {
  const isBound = values !== undefined || constant !== undefined || format !== undefined || pattern !== undefined
  return [type].flat().includes('string') && !isBound && maxLength >= 40
}

function addLeaves(value, found) {
  for (const leaf of leavesOf(value)) found.add(leaf)
}

function* leavesOf(value) {
  if (typeof value !== 'object' || value === null) yield value
  else for (const each of Object.values(value)) yield* leavesOf(each)
}
