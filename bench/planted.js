/** Counts planted contract bugs that are found: 32 provider bugs by `check` and other tools, fifteen by `run`. */
import * as consumer from './planted/consumer.js'
import * as provider from './planted/provider.js'
import { consumerTools, providerTools } from './planted/tools.js'

export default async function benchPlanted({ tools: wanted, markdown = false } = {}) {
  const known = { ...providerTools, ...consumerTools }
  const ids = wanted?.split(',') ?? Object.keys(known).filter((id) => !isAbsent(known[id]))
  for (const id of ids) {
    if (known[id] === undefined) throw new Error(`Unknown tool "${id}"; available: ${Object.keys(known).join(', ')}`)
    if (isAbsent(known[id])) throw new Error(`${known[id].title} is not installed: npm install --prefix bench`)
  }
  const print = markdown ? printMarkdown : printText
  await compare('provider', { bugs: provider.bugs, tools: pick(providerTools, ids), judge: judgeProvider, print })
  await compare('consumer', { bugs: consumer.bugs, tools: pick(consumerTools, ids), judge: judgeConsumer, print })
}

async function judgeProvider(tool, { id }) {
  const { url, close } = await provider.startProvider({ bug: id === 'clean' ? undefined : id })
  try {
    return await tool.judge(`${url}/v1`)
  } finally {
    await close()
  }
}

function judgeConsumer(tool, bug) {
  return tool.judge(bug)
}

async function compare(who, { bugs, tools, judge, print }) {
  if (tools.length === 0) return
  const rows = bugs.map(({ id, wrong }) => [id, wrong])
  const totals = ['found', `of ${bugs.length}`]
  const falseFindings = ['clean', 'false findings']
  for (const tool of tools) {
    const judgeClean = (at) => judge(tool, { id: 'clean', at })
    const clean = await judgeClean()
    let complaints = clean.size
    let found = 0
    for (const [index, bug] of bugs.entries()) {
      const expected = bug.at === undefined ? clean : await judgeClean(bug.at)
      if (expected !== clean) complaints += expected.size
      const isFound = [...(await judge(tool, bug))].some((complaint) => !expected.has(complaint))
      if (isFound) found += 1
      rows[index].push(isFound ? 'found' : '-')
      console.error(`${tool.title}: ${bug.id} ${isFound ? 'found' : 'not found'}`)
    }
    totals.push(String(found))
    falseFindings.push(String(complaints))
  }
  print([[`bug of the ${who}`, 'what is wrong', ...tools.map(({ title }) => title)], ...rows, totals, falseFindings])
}

function isAbsent(tool) {
  return tool.isMissing?.() ?? false
}

function pick(tools, ids) {
  return ids.filter((id) => id in tools).map((id) => tools[id])
}

function printText(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
  for (const row of table) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '))
  console.log('')
}

function printMarkdown([head, ...rows]) {
  const toLine = (cells) => `| ${cells.join(' | ')} |`
  console.log([head, head.map(() => '---'), ...rows].map(toLine).join('\n'))
  console.log('')
}
