/** `rules`: lists the rules of all checks, as text or JSON. */
import type { Command } from 'commander'
import type { CheckKind, Rule } from '../../checks/rule.js'

interface RulesOptions {
  json?: boolean
}

interface RuleSet {
  check: CheckKind
  title: string
  rules: readonly Rule[]
}

/** Adds `rules` to the program. */
export function addRulesCommand(program: Command): void {
  program
    .command('rules')
    .description('list the rules of the checks: what they look for and how to fix it')
    .option('--json', 'as JSON')
    .action(listRules)
}

async function listRules({ json = false }: RulesOptions): Promise<void> {
  const [{ consumerRules }, { providerRules }, { changeRules }] = await Promise.all([
    import('../../checks/consumer/consumer-rules.js'),
    import('../../checks/provider/provider-rules.js'),
    import('../../checks/changes/change-rules.js'),
  ])
  const sets: RuleSet[] = [
    { check: 'consumer', title: 'About the requests of your code (run)', rules: consumerRules },
    { check: 'provider', title: 'About the responses of a server (check)', rules: providerRules },
    { check: 'changes', title: 'About the changes between two versions (diff)', rules: changeRules },
  ]
  process.stdout.write(json ? toJson(sets) : sets.map(toTable).join('\n'))
}

function toJson(sets: readonly RuleSet[]): string {
  const rules = sets.flatMap(({ check, rules: all }) =>
    all.map(({ id, severity, looksAt, help }) => ({ id, check, severity, looksAt, help })),
  )
  return `${JSON.stringify(rules, null, 2)}\n`
}

/** Two lines per rule, as the sentences are too long for columns. */
function toTable({ title, rules }: RuleSet): string {
  const width = Math.max(...rules.map(({ id }) => id.length))
  const severityWidth = Math.max(...rules.map(({ severity }) => severity.length))
  const rows = rules.map(({ id, severity, looksAt, help }) => {
    const indent = ' '.repeat(2 + width + 2 + severityWidth + 2)
    return `  ${id.padEnd(width)}  ${severity.padEnd(severityWidth)}  ${looksAt}\n${indent}${help}\n`
  })
  return `${title}\n\n${rows.join('')}`
}
