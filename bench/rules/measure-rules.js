/** Finds which rules decide something for one document, and which code of `src/compile` runs for it, in a process of its own. */
import { Session } from 'node:inspector/promises'
import { pathToFileURL } from 'node:url'
import { nameOf } from '../documents/labels.js'
import { work } from '../documents/worker.js'
import { changesBetween } from '../net/changes-between.js'
import { encodeRanges } from './ranges.js'

const { file, modules, leaveOut, isLabelled } = JSON.parse(process.argv[2])

/** A reason without what it is about: names, paths, numbers, and the words of one record. */
const toTemplate = (why) =>
  why
    .replace(/(\ba job: ).*|\b(as|counts|requests list the|name of (?:an?|the)) [\w'-]+/g, '$1$2 …')
    .replace(/\{[^}]*\}|"[^"]*"|\S*[/._[\]#$=&?]\S*|\b\S*(?:[a-z][A-Z]|\d)\S*/g, '…')
    .replace(/(… ?)+/g, '… ')
    .trim()

async function explain({ compileSpec }) {
  const { explanations, collectionFacts } = await compileSpec({ spec: file }, {})
  return {
    explanations,
    facts: [...collectionFacts].flatMap(([name, facts]) => facts.map((each) => ({ name, ...each }))),
  }
}

/** The ids of rules, and facts by their kind, evidence and reason. */
function toDeciding({ explanations, facts }) {
  const ids = explanations.flatMap(({ rule, effect }) => (rule ? [`rule ${rule}`] : [`no rule: ${effect}`]))
  const kinds = facts.map(({ fact, evidence, why }) => `fact ${fact} by ${evidence}: ${toTemplate(why)}`)
  return [...new Set([...ids, ...kinds])]
}

async function measure() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  const built = await import(pathToFileURL(`${modules}/bench/rules/program.js`).href)
  const explained = await explain(built)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const root = pathToFileURL(`${modules}/src/compile/`).href
  const own = result.filter(({ url }) => url.startsWith(root))
  const unused = own.map(({ url, functions }) => [url.slice(root.length), encodeRanges(functions)])
  return {
    outcome: 'measured',
    deciding: toDeciding(explained),
    ...(isLabelled && {
      decided: explained.explanations.map((each) => [
        nameOf(each),
        [each.rule, each.effect, each.backed ? 'backed' : each.sure],
      ]),
    }),
    unused: Object.fromEntries(unused),
  }
}

/** What changes besides the rules and reasons when a rule is left out. */
async function measureLeftOut() {
  const built = await import(pathToFileURL(`${modules}/bench/rules/program.js`).href)
  const lists = Object.values(built).filter(Array.isArray)
  const toFacts = ({ explanations, facts }) => [
    explanations.map(({ rule, reason, sure, ...others }) => others),
    facts.map(({ why, ...others }) => others),
  ]
  const before = await explain(built)
  const decided = new Set(before.explanations.flatMap(({ rule }) => rule ?? []))
  const changes = {}
  for (const id of decided) {
    if (leaveOut !== 'all' && leaveOut !== id) continue
    const found = lists.flatMap((list) => list.flatMap((rule, at) => (rule.id === id ? { list, rule, at } : [])))
    if (found.length === 0) continue
    for (const { list, at } of found) list.splice(at, 1)
    changes[id] = changesBetween(toFacts(before), toFacts(await explain(built))).length
    for (const { list, rule, at } of found.toReversed()) list.splice(at, 0, rule)
  }
  return { outcome: 'measured', changes }
}

await work(() => (leaveOut === undefined ? measure() : measureLeftOut()))
