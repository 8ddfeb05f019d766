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
const mostEnds = 8
/** The letters of one repeat of an input, and of what is repeated in there. */
const mostPump = 400
const mostText = 4000
/** What is taken of one repeat. */
const mostParts = 60
const mostWords = 12
const pool = [
  ...'ax0AZ9_ -.,;:/\\"\'`<>()[]{}=*+#?!@%&|~^$\t\n\r\v\f\0',
  ...['é', 'ß', 'Σ', '中', '\u00a0', '\u2028', '\ufeff', '\u{1f600}', '\ud800', '\u0301'],
]
/** What the classes of an expression are tried with, so that there is a letter of each intersection. */
const latin = Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code))
const wide = Array.from({ length: 0x11000 }, (_, code) => String.fromCodePoint(code)).filter(
  (_, code) => code < 0x3100 || code % 7 === 0,
)
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
  const sample = createSampler(({ raw }) => own.members.get(raw) ?? [], flags)
  const all = new Map()
  const add = (input) => all.set(JSON.stringify(input), input)
  const addAll = (pumps, prefixes, suffixes) => {
    for (const pump of pumps)
      for (const prefix of pump === '' ? [] : prefixes) for (const suffix of suffixes) add({ prefix, pump, suffix })
  }
  const strangers = distinct(['\0', '\n', ...letters.slice(-1)])
  const few = distinct(['', '\0', '\n', ...letters.slice(0, 3)])
  const leading = distinct(repeating.flatMap((each) => variants.map((variant) => prefixOf(each, variant, sample))))
  const prefixes = distinct(['', ...leading]).slice(0, mostPrefixes)
  const nearOf = (each) => distinct([shortest, shortest + 1].map((variant) => prefixOf(each, variant, sample)))
  const leads = distinct(repeating.flatMap(nearOf))
  for (const each of repeating) {
    const near = nearOf(each)
    const within = pumpsWithin(each, sample, (letter) => letters.indexOf(letter))
    const follow = followOf(each, sample)
    const ends = endsOf(follow, strangers)
    const stops = stopsOf(each, letters, sample, strangers)
    addAll(within.slice(0, 3), near, stops)
    addAll(within.slice(0, 12), near, ends)
    addAll(within.slice(12), near, ends.slice(0, 3))
    // What follows is found again in each repeat, or what leads to the part is: each repeat is a start.
    const onward = leads.flatMap((lead) => (lead.startsWith(near[0]) ? [lead.slice(near[0].length)] : []))
    const again = [
      ...follow.texts,
      ...onward.slice(0, 8).flatMap((text) => ['', ...strangers].map((one) => one + text)),
    ]
    addAll(again, near, ends.slice(0, mostEnds))
    const starts = startsOf(each, distinct([...letters.slice(0, 8), '\n']), sample)
    addAll(starts.slice(0, mostPumps / repeating.length), distinct(['', near[0]]), ends.slice(0, mostEnds))
    // Two runs: a reference compares the second with the first, or it is searched again from each place of the first.
    const seconds = own.isLooking ? within.slice(0, 6) : []
    for (const pump of seconds)
      for (const second of distinct([pump, ...letters.slice(0, 6)]))
        for (const prefix of near)
          add({ prefix, pump, middle: second === pump ? follow.middle : '', second, suffix: '' })
  }
  for (const letter of letters) {
    // What is not found again is searched to the end.
    if (own.isLooking) add({ prefix: '', pump: letter, isCounted: true, suffix: '' })
    addAll([letter], prefixes, ['', ...letters])
    // Where the start is another part's, the run begins behind it.
    const others = distinct([...strangers, ...letters]).filter((each) => each !== letter && !prefixes.includes(each))
    addAll([letter], others, few)
  }
  const whole = variants.map((variant) => sample(ast, variant)).filter((each) => each.length < mostPump)
  addAll(
    whole.flatMap((each) => ['', ...letters.slice(0, 4)].map((between) => each + between)),
    prefixes.slice(0, 3),
    few,
  )
  const some = letters.slice(0, 9)
  const pairs = some.flatMap((one) => some.flatMap((other) => (one === other ? [] : [one + other])))
  addAll(pairs, prefixes.slice(0, 3), few.slice(0, 3))
  return [...all.values()]
}

/** How often a part can be repeated by itself and by those around it. */
function repeats(node) {
  if (!node) return 1
  return (node.type === 'Quantifier' ? Math.max(1, node.max) : 1) * repeats(node.parent)
}

/**
 * Texts of one repeat: letters that its parts match, those first which most parts match, each of its alternatives, and what has
 * one of its parts, and a word of another one where a class repeats: two ways through a repeat may share only that text.
 */
function pumpsWithin({ element }, sample, rank) {
  const [alternatives, optional, words] = [[], [], ['']]
  visitRegExpAST(element, {
    onAlternativeEnter(node) {
      alternatives.push(node)
      const text = node.elements.map(({ type, value }) => (type === 'Character' ? String.fromCodePoint(value) : '\0'))
      for (const word of text.join('').match(/[\p{L}\p{N}_-]{2,}/gu) ?? []) words.push(word, `${word}a`)
    },
    onQuantifierEnter: (node) => node.min === 0 && optional.push(node),
  })
  const parts = [...alternatives, ...optional].slice(0, mostParts)
  const taken = words.slice(0, mostWords).flatMap((word) => parts.map((part) => ({ part, word })))
  const texts = alternatives.slice(0, mostParts).map((each) => sample(each, shortest))
  texts.push(...taken.map((each) => sample(element, shortest, each)))
  const letters = [...lettersOf(element, sample)].filter((letter) => rank(letter) >= 0)
  const ranked = letters.sort((one, other) => rank(one) - rank(other)).slice(0, 8)
  return distinct([...ranked, ...variants.map((variant) => sample(element, variant)), ...texts]).filter(Boolean)
}

function lettersOf(element, sample) {
  const letters = new Set()
  const add = (node) => {
    for (const letter of sample.members(node)) letters.add(letter)
  }
  visitRegExpAST(element, {
    onCharacterEnter: (node) => !isInClass(node) && letters.add(String.fromCodePoint(node.value)),
    onCharacterSetEnter: add,
    onCharacterClassEnter: add,
    onExpressionCharacterClassEnter: add,
  })
  return letters
}

/**
 * What follows a part: as a whole, where it is in a lookaround also what follows in there and behind that, and what other
 * lookarounds look for. The middle is what is before a reference.
 */
function followOf(node, sample) {
  const pieces = [[]]
  for (let at = node; at.parent; at = at.parent) {
    if (at.parent.type === 'Alternative')
      pieces[0].push(...at.parent.elements.slice(at.parent.elements.indexOf(at) + 1))
    if (at.parent.type === 'Assertion') pieces.unshift([])
  }
  const rest = pieces.toReversed().flat()
  const letters = new Set()
  const sought = []
  for (const each of rest)
    visitRegExpAST(each, {
      onCharacterEnter: ({ value }) => letters.add(String.fromCodePoint(value)),
      onAssertionEnter: ({ alternatives = [] }) => sought.push(...alternatives),
    })
  const text = (parts, variant = 1) => parts.map((each) => sample(each, variant)).join('')
  const reference = rest.findIndex(({ type }) => type === 'Backreference')
  const texts = [rest, rest.slice(0, 1), ...pieces].flatMap((parts) => [text(parts), text(parts, shortest)])
  const looked = sought.slice(0, 4).map((each) => sample(each, shortest))
  return {
    letters: [...letters].slice(0, 4),
    texts: distinct([...texts, ...texts.slice(0, 2).map((each) => each.slice(0, -1)), ...looked]).filter(Boolean),
    middle: text(rest.slice(0, Math.max(0, reference))),
  }
}

/** Ends that may not match: what follows, in full or one of its letters twice, before what does not belong there. */
function endsOf({ texts, letters }, strangers) {
  const [stranger] = strangers
  const [full = ''] = texts
  const last = strangers.at(-1)
  return distinct([
    ...['', ...strangers, full + stranger, full + full + stranger],
    ...letters.flatMap((one) => [one, one + stranger, one + one + stranger]),
    ...texts.flatMap((text) => [text, text + last]),
  ])
}

/** Ends of letters that the part does not match, each before one that stops another part, after which it may come again. */
function stopsOf({ element }, letters, sample, strangers) {
  const own = lettersOf(element, sample)
  const others = letters.filter((each) => !own.has(each))
  const few = distinct([...others.slice(0, 2), ...others.slice(-2)])
  const seconds = distinct([...strangers, letters[0]])
  return few.flatMap((one) => [
    one,
    ...seconds.flatMap((other) => (one === other ? [] : [one + other, one + other + one])),
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

function createSampler(members, flags) {
  const isOf = ({ type, raw }, word) =>
    /Set|Class/.test(type) && new RegExp(`^(?:${raw})+$`, flags.replace('y', '')).test(word)
  const sample = (node, variant, taken) => {
    const leads = (each) => taken && (taken.part === each || isWithin(taken.part, each))
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
        if (node.alternatives.some(leads)) return sample(node.alternatives.find(leads), variant, taken)
        if (variant >= shortest)
          return node.alternatives
            .map((each) => sample(each, variant, taken))
            .reduce((one, other) => (other.length < one.length ? other : one))
        return sample(node.alternatives[variant % node.alternatives.length], variant)
      case 'Alternative':
        return node.elements.map((each) => sample(each, variant, taken)).join('')
      case 'Quantifier': {
        if (taken?.word && node.max > 1 && isOf(node.element, taken.word)) return taken.word
        const least = leads(node) ? 1 : variant < shortest ? variant % 2 : 0
        const count = Math.min(node.max, Math.max(node.min, least))
        const text = sample(node.element, variant, taken)
        return text.repeat(Math.min(count, Math.ceil(mostText / Math.max(1, text.length))))
      }
      case 'Backreference':
        return isWithin(node, [node.resolved].flat()[0]) ? '' : sample([node.resolved].flat()[0], variant)
      case 'Assertion': {
        // What a lookaround needs is there, or is part of what is beside it.
        if (flags.includes('m') && node.kind === 'start') return variant % 2 === 0 ? '' : '\n'
        const isSought = node.alternatives && !node.negate && variant % 2 === 0
        return isSought ? sample(node.alternatives[(variant / 2) % node.alternatives.length], variant) : ''
      }
      default:
        return ''
    }
  }
  sample.members = members
  return sample
}

/** A text that leads to a part: what is in front of it, or behind it in a lookbehind if that is read as it runs. */
function prefixOf(node, variant, sample, isRun = false) {
  const { parent } = node
  if (!parent) return ''
  const before = prefixOf(parent, variant, sample, isRun)
  if (parent.type !== 'Alternative') return before
  const index = parent.elements.indexOf(node)
  const leading = isRun && isBackward(parent) ? parent.elements.slice(index + 1) : parent.elements.slice(0, index)
  return before + leading.map((each) => sample(each, variant)).join('')
}

function isWithin({ parent }, group) {
  return parent === group || (!!parent && isWithin(parent, group))
}

function isBackward({ type, kind, parent }) {
  return type === 'Assertion' ? kind === 'lookbehind' : !!parent && isBackward(parent)
}

/** What leads to a part, in each way with and without one repeat, also as words that are apart from each other. */
function startsOf(node, separators, sample) {
  const ways = [shortest, ...variants].map((variant) => ({
    one: sample(node.element, variant),
    before: prefixOf(node, variant, sample, true),
  }))
  return distinct([
    ...ways.flatMap(({ one, before }) => [before, before + one, one + before, one]),
    ...ways.flatMap(({ one, before }) =>
      separators.flatMap((between) => [before + between, between + before, one + between, between + before + one]),
    ),
  ]).filter((pump) => pump.length < mostPump)
}

function distinct(list) {
  return [...new Set(list)]
}
