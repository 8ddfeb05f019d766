/** Judges the records of lists: none is hollow, the examples of the document are among them, and keys of others exist. */
import { normalize } from '../documents/collect-keys.js'
import { valueAt } from '../state/read-shapes.js'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isScalar = (value) => ['string', 'number', 'boolean'].includes(typeof value)
const isKeyName = (name) => /(^|_)(id|uuid|guid|key|href|self|url|_links|links|kind|object|type)$|Id$/i.test(name)

/** @returns a judgement of kind `hollow`, if records have enough properties to say something */
export function judgeHollow({ properties }, { records }) {
  const telling = [...properties.keys()].filter((name) => !isKeyName(name))
  if (telling.length < 2) return []
  const hollow = records.find((record) => !isObject(record) || Object.keys(record).every(isKeyName))
  const why = hollow && `a record is ${JSON.stringify(hollow).slice(0, 120)}`
  return [
    { kind: 'hollow', what: 'records', ...(why ? { verdict: 'wrong', cause: 'hollow', why } : { verdict: 'right' }) },
  ]
}

/**
 * Whether each record of the examples of the answer is in the list, as far as it satisfies the schema.
 * @returns judgements of kind `examples`
 */
export function judgeExamples({ operation, pointer, properties }, whole, { document, resolve, schemas }) {
  const examples = examplesOf(operation, { document, resolve })
  const found = examples.flatMap(({ value, schema }) => {
    const listed = valueAt(value, pointer)
    if (!Array.isArray(listed) || schema === undefined || !satisfies(schemas, schema, value)) return []
    return listed.filter((record) => isObject(record) && Object.keys(record).length > 1)
  })
  if (found.length === 0) return []
  const open = (why) => [{ kind: 'examples', what: 'records', verdict: 'open', why }]
  if (operation.path.includes('{')) return open('it is a list below a record')
  if (!whole.isSure) return open('the whole list is not known')
  const missing = found.find((example) => !whole.records.some((record) => holds(record, example, properties)))
  return [
    {
      kind: 'examples',
      what: 'records',
      ...(missing
        ? { verdict: 'wrong', cause: 'missing', why: `${JSON.stringify(missing).slice(0, 200)} is missing` }
        : { verdict: 'right' }),
    },
  ]
}

function satisfies(schemas, schema, value) {
  try {
    return schemas.errorsOf(schema, value).length === 0
  } catch {
    return false
  }
}

/** Whether a record has all documented scalars of an example. */
function holds(record, example, properties) {
  return Object.entries(example).every(
    ([name, value]) => !isScalar(value) || !properties.has(name) || record[name] === value,
  )
}

function examplesOf({ method, path }, { document, resolve }) {
  const responses = resolve(document.paths[path])?.[method.toLowerCase()]?.responses ?? {}
  const first = Object.keys(responses).find((status) => /^2/.test(status)) ?? 'default'
  const content = resolve(responses[first])?.content ?? {}
  return Object.entries(content)
    .filter(([type]) => /json/i.test(type))
    .flatMap(([, media]) => {
      const named = Object.values(media.examples ?? {}).map((each) => resolve(each)?.value)
      return [media.example, ...named].flatMap((value) =>
        value === undefined ? [] : [{ value, schema: media.schema }],
      )
    })
}

/**
 * Whether properties that name another list have a key of one of its records: `ownerId` beside `/owners`.
 * @param lists what was asked, with `operation`, `records`, `isSure` and `schemaOf`
 * @returns judgements of kind `references`, each with its operation
 */
export function judgeReferences(lists) {
  const targets = new Map()
  for (const { operation, records, isSure } of lists) {
    const noun = nounOf(operation.path.split('/').filter(Boolean).at(-1) ?? '')
    // Of several lists with one name nobody knows which is meant.
    if (!operation.path.includes('{')) targets.set(noun, targets.has(noun) ? undefined : { noun, records, isSure })
  }
  return lists.flatMap(({ operation, records, properties }) =>
    [...properties.entries()].flatMap(([name, place]) => {
      const [, stem] = /^(.+?)_?(?:Id|ID|id)$/.exec(place.at(-1)) ?? []
      const target = stem && targets.get(nounOf(stem))
      const own = nounOf(
        operation.path
          .split('/')
          .filter((each) => !each.startsWith('{') && each !== '')
          .at(-1) ?? '',
      )
      if (!target?.isSure || target.records.length === 0 || own === target.noun) return []
      const keyName = ['id', `${target.noun}id`].find((key) =>
        target.records.every((each) => keyOf(each, key) !== undefined),
      )
      if (keyName === undefined) return []
      const keys = new Set(target.records.map((each) => String(keyOf(each, keyName))))
      const values = records.map((record) => valueAt(record, place)).filter((value) => isScalar(value) && value !== '')
      if (values.length === 0) return []
      const dangling = values.find((value) => !keys.has(String(value)))
      const base = { operation: operation.id, kind: 'references', what: name }
      return dangling === undefined
        ? [{ ...base, verdict: 'right' }]
        : [
            {
              ...base,
              verdict: 'wrong',
              cause: 'dangling',
              why: `${name} is ${dangling}, and no key of ${target.noun}`,
            },
          ]
    }),
  )
}

function keyOf(record, wanted) {
  const name = isObject(record) ? Object.keys(record).find((each) => normalize(each) === wanted) : undefined
  return name === undefined || !isScalar(record[name]) ? undefined : record[name]
}

function nounOf(text) {
  return normalize(text.replace(/\.(json|xml)$/, ''))
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/([^s])s$/, '$1')
}
