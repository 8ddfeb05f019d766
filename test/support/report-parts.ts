/** Findings and the facts around them, as checks hand them over. */
import { type Finding, idOf, type Problem, type Rule, toFinding } from '../../src/checks/finding.js'
import type { Coverage, ReportParts } from '../../src/checks/report.js'
import { strings } from './strings.js'

export const rules: Rule[] = [
  {
    id: 'undocumented-operation',
    severity: 'error',
    restsOn: 'the document: paths',
    looksAt: 'a call of no operation',
    help: 'Call what there is',
  },
  {
    id: 'unknown-parameter',
    severity: 'warning',
    restsOn: 'the document: paths',
    looksAt: 'a parameter of no meaning',
    help: 'Leave it out',
  },
  {
    id: 'deprecated-operation',
    severity: 'info',
    restsOn: 'the document: paths',
    looksAt: 'a call of what will go',
    help: 'Call its successor',
  },
  {
    id: 'ignored-body',
    severity: 'warning',
    restsOn: 'the document: paths',
    looksAt: 'a body that nobody reads',
    help: 'Leave it out',
  },
]

const [undocumented, unknownParameter, deprecated] = rules as [Rule, Rule, Rule, Rule]

export const problems: Record<'undocumented' | 'parameter' | 'deprecated', Problem> = {
  undocumented: {
    rule: undocumented,
    method: 'GET',
    path: '/dogs/{}',
    at: '',
    message: 'no operation has the path /dogs/7',
  },
  parameter: {
    rule: unknownParameter,
    operation: 'listPets',
    method: 'GET',
    path: '/pets',
    at: 'query colour',
    message: 'the operation has no query parameter colour',
  },
  deprecated: {
    rule: deprecated,
    operation: 'findPets',
    method: 'GET',
    path: '/pets/find',
    at: '',
    message: 'the operation is deprecated',
  },
}

export const curl = "curl -H 'Authorization: Bearer $PETSTORE_API_KEY' 'http://127.0.0.1:4010/v1/dogs/7'"

export function findingOf(problem: Problem, more: Partial<Finding> = {}): Finding {
  return { ...toFinding(problem, [curl], { status: 404, body: '{"code":"not_found"}' }), ...more }
}

/** One of each severity, in the wrong order. */
export function findings(): Finding[] {
  return [
    findingOf(problems.deprecated),
    findingOf(problems.parameter, { count: 3, place: { file: 'api/petstore.yaml', line: 41 } }),
    findingOf(problems.undocumented),
  ]
}

export const coverage: Omit<Coverage, 'minimum'> = {
  total: 3,
  met: 2,
  percent: 66.6,
  operations: [
    {
      operation: 'listPets',
      method: 'GET',
      path: '/pets',
      requests: 12,
      points: [
        { kind: 'operation', name: 'listPets', isMet: true, gap: 'never called' },
        { kind: 'status', name: '200', isMet: true, gap: 'never got a 200' },
        { kind: 'status', name: '401', isMet: false, gap: 'never got a 401' },
      ],
    },
  ],
}

export function partsOf(more: Partial<ReportParts> = {}): ReportParts {
  return {
    tool: { name: 'petstore-sandbox', version: '0.1.0' },
    check: 'consumer',
    document: { title: 'Pet Store', version: '1.0.0', file: 'api/petstore.yaml' },
    subject: 'npm test',
    startedAt: '2030-12-04T23:59:00.000Z',
    durationMs: 1234,
    requests: 34,
    rules,
    findings: findings(),
    notes: [],
    failOn: 'error',
    ...more,
  }
}

/** What steers build servers, closes sections, or ends cells. */
const steering = [
  ['a workflow command', '::error file=app.js,line=1::forged'],
  ['a workflow command on a line of its own', 'x\n::add-mask::e\r\n::error::forged'],
  ['a workflow command of old', '##[error]forged'],
  ['a workflow command after line breaks', '\n::stop-commands::t\r::error::forged\r\n::add-mask::e\u2028::debug::x'],
  ['a workflow command after white space', '\n \t\u00a0\u2003\u200b\u00ad::error::forged'],
  ['a command of old within a line', 'a ##[error]forged ###[group]x'],
  ['a command of Azure Pipelines', 'a\n##vso[task.setvariable variable=PATH]forged ##VSO[task.complete]'],
  ['a command of TeamCity', "x ##teamcity[testFailed name='forged']\n##teamcity[buildStop]"],
  ['the end of a CDATA section', ']]>'],
  ['a cell', 'a | b ` c \\| d'],
  ['the end of details', '</code></summary></details><h1>forged</h1>'],
  ['the end of a block', '</pre>\n```\n# forged'],
  ['an escape sequence', '\u001b[2J\u001b]0;forged\u0007\u009b1m'],
] as const

/** Values that break a naive report in any place. */
export const hostile: readonly (readonly [what: string, text: string])[] = [...strings, ...steering]

/** A report of which every text that others write is that text. */
export function hostileParts(text: string): ReportParts {
  const problem: Problem = {
    rule: undocumented,
    operation: text,
    method: text,
    path: text,
    at: text,
    message: text,
    help: text,
  }
  const finding: Finding = {
    ...toFinding(problem, [text, text], { status: 500, body: text }),
    place: { file: text, line: 1 },
  }
  const known = { ...finding, id: `known ${idOf(problem)}` }
  const point = { kind: 'status', name: text, isMet: false, gap: text } as const
  return partsOf({
    document: { title: text, version: text, file: text },
    subject: text,
    findings: [finding, { ...finding, rule: 'unknown-parameter', severity: 'warning' }, known],
    notes: [text],
    baseline: { file: text, ids: [known.id, text], isUpdated: false },
    coverage: {
      total: 1,
      met: 0,
      percent: 0,
      operations: [{ operation: text, method: 'GET', path: text, requests: 0, points: [point] }],
    },
    minimumCoverage: 50,
  })
}
