/**
 * Worst cases for a regular expression, from its syntax: for each part that repeats, texts of its language repeated, after what
 * leads to it and before ends that may not match; also what leads to it repeated, so that each repeat is a start.
 */
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/** A part that repeats less often costs a constant factor. */
const fewest = 10
const mostLetters = 14
const mostPrefixes = 6
const mostPumps = 200
const pool = [
  ...'ax0AZ9_ -.,;:/\\"\'`<>()[]{}=*+#?!@%&|~^$\t\n\r\v\f\0',
  ...['é', 'ß', 'Σ', '中', '\u00a0', '\u2028', '\ufeff', '\u{1f600}', '\ud800', '\u0301'],
]
/** Which of the samples of a part is taken; each makes other choices where there are several. */
const variants = [0, 1, 2, 3]

/** @returns the inputs as `{ prefix, pump, suffix }`, or nothing if no part of the expression repeats often */
export function generateInputs(source, flags) {
  const ast = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  const own = collect(ast)
  if (!own.quantifiers.some(({ max }) => max >= fewest)) return []
  const members = createMembers(own, flags)
  const letters = chooseLetters(own, members, /\\b/i.test(source))
  const sample = createSampler(members)
  const repeating = own.quantifiers.filter(({ max }) => max >= fewest)
  const leading = distinct(repeating.flatMap((each) => variants.map((variant) => prefixOf(each, variant, sample))))
  const prefixes = ['', ...leading.filter((each) => each !== '')].slice(0, mostPrefixes)
  const suffixes = ['', ...letters]
  const inputs = []
  const add = (pump, somePrefixes, someSuffixes) => {
    for (const prefix of pump === '' ? [] : somePrefixes)
      for (const suffix of someSuffixes) inputs.push({ prefix, pump, suffix })
  }
  const few = distinct(['', '\0', '\n', ...letters.slice(0, 3)])
  for (const letter of letters) {
    add(letter, prefixes, suffixes)
    // Where the start is another part's, the run begins behind it.
    add(
      letter,
      distinct(['\0', '\n', ...letters]).filter((each) => each !== letter && !prefixes.includes(each)),
      few,
    )
  }
  for (const pump of pumpsOf(repeating, own, letters, sample)) add(pump, prefixes.slice(0, 3), few)
  const some = letters.slice(0, 9)
  for (const one of some)
    for (const other of some) if (one !== other) add(one + other, prefixes.slice(0, 3), few.slice(0, 3))
  // Two runs, of which the second may have to be searched again from each place of the first.
  if (own.isLooking) {
    for (const one of some.slice(0, 6))
      for (const other of some.slice(0, 6))
        if (one !== other) inputs.push({ prefix: '', pump: one, second: other, suffix: '' })
  }
  return inputs
}

function collect(ast) {
  const own = { ast, quantifiers: [], sets: new Map(), literals: new Set(), isLooking: false }
  const addSet = (node) => own.sets.set(node.raw, node)
  visitRegExpAST(ast, {
    onQuantifierEnter(node) {
      own.quantifiers.push(node)
      if (node.max >= fewest && node.element.type === 'Character') addSet(node.element)
    },
    onCharacterEnter(node) {
      own.literals.add(String.fromCodePoint(node.value))
    },
    onCharacterSetEnter(node) {
      if (!isInClass(node)) addSet(node)
    },
    onCharacterClassEnter(node) {
      if (!isInClass(node)) addSet(node)
    },
    onExpressionCharacterClassEnter(node) {
      addSet(node)
    },
    onAssertionEnter({ kind }) {
      if (kind === 'lookahead' || kind === 'lookbehind') own.isLooking = true
    },
    onBackreferenceEnter() {
      own.isLooking = true
    },
  })
  return own
}

function isInClass({ parent }) {
  return !['Alternative', 'Quantifier'].includes(parent.type)
}

/** @returns a function of the letters that a part of one letter matches */
function createMembers({ sets, literals }, flags) {
  const all = distinct([...pool, ...[...literals].slice(0, 60), ...[...sets.values()].flatMap(edgesOf)])
  const known = new Map()
  for (const raw of sets.keys()) {
    const expression = new RegExp(`^(?:${raw})$`, flags.replace(/[gymd]/g, ''))
    known.set(
      raw,
      all.filter((letter) => expression.test(letter)),
    )
  }
  return ({ raw }) => known.get(raw) ?? []
}

/** The letters at the ends of the ranges of a class. */
function edgesOf({ elements = [] }) {
  return elements
    .flatMap((each) => [each.min?.value, each.max?.value, each.value])
    .filter((value) => typeof value === 'number')
    .map((value) => String.fromCodePoint(value))
}

/** One letter of each kind that the parts of the expression tell apart. */
function chooseLetters({ sets }, members, hasBoundary) {
  const nodes = [...sets.values()]
  const matched = nodes.map((node) => new Set(members(node)))
  const all = distinct([...pool, ...nodes.flatMap((node) => members(node))])
  const kinds = new Map()
  for (const letter of all) {
    const kind = `${matched.map((set) => (set.has(letter) ? 1 : 0)).join('')}${hasBoundary && /\w/.test(letter)}`
    if (!kinds.has(kind)) kinds.set(kind, letter)
  }
  // Those that most parts match come first: there is most to try.
  const count = (letter) => matched.filter((set) => set.has(letter)).length
  return [...kinds.values()].sort((one, other) => count(other) - count(one)).slice(0, mostLetters)
}

function createSampler(members) {
  const sample = (node, variant) => {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value)
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass': {
        const own = members(node)
        return own[variant % Math.max(1, own.length)] ?? 'a'
      }
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return sample(node.alternatives[variant % node.alternatives.length], variant)
      case 'Alternative':
        return node.elements.map((each) => sample(each, variant)).join('')
      case 'Quantifier': {
        const count = Math.min(node.max, Math.max(node.min, variant % 2))
        return sample(node.element, variant).repeat(Math.min(count, 60))
      }
      case 'Backreference':
        return sample([node.resolved].flat()[0], variant)
      default:
        return ''
    }
  }
  return sample
}

/** A text that leads to a part, from the start of the expression. */
function prefixOf(node, variant, sample) {
  const { parent } = node
  if (!parent) return ''
  const before = prefixOf(parent, variant, sample)
  if (parent.type !== 'Alternative') return before
  const index = parent.elements.indexOf(node)
  return (
    before +
    parent.elements
      .slice(0, index)
      .map((each) => sample(each, variant))
      .join('')
  )
}

function pumpsOf(repeating, { ast }, letters, sample) {
  const pumps = []
  for (const node of repeating) {
    for (const variant of variants) {
      const one = sample(node.element, variant)
      const before = prefixOf(node, variant, sample)
      pumps.push(one, before, before + one, one + before)
      // Words are apart from each other.
      for (const between of letters.slice(0, 8)) pumps.push(before + between, between + before, one + between)
      if (node.element.alternatives?.length > 1)
        pumps.push(node.element.alternatives.map((each) => sample(each, variant)).join(''))
    }
  }
  for (const variant of variants) {
    const whole = sample(ast, variant)
    pumps.push(whole, ...letters.slice(0, 4).map((between) => whole + between))
  }
  return distinct(pumps)
    .filter((pump) => pump.length < 200)
    .slice(0, mostPumps)
}

function distinct(list) {
  return [...new Set(list)]
}
