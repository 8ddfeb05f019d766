/**
 * Whether the matching time of each regular expression of `src` is linear in the length of its input. Inputs are made from the
 * syntax of each expression, and grow until their processor time shows how.
 *
 * - `npm run bench patterns` exits with 1 if the time of any expression grows more than linearly, and its input is not bounded.
 * - `-- --source <folder>` reads another folder than `src`, `-- --only <text>` files with a text in their path.
 * - It also exits with 1 if an expression, or a part of it that may be more than letters, is known only while the program runs,
 *   and no comment beside it says why that is right: `// unmeasured: <reason>`.
 * - `-- --list all` also prints those with a reason, and those whose unknown parts are letters.
 *
 * An input is bounded if a comment beside the expression says so, `// bounded: <code>`, and that code, such as
 * `.slice(0, mostLetters)`, is in each function that uses the expression.
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost } from './bars.js'
import { generateInputs } from './patterns/generate-inputs.js'
import { measureGrowth } from './patterns/measure-growth.js'
import { readExpressions } from './patterns/read-expressions.js'

const own = fileURLToPath(new URL('../src', import.meta.url))

export default function benchPatterns({ source = own, only, list, say }) {
  const { expressions, unread, files } = readExpressions(resolve(source))
  const isChosen = ({ file }) => only === undefined || file.includes(only)
  const chosen = expressions.filter(isChosen)
  say(`patterns: ${chosen.length} expressions of ${files} files`)
  const measured = new Map()
  const found = []
  for (const [index, expression] of chosen.entries()) {
    if (index % 200 === 199) say(`patterns: ${index + 1} of ${chosen.length}`)
    const growth = judge(expression, measured)
    if (growth) found.push({ ...expression, ...growth })
  }
  const judged = distinctPlaces(found)
  const open = judged.filter(({ bound }) => bound === undefined)
  const partial = chosen
    .filter(({ isPartial }) => isPartial)
    .map(({ source: text, ...each }) => ({ ...each, code: text }))
  const missing = [...unread.filter(isChosen), ...partial.filter(({ hasHole }) => hasHole)].filter(({ why }) => !why)
  return {
    tables: [
      {
        title: 'Expressions whose matching time grows more than linearly',
        head: ['place', 'exponent', 'length', 'ms', 'input'],
        rows: judged.map(toRow),
      },
    ],
    lists: [
      {
        title: 'The expressions',
        lines: judged.map(({ file, line, source: text, flags }) => `${file}:${line}  /${text}/${flags}`),
      },
      ...(missing.length > 0 ? [toPlaces('Not measured, and no comment "unmeasured:" says why', missing)] : []),
      ...(list === 'all' ? [toPlaces('Known only in part before the program runs', partial)] : []),
      ...(list === 'all' ? [toPlaces('Not known before the program runs', unread)] : []),
    ],
    bars: [
      atMost('expressions that read text without a bound, and are more than linear', open.length, 0),
      atMost('expressions that are not measured, without a reason beside them', missing.length, 0),
    ],
    notes: [
      `${chosen.length} expressions, ${judged.length} more than linear, of which ${judged.length - open.length} read bounded text`,
      `${partial.length} are known only in part before the program runs, ${unread.length} not at all`,
    ],
    hasFailed: open.length + missing.length > 0,
    data: { expressions: chosen.length, found: judged, unread, missing },
  }
}

/** Measures each expression once. */
function judge({ source, flags, isSplit }, measured) {
  const id = JSON.stringify([source, flags, isSplit])
  if (!measured.has(id)) measured.set(id, measure({ source, flags, isSplit }))
  return measured.get(id)
}

function measure(expression) {
  const inputs = readInputs(expression)
  return inputs.length === 0 ? undefined : measureGrowth(expression, inputs)
}

/** What is no expression, such as a text for `match` that only looks like one, has no inputs. */
function readInputs({ source, flags }) {
  try {
    new RegExp(source, flags)
    return generateInputs(source, flags)
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** The worst of the expressions that one piece of code makes. */
function distinctPlaces(found) {
  const worst = new Map()
  for (const each of found.toSorted((one, other) => other.exponent - one.exponent)) {
    const place = `${each.file}:${each.line} ${each.isPartial ? '' : each.source}`
    if (!worst.has(place)) worst.set(place, each)
  }
  return [...worst.values()].sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line)
}

function toRow({ file, line, exponent, length, ms, isHanging, input, bound }) {
  const time = isHanging ? `over ${ms}` : ms.toFixed(1)
  const text = bound === undefined ? 'from outside' : `bounded by ${bound}`
  return [`${file}:${line}`, isHanging ? 'no end' : exponent.toFixed(2), length, time, `${describe(input)}, ${text}`]
}

function describe({ prefix, pump, middle, second, suffix, isCounted }) {
  const once = (text) => text && JSON.stringify(text)
  const run = (text) => text && `${isCounted ? 'numbers + ' : ''}${JSON.stringify(text)} × n`
  return [once(prefix), run(pump), once(middle), run(second), once(suffix)].filter(Boolean).join(' + ')
}

function toPlaces(title, places) {
  return { title, lines: places.map(({ file, line, code }) => `${file}:${line}  ${code}`) }
}
