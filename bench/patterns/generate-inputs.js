/**
 * Worst cases for a regular expression, from its syntax: for each part that repeats, texts of its language repeated, after a
 * shortest text that leads to it and before ends that may not match; also what leads to it repeated, so that each repeat is a start.
 */
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/** A part that repeats less often, also with those around it, costs a constant factor. */
const fewest = 10
const mostLetters = 14
const mostPrefixes = 6
const mostPumps = 240
const pool = [
  ...'ax0AZ9_ -.,;:/\\"\'`<>()[]{}=*+#?!@%&|~^$\t\n\r\v\f\0',
  ...['é', 'ß', 'Σ', '中', '\u00a0', '\u2028', '\ufeff', '\u{1f600}', '\ud800', '\u0301'],
]
/** What the classes of an expression are tried with, so that there is a letter of each intersection. */
const latin = Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code))
const wide = Array.from({ length: 0x11000 }, (_, code) => String.fromCodePoint(code))
/** Which of the samples of a part is taken; each makes other choices where there are several. */
const variants = [0, 1, 2, 3]
/** And that of the shortest text, with the first letter of each class or, in the next one, the second. */
const shortest = 4

/** @returns the inputs as `{ prefix, pump, suffix }`, or nothing if no part of the expression repeats often */
export function generateInputs(source, flags) {
  const ast = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  const own = collect(ast)
  const repeating = own.quantifiers.filter((each) => each.max > 1 && repeats(each) >= fewest)
  if (repeating.length === 0) return []
  const letters = chooseLetters(own, flags, /\\b/i.test(source))
  const members = ({ raw }) => own.members.get(raw) ?? []
  const sample = createSampler(members)
  const leading = distinct(repeating.flatMap((each) => variants.map((variant) => prefixOf(each, variant, sample))))
  const prefixes = ['', ...leading.filter((each) => each !== '')].slice(0, mostPrefixes)
  const all = new Map()
  const add = (input) => all.set(JSON.stringify(input), input)
  const addAll = (pump, somePrefixes, someSuffixes) => {
    for (const prefix of pump === '' ? [] : somePrefixes)
      for (const suffix of someSuffixes) add({ prefix, pump, suffix })
  }
  const few = distinct(['', '\0', '\n', ...letters.slice(0, 3)])
  for (const each of repeating) {
    const near = distinct([shortest, shortest + 1].map((variant) => prefixOf(each, variant, sample)))
    const ends = endsOf(each, sample, distinct(['\0', '\n', ...letters.slice(-1)]))
    const within = pumpsWithin(each, sample, (letter) => letters.indexOf(letter))
    for (const [index, pump] of within.entries()) addAll(pump, near, index < 12 ? ends : ends.slice(0, 3))
  }
  for (const letter of letters) {
    addAll(letter, prefixes, ['', ...letters])
    // Where the start is another part's, the run begins behind it.
    const others = distinct(['\0', '\n', ...letters]).filter((each) => each !== letter && !prefixes.includes(each))
    addAll(letter, others, few)
  }
  for (const pump of pumpsOf(repeating, own, letters, sample)) addAll(pump, prefixes.slice(0, 3), few)
  const some = letters.slice(0, 9)
  for (const one of some)
    for (const other of some) if (one !== other) addAll(one + other, prefixes.slice(0, 3), few.slice(0, 3))
  // Two runs, of which the second may have to be searched again from each place of the first.
  if (own.isLooking) {
    for (const one of some.slice(0, 6))
      for (const other of some.slice(0, 6)) if (one !== other) add({ prefix: '', pump: one, second: other, suffix: '' })
  }
  return [...all.values()]
}

/** How often a part can be repeated by itself and by those around it. */
function repeats(node) {
  if (!node) return 1
  return (node.type === 'Quantifier' ? Math.max(1, node.max) : 1) * repeats(node.parent)
}

/** Texts of one repeat: letters that its parts match, those first which most parts match, and each of its alternatives. */
function pumpsWithin({ element }, sample, rank) {
  const letters = new Set()
  const alternatives = []
  visitRegExpAST(element, {
    onCharacterEnter: (node) => addLetters(node),
    onCharacterSetEnter: (node) => addLetters(node),
    onCharacterClassEnter: (node) => addLetters(node),
    onExpressionCharacterClassEnter: (node) => addLetters(node),
    onAlternativeEnter: (node) => alternatives.push(node),
  })
  function addLetters(node) {
    for (const letter of node.type === 'Character' ? [String.fromCodePoint(node.value)] : sample.members(node))
      if (rank(letter) >= 0) letters.add(letter)
  }
  const texts = alternatives.slice(0, 60).map((each) => sample(each, shortest))
  const ranked = [...letters].sort((one, other) => rank(one) - rank(other)).slice(0, 8)
  return distinct([...ranked, ...variants.map((variant) => sample(element, variant)), ...texts])
}

/** Ends that may not match: what follows a part, in full or one of its letters twice, before what does not belong there. */
function endsOf(node, sample, strangers) {
  const [stranger] = strangers
  const rest = []
  for (let at = node; at.parent; at = at.parent)
    if (at.parent.type === 'Alternative') rest.push(...at.parent.elements.slice(at.parent.elements.indexOf(at) + 1))
  const letters = new Set()
  for (const each of rest)
    visitRegExpAST(each, { onCharacterEnter: ({ value }) => letters.add(String.fromCodePoint(value)) })
  const few = [...letters].slice(0, 4)
  const full = rest.map((each) => sample(each, 1)).join('')
  return distinct([
    ...['', ...strangers, full + stranger, full + full + stranger, full.slice(0, -1)],
    ...few.flatMap((one) => [one, one + stranger, one + one + stranger]),
  ])
}

function collect(ast) {
  const own = { ast, quantifiers: [], sets: new Map(), literals: new Set(), members: new Map(), isLooking: false }
  const addSet = (node) => own.sets.set(node.raw, node)
  visitRegExpAST(ast, {
    onQuantifierEnter(node) {
      own.quantifiers.push(node)
      if (repeats(node) >= fewest && node.element.type === 'Character') addSet(node.element)
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

/** The letters at the ends of the ranges of a class. */
function edgesOf({ elements = [] }) {
  return elements
    .flatMap((each) => [each.min?.value, each.max?.value, each.value])
    .filter((value) => typeof value === 'number')
    .map((value) => String.fromCodePoint(value))
}

/** One letter of each kind that the parts of the expression tell apart. */
function chooseLetters({ sets, literals, members }, flags, hasBoundary) {
  const nodes = [...sets.values()].slice(0, 50)
  const isWide = /[uv]/.test(flags) || nodes.some(({ raw }) => /\\u|[^\0-\x7f]/.test(raw))
  const all = distinct([...pool, ...[...literals].slice(0, 60), ...nodes.flatMap(edgesOf), ...(isWide ? wide : latin)])
  const tests = nodes.map(({ raw }) => new RegExp(`^(?:${raw})$`, flags.replace(/[gymd]/g, '')))
  const kinds = new Map()
  for (const { raw } of nodes) members.set(raw, [])
  for (const letter of all) {
    const matching = tests.map((test) => test.test(letter))
    const kind = `${matching.map(Number).join('')}${hasBoundary && /\w/.test(letter)}`
    const isNew = !kinds.has(kind)
    if (isNew) kinds.set(kind, { letter, count: matching.filter(Boolean).length })
    if (isNew || pool.includes(letter))
      for (const [index, { raw }] of nodes.entries()) if (matching[index]) members.get(raw).push(letter)
  }
  // Those that most parts match come first: there is most to try.
  const sorted = [...kinds.values()].sort((one, other) => other.count - one.count)
  return sorted.slice(0, mostLetters).map(({ letter }) => letter)
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
        if (variant >= shortest)
          return node.alternatives
            .map((each) => sample(each, variant))
            .reduce((one, other) => (other.length < one.length ? other : one))
        return sample(node.alternatives[variant % node.alternatives.length], variant)
      case 'Alternative':
        return node.elements.map((each) => sample(each, variant)).join('')
      case 'Quantifier': {
        const count = Math.min(node.max, Math.max(node.min, variant < shortest ? variant % 2 : 0))
        return sample(node.element, variant).repeat(Math.min(count, 60))
      }
      case 'Backreference':
        return sample([node.resolved].flat()[0], variant)
      default:
        return ''
    }
  }
  sample.members = members
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
  const starts = variants.flatMap((variant) =>
    repeating.map((node) => ({ one: sample(node.element, variant), before: prefixOf(node, variant, sample) })),
  )
  const near = repeating.map((node) => prefixOf(node, shortest, sample))
  const whole = variants.map((variant) => sample(ast, variant))
  const pumps = [
    ...near,
    ...starts.flatMap(({ one, before }) => [one, before, before + one, one + before]),
    ...whole.flatMap((each) => [each, ...letters.slice(0, 4).map((between) => each + between)]),
    // Words are apart from each other.
    ...starts.flatMap(({ one, before }) =>
      letters.slice(0, 8).flatMap((between) => [before + between, between + before, one + between]),
    ),
  ]
  return distinct(pumps)
    .filter((pump) => pump.length < 200)
    .slice(0, mostPumps)
}

function distinct(list) {
  return [...new Set(list)]
}
