/** Compiles schemas of texts to sampler plans: by pattern, format, examples and name. */
import type { SchemaObject } from '../document/document.js'
import { boundPattern } from '../document/patterns/bounded-pattern.js'
import { compilePattern } from '../document/patterns/compile-pattern.js'
import { createRandom } from '../json/random.js'
import { makeText } from '../json/sampler/make-text.js'
import { makeValue } from '../json/sampler/make-value.js'
import type { TextPart, TextPlan } from '../json/sampler/sampler-plan.js'
import type { DescribedText, Recipe } from '../json/sampler/value-looks.js'
import { maxExamples, type Planning, pick, type WholeContext } from './planning.js'

export function toTextPlan(
  planning: Planning,
  variant: SchemaObject,
  { name, owner, isKey, description: ofList, examples }: WholeContext,
): TextPlan {
  const { looks } = planning
  const { format, pattern, minLength, maxLength, description } = variant
  const lengths = pick(variant, 'minLength', 'maxLength')
  // Paths are no URIs, although examples have them.
  const isForm = (each: string) => format !== 'uri' || /^[a-z][\w+.-]*:/i.test(each)
  const isExample = (each: unknown) =>
    typeof each === 'string' && each !== '' && isForm(each) && looks.isTelling(each, name)
  const own = isKey ? [] : looks.examplesOf(variant).filter(isExample)
  const texts = own.length > 0 || isKey ? own : [...new Set(examples)].filter(isExample).slice(0, maxExamples)
  const examplesBeside = (recipe: unknown) =>
    texts.length > 0 && (own.length > 0 || recipe === undefined) ? { examples: texts as string[] } : {}
  if (isKey && pattern === undefined && format === undefined)
    return { kind: 'text', parts: keyParts(minLength, maxLength, looks.examplesOf(variant)[0]), ...lengths }
  const described: DescribedText = {
    ...{ name, owner, format, examples: texts as string[] },
    description: String(description ?? ofList),
  }
  if (pattern !== undefined) {
    const likely = isKey ? undefined : findMatching(planning, described, pattern, variant)
    const parts = likely ?? patternParts(pattern, minLength) ?? similarParts(planning, described)
    return { kind: 'text', ...examplesBeside(parts), ...(parts && { parts }), isStrict: true, ...lengths }
  }
  const { recipe, isStrict = false, isGuess = false } = looks.text(described)
  return {
    kind: 'text',
    ...examplesBeside(recipe),
    ...(recipe && { parts: toParts(planning, recipe) }),
    ...(isStrict && { isStrict }),
    ...(isGuess && { isGuess }),
    ...lengths,
  }
}

/** Texts like an example, for patterns that only the example shows how to keep. */
function similarParts(planning: Planning, described: DescribedText): TextPart[] | undefined {
  const { recipe } = described.examples.length > 0 ? planning.looks.text(described) : {}
  return recipe && toParts(planning, recipe)
}

/** The first recipe whose texts match a pattern. */
function findMatching(
  planning: Planning,
  described: DescribedText,
  pattern: string,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: SchemaObject,
): TextPart[] | undefined {
  const expression = boundPattern(pattern)
  if (!expression) return undefined
  const isOpen = strayTexts.some((each) => expression.test(each))
  const isMatch = (text: unknown) =>
    typeof text === 'string' && text.length >= minLength && text.length <= maxLength && expression.test(text)
  const recipes = planning.looks.textsToTry(described, isOpen).map((recipe) => toParts(planning, recipe))
  return recipes.find((parts) => {
    const making = { random: createRandom(1) }
    const makeOther = (number: number) => makeValue(planning.plans, number, making)
    const make = () => makeText({ kind: 'text', parts }, making, makeOther)
    return Array.from({ length: 6 }, make).every(isMatch)
  })
}

/** Texts of all kinds: a pattern that matches one of them says little about texts. */
const strayTexts = ['9', 'q', 'Zq7-_ x.', '?']

/** The same recipe as plain data: lists of words are plans of their own. */
function toParts(planning: Planning, recipe: Recipe): TextPart[] {
  return recipe.map((part): TextPart => {
    if (typeof part === 'string' || 'oneOf' in part || 'time' in part) return part
    if ('anyOf' in part) return { anyOf: part.anyOf.map((each) => toParts(planning, each)) }
    if ('repeat' in part) return { ...part, repeat: toParts(planning, part.repeat) }
    const { words } = part
    return words.length === 1 ? (words[0] ?? '') : { of: planning.addWords(words) }
  })
}

/** A pattern without an end matches longer texts, too. */
function patternParts(pattern: string, minLength: number | undefined): TextPart[] | undefined {
  const parts = compilePattern(pattern)
  return parts && minLength !== undefined && !pattern.endsWith('$') ? [...parts, { repeat: [letter], min: 0 }] : parts
}

const letter: TextPart = { oneOf: 'abcdefghijklmnopqrstuvwxyz' }

/** Letters, so that keys are rarely used up, or as many digits as an example of a number has. */
function keyParts(minLength = 0, maxLength = Number.POSITIVE_INFINITY, example?: unknown): TextPart[] {
  const isNumber = /^\d{6,}$/.test(String(example))
  const length = Math.min(Math.max(minLength, isNumber ? String(example).length : 8), maxLength)
  return [{ repeat: [isNumber ? { oneOf: '123456789' } : letter], min: length, max: length }]
}
