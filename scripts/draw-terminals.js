/**
 * Draws what terminals show over time as one animated SVG. It has no script, so it also plays as an `<img>`. Without
 * animation, or if the reader prefers reduced motion, it shows the last frame.
 */
import { stripVTControlCharacters } from 'node:util'
import xterm from '@xterm/headless'

const cell = { width: 8, height: 18, baseline: 13 }
const bar = 26
const padding = { x: 16, y: 9 }
const background = '#0d1117'
/** The colours of SGR that terminals have a palette for (ECMA-48, 8.3.117), as far as they are used. */
const palette = { 1: '#ff7b72', 2: '#3fb950', 3: '#d29922', 4: '#58a6ff', 8: '#8b949e' }

const style = `
  text { font: 13.3px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace; fill: #c9d1d9; white-space: pre }
  .bold { font-weight: 600; fill: #f0f6fc }
  .bar { fill: #161b22 }
  .name { fill: #8b949e; font-family: ui-sans-serif, system-ui, sans-serif; font-size: 12px }
  .back { fill: ${background} }
  .cursor { fill: #c9d1d9 }
  ${Object.entries(palette)
    .map(([index, colour]) => `.c${index} { fill: ${colour} }`)
    .join('\n  ')}`

/**
 * Draws terminals, one below the other.
 * @param panes from top to bottom, each with its `title`, its number of `rows`, `opensAt` (0), its `writes` (`at`, and `text`
 *   that starts a line), the commands that are `typed` (`at`, when their prompt appears, `from`, `until`, `enter`; `length`
 *   characters from `column` on) and the `cursor` of the last prompt (`at`, `column`). All times are in seconds. Until the
 *   second pane opens, the first one has room for everything.
 * @param seconds duration of the animation; then it starts again
 */
export async function drawTerminals({ title, description, columns, panes, seconds }) {
  const width = columns * cell.width + 2 * padding.x
  const heights = panes.map(({ rows }) => bar + rows * cell.height + 2 * padding.y)
  const height = sum(heights)
  const animate = createAnimations(seconds)
  const drawn = []
  for (const [index, pane] of panes.entries()) {
    const lines = await toLines(pane.writes, columns)
    const top = sum(heights.slice(0, index))
    const inside = height - top - bar - padding.y
    drawn.push(
      `<g${animate.from(pane.opensAt ?? 0)}><rect class="back" y="${top}" width="${width}" height="${height - top}"/>`,
      `<svg x="${padding.x}" y="${top + bar + padding.y}" width="${width - padding.x}" height="${inside}">`,
      drawScroll(lines, pane.rows, panes[1]?.opensAt ?? 0, animate),
      ...drawLines(lines, animate),
      ...pane.typed.map((typed) => drawTyping(typed, lines, columns, animate)),
      ...(pane.cursor ? [drawCursor(pane.cursor, lines, animate)] : []),
      `</g></svg><rect class="bar" y="${top}" width="${width}" height="${bar}"/>`,
      `<text class="name" x="${padding.x}" y="${top + 17}">${toXml(pane.title)}</text></g>`,
    )
  }
  const size = `width="${width}" height="${height}"`
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description" xml:space="preserve">`,
    `<title id="title">${toXml(title)}</title>`,
    `<desc id="description">${toXml(description)}</desc>`,
    `<style>${style}`,
    '  @media (prefers-reduced-motion: no-preference) {',
    ...animate.keyframes,
    '  }',
    '</style>',
    `<clipPath id="card"><rect ${size} rx="8"/></clipPath>`,
    '<g clip-path="url(#card)">',
    ...drawn,
    '</g>',
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="7.5" fill="none" stroke="#3d444d"/>`,
    '</svg>',
  ].join('\n')}\n`
}

/** Animations by keyframes, of one duration, so that all start again at the same time. */
function createAnimations(seconds) {
  const keyframes = []
  /** @returns the attribute of what is animated. Each step holds until the next one, unless its style says otherwise */
  function add(steps) {
    const name = `a${keyframes.length}`
    const frames = steps.map(([at, css]) => `${Number(((at / seconds) * 100).toFixed(3))}%{${css}}`).join('')
    keyframes.push(
      `    @keyframes ${name}{${frames}} .${name}{animation:${name} ${seconds.toFixed(2)}s step-end infinite}`,
    )
    return ` class="${name}"`
  }
  const appearing = new Map([[0, '']])
  /** What appears at the same time has the same animation. */
  function from(at) {
    const steps = [0, at].map((time) => [time, `visibility:${time < at ? 'hidden' : 'visible'}`])
    const attribute = appearing.get(at) ?? add(steps)
    appearing.set(at, attribute)
    return attribute
  }
  return { keyframes, add, from }
}

/** Lets a terminal lay the text out. @returns its lines, each with the time at which it appears */
async function toLines(writes, columns) {
  const terminal = new xterm.Terminal({ cols: columns, convertEol: true, allowProposedApi: true })
  const lines = []
  for (const { at, text } of writes) {
    await new Promise((done) => terminal.write(wrapWords(text, columns), done))
    const { active } = terminal.buffer
    const end = active.baseY + active.cursorY + (active.cursorX > 0 ? 1 : 0)
    while (lines.length < end) lines.push({ at, runs: toRuns(active.getLine(lines.length), columns) })
  }
  return lines
}

/** Breaks lines between words and between members of JSON. A terminal would break them anywhere, which is hard to read in an image. */
function wrapWords(text, columns) {
  const widthOf = (part) => stripVTControlCharacters(part).length
  return text
    .split('\n')
    .map((line) => {
      const [indent] = /^ */.exec(line)
      let column = 0
      return line
        .split(/(?<=\S +)(?=[^ ])|(?<=,)(?=["{[])/)
        .map((word) => {
          const isBroken = column > 0 && column + widthOf(word.trimEnd()) > columns
          column = (isBroken ? indent.length : column) + widthOf(word)
          return isBroken ? `\n${indent}${word}` : word
        })
        .join('')
    })
    .join('\n')
}

/** The parts of a line that look the same. */
function toRuns(line, columns) {
  const runs = []
  for (let column = 0; column < columns; column++) {
    const shown = line.getCell(column)
    const look = toLook(shown)
    const last = runs.at(-1)
    if (last?.look === look) last.text += shown.getChars() || ' '
    else runs.push({ column, look, text: shown.getChars() || ' ' })
  }
  return runs
    .map(({ column, look, text }) => ({ column: column + text.search(/\S|$/), look, text: text.trim() }))
    .filter(({ text }) => text !== '')
}

function toLook(shown) {
  const colour = shown.isFgPalette() ? shown.getFgColor() : undefined
  const isDrawn = (colour === undefined ? shown.isFgDefault() : colour in palette) && shown.isBgDefault()
  if (!isDrawn) throw new Error(`"${shown.getChars()}" has a colour that is not in the palette`)
  return [...(colour === undefined ? [] : [`c${colour}`]), ...(shown.isBold() ? ['bold'] : [])].join(' ')
}

/** Lines that appear at the same time are one group. A text has the width of its cells in every font. */
function drawLines(lines, animate) {
  return [...new Set(lines.map(({ at }) => at))].map((at) => {
    const texts = lines.flatMap((line, row) => (line.at === at ? line.runs.map((run) => drawRun(run, row)) : []))
    return `<g${animate.from(at)}>${texts.join('\n')}</g>`
  })
}

function drawRun({ column, look, text }, row) {
  const place = `x="${column * cell.width}" y="${row * cell.height + cell.baseline}"`
  return `<text${look && ` class="${look}"`} ${place} textLength="${text.length * cell.width}">${toXml(text)}</text>`
}

/** Opens the group of all lines, which moves up when there are more than rows. */
function drawScroll(lines, rows, from, animate) {
  const offsetAt = (time) => Math.max(0, lines.filter(({ at }) => at <= time).length - rows) * cell.height
  const times = [...new Set([from, ...lines.map(({ at }) => at)])].filter((at) => at >= from).sort((a, b) => a - b)
  const steps = [0, ...times].map((at, index) => [at, `transform:translateY(${index === 0 ? 0 : -offsetAt(at)}px)`])
  const changes = steps.filter(([, css], index) => css !== steps[index - 1]?.[1])
  if (changes.length === 1) return '<g>'
  return `<g${animate.add(changes)} transform="translate(0,-${offsetAt(Number.POSITIVE_INFINITY)})">`
}

/** Covers a command, behind a cursor that moves as it is typed. */
function drawTyping({ at, from, until, enter, column, length }, lines, columns, animate) {
  if (column + length > columns) throw new Error(`A command of ${length} characters does not fit in ${columns} columns`)
  const row = lines.findLastIndex((line) => line.at === at)
  const end = `transform:translateX(${length * cell.width}px)`
  const animation = animate.add([
    ...(at === 0 ? [] : [[0, 'visibility:hidden']]),
    [at, 'visibility:visible'],
    ...(from === until ? [] : [[from, `visibility:visible;transform:none;animation-timing-function:steps(${length})`]]),
    [until, `visibility:visible;${end}`],
    [enter, `visibility:hidden;${end}`],
  ])
  const place = `x="${column * cell.width}" y="${row * cell.height}" height="${cell.height}"`
  return `<g${animation} visibility="hidden"><rect class="back" ${place} width="${columns * cell.width}"/><rect class="cursor" ${place} width="${cell.width}"/></g>`
}

function drawCursor({ at, column }, lines, animate) {
  const place = `x="${column * cell.width}" y="${(lines.length - 1) * cell.height}"`
  return `<g${animate.from(at)}><rect class="cursor" ${place} width="${cell.width}" height="${cell.height}"/></g>`
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0)
}

function toXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
