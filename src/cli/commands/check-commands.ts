/** The commands that check something, and the one that lists their rules. */
import { type Command, Option } from 'commander'
import type { CheckKind, Rule } from '../../checks/finding.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { consumerOptions, reportOptions } from '../options/check-options.js'
import {
  documentArgument,
  documentOptions,
  mayBeDocument,
  takeBaseUrl,
  takeDocument,
} from '../options/document-options.js'
import {
  addOptions,
  applyEnvironment,
  collect,
  describeEnvironment,
  flag,
  option,
  positiveNumber,
  wholeNumber,
  yesOrNo,
} from '../options/option-values.js'
import {
  hostOptions,
  logOption,
  maxBodyOption,
  maxMemoryOption,
  portOption,
  sharedOptions,
} from '../options/server-options.js'
import { describeVariables, variables } from '../processes/consumer-environment.js'

/** Requests per second to a provider on another machine, unless --rate says otherwise. */
const remoteRate = 20

/** Adds `check` to the program: compares a running service with the document. */
export function addCheckCommand(program: Command): void {
  const command = program
    .command('check')
    .argument('<base-url>', 'address of the service with its base path, e.g. https://staging.example.com/v1')
    .argument(...documentArgument)
    .description('check a real server against the document')
  addOptions(command, [
    option('--api-key <key>', `a key that is valid for the service (also from ${variables.key}); it is never printed`),
    option('--other-api-key <key>', 'a key of another account, to which the records of the first must not exist'),
    ...documentOptions('check it against another document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON'),
    option('--server <name>', 'the server in the document that the address belongs to (found by its path)'),
    option('--arazzo <file>', 'also follow the workflows of an Arazzo document, after everything else'),
    option('--input <name=value>', 'an input of the workflows (repeatable; default: those of the document)', collect),
    option('--lock <file>', 'what your code uses, written by run: it is checked first'),
    option('--write [boolean]', 'also create and change records (only on addresses of this machine)', yesOrNo),
    option('--rate <number>', `maximum requests per second (${remoteRate}; no limit on this machine)`, positiveNumber),
    option('--timeout <seconds>', 'time limit for one request (10)', positiveNumber),
    option('--seed <number>', 'makes generated requests repeatable (1)', wholeNumber(0, 2 ** 31 - 1)),
    ...reportOptions(),
  ])
  command.addHelpText('after', describeEnvironment(command.options))
  command.action(async () => {
    const baseUrl = takeBaseUrl(command)
    applyEnvironment(command, { 'api-key': variables.key, 'other-api-key': `OTHER_${variables.key}` })
    const { checkService } = await import('./check-service.js')
    process.exitCode = await checkService(baseUrl, { ...command.opts(), remoteRate })
  })
}

/**
 * Adds `proxy` to the program: forwards requests to a real service, and checks both the requests and the answers.
 * @param consumer the words after `--`; undefined without `--`
 */
export function addProxyCommand(program: Command, consumer: readonly string[] | undefined): void {
  const command = program
    .command('proxy')
    .argument('<base-url>', 'address of the service with its base path, e.g. https://staging.example.com/v1')
    .argument(...documentArgument)
    .usage('[options] <base-url> [file|url] [-- <command...>]')
    .description('forward requests to a real server, and check them and the answers')
  addOptions(command, [
    portOption('port to listen on (4010; any free one for a command)'),
    ...hostOptions(),
    option('--api-key <key>', `a key for the command (also from ${variables.key}); it is never printed`),
    option('--server <name>', 'the server in the document that the address belongs to (found by its path)'),
    option('--timeout <seconds>', 'time that an answer may take to begin (60)', positiveNumber),
    option('--har <file>', 'record the traffic (HAR), without credentials'),
    ...consumerOptions(),
    ...documentOptions('compare with another document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON'),
    maxBodyOption('size of a body that is judged; longer ones are only forwarded'),
    maxMemoryOption('bodies that are judged, and requests that wait'),
    logOption(),
    ...reportOptions(),
  ])
  command.addHelpText('after', describeVariables() + describeEnvironment(command.options))
  command.action(async () => {
    const baseUrl = takeBaseUrl(command)
    applyEnvironment(command, { 'api-key': variables.key })
    const { proxyTraffic } = await import('./proxy-traffic.js')
    process.exitCode = await proxyTraffic(baseUrl, consumer, command.opts())
  })
}

/** Adds `diff` to the program: compares two versions of a document. */
export function addDiffCommand(program: Command): void {
  const command = program
    .command('diff')
    .argument('<old>', 'the version that your code uses: a file, a URL or git:<ref>:<path>')
    .argument('<new>', 'the next version')
    .description('compare two versions of a document, and say which changes are about your code')
  addOptions(command, [
    option('--lock <file>', 'what your code uses, written by run; only changes that are about this are errors'),
    option('--sunset-within <days>', 'operations that end within these days are errors', wholeNumber(0, 36_500)),
    flag('--all', 'list harmless changes, too'),
    option('--overlay <file|url>', 'change both documents by an OpenAPI Overlay (repeatable)', collect),
    flag('--allow-remote-refs', 'request the URLs that $refs of the documents lead to'),
    flag('--allow-outside-refs', 'read files that $refs of the documents lead to outside of their repository'),
    ...reportOptions(),
  ])
  command.addHelpText('after', describeEnvironment(command.options))
  command.action(async (old: string, next: string) => {
    applyEnvironment(command)
    const { compareVersions } = await import('./compare-versions.js')
    process.exitCode = await compareVersions(old, next, command.opts())
  })
}

interface RulesOptions {
  json?: boolean
}

interface RuleSet {
  check: CheckKind
  title: string
  rules: readonly Rule[]
}

/** Adds `rules` to the program: lists the rules of all checks, as text or JSON. */
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
    all.map(({ id, severity, restsOn, looksAt, help }) => ({ id, check, severity, restsOn, looksAt, help })),
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

/** Separates this program's arguments from the consumer's command, which commander would parse as well. */
export function splitAtCommand(args: readonly string[]): {
  own: readonly string[]
  consumer: readonly string[] | undefined
} {
  const end = args[0] === 'run' || args[0] === 'proxy' ? args.indexOf('--') : -1
  return end === -1 ? { own: args, consumer: undefined } : { own: args.slice(0, end), consumer: args.slice(end + 1) }
}

/** Adds `run` to the program. @param consumer the words after `--`; undefined without `--` */
export function addRunCommand(program: Command, consumer: readonly string[] | undefined): void {
  const command = program
    .command('run')
    .argument(...documentArgument)
    .usage('[options] [file|url] -- <command...>')
    .description("run your tests against a sandbox and check your code's requests")
    .allowExcessArguments()
  const { data, limits, clock, webhooks } = sharedOptions()
  addOptions(command, [
    portOption('port to listen on (any free one)'),
    ...consumerOptions(),
    option('--har <file>', 'judge a recording (HAR) instead of a command'),
    option(
      '--against <file|url>',
      'run the command again with the next version of the document, and report what fails then',
    ),
    option('--results <file>', 'JUnit XML that the command writes, so that --against names the tests that fail'),
    flag('--guesses', 'list all guesses of the sandbox that decided answers which the tests read'),
    option('--max-open <n>', 'fail if more guesses decided answers', wholeNumber(0, 1_000_000)),
    option('--expect <file>', 'records, changes and calls that must be there at the end (JSON)'),
    option('--lock <file>', 'what your code uses of the service; new uses are warnings'),
    flag('--update-lock', 'write what this run used to the lock'),
    new Option('--no-values', 'keep no sent values in the lock (8 for each place, none of credentials or persons)'),
    ...data,
    ...limits,
    clock,
    ...webhooks,
    ...reportOptions(),
  ])
  command.addHelpText('after', describeVariables() + describeEnvironment(command.options))
  command.action(async () => {
    const [before = ''] = command.args
    const isRecording = command.opts<{ har?: string }>().har !== undefined
    const document = (consumer || isRecording) && mayBeDocument(before) ? before : undefined
    const rest = command.args.slice(document === undefined ? 0 : 1)
    const [first, ...others] = isRecording ? checkNoCommand(rest) : toWords(rest)
    takeDocument(command, document)
    applyEnvironment(command)
    const { runConsumer } = await import('./run-consumer.js')
    process.exitCode = await runConsumer(first, others, command.opts())
  })

  function checkNoCommand(before: readonly string[]): [] {
    const [wrong] = [...before, ...(consumer ?? [])]
    if (wrong === undefined) return []
    throw new SandboxError(
      'INVALID_OPTION',
      `run --har judges a recording, and takes no command (got "${wrong}"). Leave it out`,
    )
  }

  function toWords(before: readonly string[]): [string, ...string[]] {
    const [first, ...others] = consumer ?? []
    if (first === '') throw new SandboxError('INVALID_OPTION', 'The command after "--" must have a name (got "")')
    if (first !== undefined && before.length === 0) return [first, ...others]
    const [wrong] = before
    const document = wrong !== undefined && mayBeDocument(wrong) ? `${wrong} ` : ''
    const words = document === '' ? before : before.slice(1)
    const example = consumer ?? words
    throw new SandboxError(
      'INVALID_OPTION',
      consumer && wrong !== undefined
        ? `run takes only a document before "--" (got "${wrong}")`
        : `run needs a command after "--": ${program.name()} run ${document}-- ${example.length > 0 ? example.join(' ') : 'npm test'}`,
    )
  }
}
