/** Counts for how many providers each rule of effects decides something, and how often it is right, and writes both into its file. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { effectsOf, nameOf, readLabels } from '../documents/labels.js'

const folder = new URL('../../src/infer/rules/effects/', import.meta.url)
const prefix = 'rule '

/**
 * @param first what was measured of the first document of each provider
 * @param labelled what was measured of labelled documents
 * @returns rows of id, providers, shares of right effects by how sure they are, labelled operations
 */
export function writeCounts(first, labelled) {
  const ids = first.flatMap(({ deciding }) => deciding.filter((each) => each.startsWith(prefix)))
  const judged = judge(new Map(labelled.map(({ name, decided }) => [name, new Map(decided)])))
  return ruleFiles().map(({ file, text, id }) => {
    const providers = ids.filter((each) => each === prefix + id).length
    const answers = judged.filter(({ rule }) => rule === id)
    const shares = ['backed', 'high', 'medium', 'low'].flatMap((sure) => {
      const ofSure = answers.filter((each) => each.sure === sure)
      return ofSure.length === 0 ? [] : `${sure}: ${Number(shareOf(ofSure).toFixed(2))}`
    })
    const right = shares.length > 0 ? `{ ${shares.join(', ')} }` : ''
    const lines = [`providers: ${providers}`, ...(right === '' ? [] : [`right: ${right}`])]
    const written = lines.map((line) => `  ${line},\n`).join('')
    writeFileSync(file, text.replace(/ {2}providers: .*\n(?: {2}right: .*\n)?/, written))
    return [id, providers, right, answers.length]
  })
}

function groupBy(answers) {
  const groups = {}
  for (const answer of answers) {
    groups[answer.document] ??= []
    groups[answer.document].push(answer)
  }
  return groups
}

/** The share of right ones, in which each document counts once: it has the same mistake in many operations. */
function shareOf(answers) {
  const shares = Object.values(groupBy(answers)).map((own) => own.filter(({ isRight }) => isRight).length / own.length)
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** Each labelled operation that a rule decided, and whether readers agree. */
function judge(decidedOf) {
  const documents = readLabels().flatMap((round) => round.documents)
  return documents.flatMap(({ document, operations }) =>
    operations.flatMap((label) => {
      const [rule, effect, sure] = decidedOf.get(document)?.get(nameOf(label)) ?? []
      return rule ? [{ document, rule, sure, isRight: effectsOf(label).includes(effect) }] : []
    }),
  )
}

function ruleFiles() {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ts'))
  return names.sort().flatMap((name) => {
    const file = new URL(name, folder)
    const text = readFileSync(file, 'utf8')
    const [, id] = /^ {2}id: '([\w-]+)',$/m.exec(text) ?? []
    return id === undefined ? [] : [{ file, text, id }]
  })
}
