/** Draws `results.svg` from the last results of `requests`: processor time per request, grouped by request. */
import { readFileSync, writeFileSync } from 'node:fs'
import { toFigure } from './bars.js'
import { median } from './median.js'
import { rows } from './servers/subjects.js'

const from = new URL('results/requests.json', import.meta.url)
const to = new URL('results.svg', import.meta.url)
const drawn = ['list', 'filtered', 'read', 'create', 'unauthorized', 'invalid', 'missing']

const width = 880
const left = 230
const right = 60
const barHeight = 13
const groupGap = 30
/** Longer bars are cut, because the slowest subject would make all others too short to see. */
const longest = 400

const style = `
  text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 15px; font-weight: 600 }
  .group { font-weight: 600 }
  .small { font-size: 11px; fill: #59636e }
  .ours { fill: #0969da }
  .bare { fill: #8c959f }
  .peer { fill: #d4a72c }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .small { fill: #9198a1 }
    .ours { fill: #4493f8 }
    .bare { fill: #6e7681 }
    .peer { fill: #bb8009 }
  }`

export default async function drawChart() {
  const { machine, options, data } = JSON.parse(read())
  const parts = []
  let y = 66
  for (const row of drawn) {
    parts.push(text({ x: 16, y, className: 'group' }, rows[row].title))
    y += 8
    for (const { id, title, time } of toBars(data, row)) {
      const isCut = time > longest
      const length = (Math.min(time, longest) / longest) * (width - left - right)
      parts.push(text({ x: left - 8, y: y + 10, anchor: 'end', className: 'small' }, title))
      parts.push(
        `<rect class="${toClass(id)}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight - 2}" rx="1.5"/>`,
      )
      parts.push(text({ x: left + length + 5, y: y + 10, className: 'small' }, `${toFigure(time)}${isCut ? ' →' : ''}`))
      y += barHeight
    }
    y += groupGap
  }
  const { processor, system, node, load, date } = machine
  const how = `${processor}, ${system}, ${node}; ${load}, ${options.connections} connections; median of ${options.rounds} rounds; ${date.slice(0, 10)}`
  const label = 'Processor time of the server per request, µs (less is better)'
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img" aria-label="${label}">`,
    `<style>${style}\n</style>`,
    text({ x: 16, y: 24, className: 'title' }, label),
    text({ x: 16, y: 42, className: 'small' }, how),
    ...parts,
    '</svg>',
  ]
  writeFileSync(to, `${svg.join('\n')}\n`)
  console.log('Drawn: bench/results.svg')
}

/** Sorts subjects by speed, fastest first. Omits subjects without results for the row. */
function toBars(data, row) {
  return data
    .filter(({ id, rows: measured }) => id !== 'bare-log' && measured[row].rounds.length > 0)
    .map(({ id, title, rows: measured }) => ({
      id,
      title,
      time: median(measured[row].rounds.map(({ microseconds }) => microseconds)),
    }))
    .toSorted((a, b) => a.time - b.time)
}

function toClass(id) {
  return id === 'ours' || id === 'bare' ? id : 'peer'
}

function text({ x, y, anchor, className }, content) {
  const escaped = content.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  const aligned = anchor === undefined ? '' : ` text-anchor="${anchor}"`
  return `<text class="${className}" x="${x.toFixed(1)}" y="${y}"${aligned}>${escaped}</text>`
}

function read() {
  try {
    return readFileSync(from, 'utf8')
  } catch {
    throw new Error('Found no results to draw: run "npm run bench requests" first')
  }
}
