/** Makes values for schemas with tools that are not ours: openapi-sampler, then json-schema-faker. */
import { generateSync } from 'json-schema-faker'
import sampler from 'openapi-sampler'
import { hash } from './random.js'

const { sample } = sampler
/** Formats that the tools do not know, but Ajv does. */
const formats = { url: () => 'https://service.example/page' }

/** Attempts of json-schema-faker: small values first, then others. */
const fakeOptions = [
  { optionalsProbability: 0, refDepthMax: 12, maxItems: 2 },
  { optionalsProbability: 0, refDepthMax: 12 },
  { optionalsProbability: 0, refDepthMax: 3 },
  { optionalsProbability: 0.5, refDepthMax: 4 },
  { optionalsProbability: 0.5, refDepthMax: 4, useExamplesValue: true },
  { optionalsProbability: 0, refDepthMax: 12, useDefaultValue: true },
]

/** Longer texts and lists are valid too, but take time to make. */
const greatest = { maxLength: ['minLength', 200], maxItems: ['minItems', 5], maxProperties: ['minProperties', 10] }

/** A value could not be made that its schema accepts. */
export class NoValidValue extends Error {}

/** @param schemas those of requests */
export function createBuildValue({ document, schemas }) {
  /**
   * @param isMinimal only what is required
   * @param isXml returns the text of a sample in XML, if the schema accepts the value
   * @param isUsable what must hold besides the schema
   * @throws NoValidValue
   */
  return function buildValue(schema, { name, examples = [], isMinimal = false, isXml = false, isUsable = () => true }) {
    if (typeof schema !== 'object' || schema === null) return examples[0] ?? 'text'
    const problems = []
    for (const make of [() => toSample(schema, isMinimal), ...examples.map((value) => () => value), ...fakes()]) {
      try {
        const value = make()
        if (value === undefined) continue
        const [error] = schemas.errorsOf(schema, value)
        if (error === undefined && isUsable(value)) return isXml ? toXml(schema, name) : value
        problems.push(error === undefined ? 'not usable here' : `${error.instancePath} ${error.message}`)
      } catch (error) {
        problems.push(error.message)
      }
    }
    throw new NoValidValue(`${name}: ${problems[0]}; ${problems.at(-1)}`.slice(0, 300))

    function fakes() {
      return fakeOptions.map((options, attempt) => () => {
        return generateSync(toSmall(schemas.toWhole(schema)), { seed: hash(name) + attempt, formats, ...options })
      })
    }
  }

  /** With everything, because a body without elements is no document. */
  function toXml(schema, name) {
    const text = toSample(schema, false, { format: 'xml' })
    if (typeof text !== 'string' || text === '') throw new NoValidValue(`${name}: no sample in XML`)
    return text
  }

  function toSample(schema, isMinimal, others) {
    const options = { skipReadOnly: true, skipNonRequired: isMinimal, quiet: true, maxSampleDepth: 8, ...others }
    return sample(schema, options, document)
  }
}

/** The same schema with lower upper bounds. */
function toSmall(schema) {
  if (Array.isArray(schema)) return schema.map(toSmall)
  if (typeof schema !== 'object' || schema === null) return schema
  const small = Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, toSmall(each)]))
  for (const [upper, [lower, bound]] of Object.entries(greatest)) {
    if (typeof small[upper] === 'number') small[upper] = Math.min(small[upper], Math.max(bound, small[lower] ?? 0))
  }
  return small
}
