/** Reports of checks: what is judged, and that each format says it, whatever was sent and answered. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { DOMParser, type Element } from '@xmldom/xmldom'
import { Ajv2020 } from 'ajv/dist/2020.js'
import draft4 from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import type { Severity } from '../../src/checks/finding.js'
import { createReport, parseBaseline, type Report, renderBaseline } from '../../src/checks/report.js'
import { type RenderOptions, type ReportFormat, reportFormats } from '../../src/checks/reports/report-formats.js'
import {
  coverage,
  curl,
  findingOf,
  findings,
  hostile,
  hostileParts,
  partsOf,
  problems,
  rules,
} from '../support/report-parts.js'

const options: RenderOptions = { isColoured: false, isCoverageListed: true, folder: '' }
const knownId = 'unknown-parameter GET /pets query colour'

function render(format: ReportFormat, report: Report, more: Partial<RenderOptions> = {}): string {
  return reportFormats[format](report, { ...options, ...more })
}

/** With everything that a report can have. */
function rich(): Report {
  return createReport(
    partsOf({
      coverage,
      minimumCoverage: 80,
      notes: ['POST /orders was not checked, as it has no example'],
      baseline: { file: 'known.json', ids: [knownId, 'gone GET /cats'], isUpdated: false },
    }),
  )
}

function clean(): Report {
  return createReport(partsOf({ findings: [] }))
}

describe('a report', () => {
  it('has errors first, then warnings, then infos, and what no operation documents after what one does', () => {
    const other = findingOf({ ...problems.undocumented, operation: 'getPet', path: '/pets/{petId}' })
    const report = createReport(partsOf({ findings: [...findings(), other] }))
    expect(report.findings.map(({ id }) => id)).toEqual([
      'undocumented-operation GET /pets/{petId}',
      'undocumented-operation GET /dogs/{}',
      knownId,
      'deprecated-operation GET /pets/find',
    ])
  })

  it.each([
    ['error', 'error', false],
    ['warning', 'error', true],
    ['warning', 'warning', false],
    ['error', 'warning', false],
    ['info', 'warning', true],
    ['info', 'info', false],
    ['error', 'never', true],
  ] as const)('with one %s and --fail-on %s has passed: %s', (severity, failOn, isPassed) => {
    const finding = findingOf(problems.undocumented, { severity })
    expect(createReport(partsOf({ findings: [finding], failOn })).isPassed).toBe(isPassed)
  })

  it('does not count what the baseline knows, and says what of it is gone', () => {
    const [, , only] = findings()
    const baseline = { file: 'known.json', ids: [only?.id ?? '', 'b', 'a', 'b'], isUpdated: false }
    const report = createReport(partsOf({ findings: only ? [only] : [], baseline }))
    expect(report).toMatchObject({ isPassed: true, findings: [{ isKnown: true }] })
    expect(report.baseline).toEqual({ file: 'known.json', gone: ['a', 'b'], isUpdated: false })
  })

  it('takes nothing for gone when the command failed', () => {
    const baseline = { file: 'known.json', ids: ['a'], isUpdated: false }
    expect(createReport(partsOf({ baseline, commandExitCode: 1 })).baseline?.gone).toEqual([])
  })

  it('knows all that it has just written to the baseline', () => {
    const report = createReport(partsOf({ baseline: { file: 'known.json', ids: [], isUpdated: true } }))
    expect(report.isPassed).toBe(true)
    expect(report.findings.every(({ isKnown }) => isKnown)).toBe(true)
  })

  it.each([
    [66.6, true],
    [66.7, false],
    [0, true],
  ])('with 66.6 %% met and %s %% asked for has passed: %s', (minimumCoverage, isPassed) => {
    expect(createReport(partsOf({ findings: [], coverage, minimumCoverage }))).toMatchObject({
      isPassed,
      coverage: { minimum: minimumCoverage },
    })
  })
})

describe('a baseline', () => {
  it('is read as it was written: ids, sorted, each once', () => {
    const text = renderBaseline(findings())
    expect(JSON.parse(text).findings[2]).toBe(knownId)
    const ids = parseBaseline(text, 'known.json')
    expect(ids).toEqual(
      findings()
        .map(({ id }) => id)
        .sort(),
    )
    expect(renderBaseline([...findings().reverse(), ...findings()])).toBe(text)
    expect(parseBaseline(`\ufeff${text}`, 'known.json')).toEqual(ids)
  })

  it.each([
    ['{"version":1,', /^Failed to read the baseline "known\.json:1": it is not JSON: .*--update-baseline/s],
    ['[]', /it is JSON, but not a baseline\. .*--update-baseline/],
    ['{"name":"petstore"}', /it is JSON, but not a baseline/],
    ['{"version":3,"findings":[]}', /its version is 3, and this program reads version 2/],
    ['{"version":1,"findings":[{"id":"a","message":"b"}]}', /its version is 1.* Run once with --update-baseline/],
    ['{"version":2}', /"findings" is not a list/],
    ['{"version":2,"findings":["a",{"id":"b"}]}', /entry 2 of "findings" is not text/],
  ])('that is %s is refused, with a way out', (text, message) => {
    expect(() => parseBaseline(text, 'known.json')).toThrow(
      expect.objectContaining({ name: 'SandboxError', message: expect.stringMatching(message) }),
    )
    expect(() => parseBaseline(text, 'known.json')).toThrow(/^Failed to read the baseline "known\.json(?::1)?": /)
  })
})

describe('text', () => {
  it('tells of each new finding, of the known ones in a line, of coverage, and ends with the verdict', () => {
    expect(render('text', rich()).split('\n')).toEqual([
      'error undocumented-operation GET /dogs/{}',
      '  what: no operation has the path /dogs/7',
      '  help: Call what there is',
      `  $ ${curl}`,
      '  answered: 404 {"code":"not_found"}',
      '',
      'info deprecated-operation GET /pets/find',
      '  what: the operation is deprecated',
      '  help: Call its successor',
      '  where: findPets',
      `  $ ${curl}`,
      '  answered: 404 {"code":"not_found"}',
      '',
      'baseline: 1 warning known from known.json',
      'baseline: no longer found, --update-baseline removes these from known.json:',
      '  - gone GET /cats',
      '',
      'coverage: 2 of 3 points covered, 66.6 %, 80 % required',
      '  operation             requests  covered  percent',
      '  GET /pets (listPets)        12      2/3   66.6 %',
      'not covered:',
      '  GET /pets (listPets): never got a 401',
      '',
      'note: POST /orders was not checked, as it has no example',
      '',
      'checked: npm test made 34 requests in 1.2 s, compared with Pet Store 1.0.0 (api/petstore.yaml)',
      'petstore-sandbox: FAILED: 1 error and 1 info; 1 known; only 66.6 % of the contract covered, 80 % required',
      '',
    ])
  })

  it('has one line of coverage unless it is listed', () => {
    const lines = render('text', rich(), { isCoverageListed: false }).split('\n')
    expect(lines.filter((line) => /cover|never got/.test(line)).slice(0, -1)).toEqual([
      'coverage: 2 of 3 points covered, 66.6 %, 80 % required; --coverage lists what is not',
    ])
  })

  it('sums coverage up by resource where a document has several', () => {
    const point = (isMet: boolean) => ({ kind: 'operation' as const, name: 'x', isMet, gap: 'never called' })
    const called = (operation: string, path: string, requests: number, resource?: string) => ({
      operation,
      method: 'GET',
      path,
      ...(resource ? { resource } : {}),
      requests,
      points: [point(requests > 0), point(false)],
    })
    const operations = [
      called('listPets', '/pets', 2, 'pets'),
      called('getOwner', '/owners/{id}', 0, 'owners'),
      called('getPet', '/pets/{id}', 1, 'pets'),
      called('ping', '/ping', 0),
    ]
    const parts = { findings: [], baseline: undefined, coverage: { total: 8, met: 2, percent: 25, operations } }
    expect(
      render('text', createReport(partsOf(parts)))
        .split('\n')
        .slice(0, 7),
    ).toEqual([
      'coverage: 2 of 8 points covered, 25 %',
      '  resource       operations  requests  covered  percent',
      '  pets                  2/2         3      2/4     50 %',
      '  owners                0/1         0      0/2      0 %',
      '  (no resource)         0/1         0      0/2      0 %',
      '',
      '  operation                    requests  covered  percent',
    ])
    expect(render('markdown', createReport(partsOf(parts)))).toContain(
      [
        '| resource | operations | requests | covered | percent |',
        '| --- | ---: | ---: | ---: | ---: |',
        '| <code>pets</code> | 2/2 | 3 | 2/4 | 50 % |',
        '| <code>owners</code> | 0/1 | 0 | 0/2 | 0 % |',
      ].join('\n'),
    )
  })

  it('is two lines when there is nothing to tell', () => {
    expect(render('text', clean())).toBe(
      'checked: npm test made 34 requests in 1.2 s, compared with Pet Store 1.0.0 (api/petstore.yaml)\n' +
        'petstore-sandbox: passed: no findings\n',
    )
  })

  it.each([
    [{ failOn: 'never' as const }, /passed: 1 error, 1 warning and 1 info, allowed by --fail-on never$/],
    [{ findings: [], commandExitCode: 3 }, /passed: no findings; the command exited with 3$/],
    [{ baseline: { file: 'a', ids: [], isUpdated: true } }, /passed: no new findings; 3 known$/],
    [
      { findings: [], coverage, minimumCoverage: 60 },
      /passed: no findings; 66\.6 % of the contract covered, 60 % required$/,
    ],
  ])('says with %o why', (more, verdict) => {
    expect(
      render('text', createReport(partsOf(more)))
        .trimEnd()
        .split('\n')
        .at(-1),
    ).toMatch(verdict)
  })

  it('has where, how often, and no more of a body than its beginning', () => {
    const finding = findingOf(problems.parameter, {
      count: 3,
      place: { file: 'api/petstore.yaml', line: 41 },
      response: { status: 200, body: `[\n  ${'1, '.repeat(1_000_000)}1\n]` },
    })
    const text = render('text', createReport(partsOf({ findings: [finding] })))
    expect(text).toContain('colour (3 times)\n')
    expect(text).toContain('  where: listPets, api/petstore.yaml:41\n')
    expect(text).toMatch(/ {2}answered: 200 \[ (1, ){99}1…\n/)
  })

  it('is coloured when that is asked for, with the same words', () => {
    const coloured = render('text', rich(), { isColoured: true })
    expect(coloured).not.toBe(render('text', rich()))
    expect(stripVTControlCharacters(coloured)).toBe(render('text', rich()))
  })

  it('says what became of a baseline that was written', () => {
    const baseline = { file: 'known.json', ids: ['gone'], isUpdated: true }
    const text = render('text', createReport(partsOf({ baseline })))
    expect(text).toContain(
      'baseline: known.json was written and holds 1 error, 1 warning and 1 info; removed from it: 1 finding\n',
    )
  })
})

describe('JSON', () => {
  const schema = JSON.parse(readFileSync(new URL('../../spec/report.schema.json', import.meta.url), 'utf8'))
  const ajv = addFormats.default(new Ajv2020({ allErrors: true }))
  // Closed here, so that the schema and the type cannot drift apart; open for those who read reports.
  const validate = ajv.compile(closed(schema))

  it.each([
    ['rich', rich()],
    ['clean', clean()],
    ['of a provider', createReport(partsOf({ check: 'provider', commandExitCode: 0 }))],
    ['of a proxy', createReport(partsOf({ check: 'proxy' }))],
    ['of the bundled document', createReport(partsOf({ document: { ...partsOf().document, isBundled: true } }))],
    ['hostile', createReport(hostileParts('\u001b[2J'))],
    ['with a kind', createReport(partsOf({ findings: [findingOf({ ...problems.parameter, kind: 'maximum' })] }))],
    ['without requests', createReport(partsOf({ failures: [{ message: 'no request', help: 'Send one' }] }))],
  ])('is valid by its schema: %s', (_, report) => {
    const parsed = JSON.parse(render('json', report))
    expect(validate(parsed), JSON.stringify(validate.errors)).toBe(true)
    expect(parsed).toEqual(report)
  })

  it.each(['schemaVersion', 'isPassed', 'findings', 'rules'])('is not valid without %s', (field) => {
    expect(validate({ ...rich(), [field]: undefined })).toBe(false)
  })

  /** The schema without room for fields that it does not name. */
  function closed(value: unknown): object {
    return JSON.parse(JSON.stringify(value), (_, part) =>
      part?.type === 'object' && part.properties ? { ...part, additionalProperties: false } : part,
    )
  }
})

describe('SARIF', () => {
  const schema = createRequire(import.meta.url)('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
  // A pattern of it is none with the Unicode flag.
  const ajv = addFormats.default(new draft4.default({ strict: false, allErrors: true, unicodeRegExp: false }))
  const validate = ajv.compile(schema)

  function sarif(report: Report, folder = '') {
    const log = JSON.parse(render('sarif', report, { folder }))
    expect(validate(log), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
    return log.runs[0]
  }

  it('has the rules, and a result for each finding', () => {
    const { tool, results, invocations } = sarif(rich())
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(rules.map(({ id }) => id))
    expect(tool.driver.rules[2].defaultConfiguration.level).toBe('note')
    expect(results).toMatchObject([
      { ruleId: 'undocumented-operation', ruleIndex: 0, level: 'error', suppressions: [] },
      {
        ruleId: 'unknown-parameter',
        ruleIndex: 1,
        level: 'warning',
        message: {
          text: 'GET /pets query colour: the operation has no query parameter colour. Leave it out.',
        },
        occurrenceCount: 3,
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: 'api/petstore.yaml' }, region: { startLine: 41 } },
            logicalLocations: [{ name: 'listPets', fullyQualifiedName: 'GET /pets' }],
          },
        ],
        suppressions: [{ kind: 'external' }],
      },
      { ruleId: 'deprecated-operation', level: 'note', suppressions: [] },
    ])
    expect(invocations).toMatchObject([
      {
        executionSuccessful: true,
        startTimeUtc: '2030-12-04T23:59:00.000Z',
        endTimeUtc: '2030-12-04T23:59:01.234Z',
        toolExecutionNotifications: [{ level: 'warning' }, { level: 'note' }],
      },
    ])
  })

  it('tells findings apart by fingerprints that are the same in the next run', () => {
    // Two of one rule at one line, which is all that GitHub looks at beside the hash.
    const same = [findingOf(problems.parameter), findingOf({ ...problems.parameter, at: 'query size' })]
    const fingerprints = (more: object, name: string): string[] =>
      sarif(createReport(partsOf({ findings: same, ...more }))).results.map(
        ({ partialFingerprints }: { partialFingerprints: Record<string, string> }) => partialFingerprints[name],
      )
    for (const name of ['primaryLocationLineHash', 'findingId/v1']) {
      const first = fingerprints({}, name)
      expect(new Set(first).size).toBe(2)
      expect(fingerprints({ startedAt: '2031-01-01T00:00:00+01:00', durationMs: 1 }, name)).toEqual(first)
    }
  })

  it('says that a command which failed did not show everything', () => {
    const { invocations } = sarif(createReport(partsOf({ commandExitCode: 1 })))
    expect(invocations[0].executionSuccessful).toBe(false)
  })

  it.each([
    ['api/pet store.yaml', '', 'api/pet%20store.yaml'],
    ['../api/#1.yaml', 'tools/check', 'tools/api/%231.yaml'],
    ['/repo/api.yaml', 'tools', 'file:///repo/api.yaml'],
    ['https://pets.example/a b.yaml', 'tools', 'https://pets.example/a%20b.yaml'],
  ])('finds %s from the folder "%s" at %s', (file, folder, uri) => {
    const report = createReport(partsOf({ document: { title: 'Pets', version: '1', file } }))
    expect(sarif(report, folder).results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri)
  })

  it.each(hostile)('is valid with %s', (_, text) => {
    expect(sarif(createReport(hostileParts(text))).results).toHaveLength(3)
  })

  it('links to nowhere by what others wrote', () => {
    const report = createReport(partsOf({ findings: [findingOf({ ...problems.undocumented, at: '[a](https://x)' })] }))
    expect(sarif(report).results[0].message.text).toContain('[a\\](https://x)')
  })
})

describe('JUnit', () => {
  /** The suite, whose counts are those of what is in it. */
  function junit(report: Report): { suite: Element; cases: Element[] } {
    const xml = render('junit', report)
    const fail = (level: string, message: string) => {
      // It warns of U+FFFD, which is what stands for characters that XML cannot hold.
      if (!message.startsWith('Unicode replacement character')) throw new Error(`${level}: ${message}`)
    }
    const parsed = new DOMParser({ onError: fail }).parseFromString(xml, 'text/xml')
    const [all] = [...parsed.getElementsByTagName('testsuites')]
    const [suite] = [...parsed.getElementsByTagName('testsuite')]
    if (!all || !suite) throw new Error(xml)
    const cases = [...suite.getElementsByTagName('testcase')]
    const count = (name: string) => String(suite.getElementsByTagName(name).length)
    for (const each of [all, suite]) {
      expect(each.getAttribute('tests')).toBe(count('testcase'))
      expect(each.getAttribute('failures')).toBe(count('failure'))
      expect(each.getAttribute('errors')).toBe('0')
    }
    expect(suite.getAttribute('skipped')).toBe(count('skipped'))
    return { suite, cases }
  }

  function outcomes(report: Report): string[] {
    return junit(report).cases.map((each) => {
      const [outcome] = [...each.childNodes].filter(({ nodeType }) => nodeType === 1)
      const rule = each.getAttribute('classname')?.split('.').at(-1)
      return `${rule}, ${each.getAttribute('name')}: ${outcome?.nodeName ?? 'nothing'}`
    })
  }

  it('has a test for each finding, for each rule without one, and for the coverage', () => {
    expect(outcomes(rich())).toEqual([
      'undocumented-operation, GET /dogs/{}: failure',
      'unknown-parameter, GET /pets query colour: skipped',
      'deprecated-operation, GET /pets/find: system-out',
      'ignored-body, a body that nobody reads: nothing',
      'coverage, at least 80 % of the contract is covered: failure',
    ])
  })

  it('has only tests that passed when there is nothing to tell', () => {
    expect(outcomes(clean())).toEqual(rules.map(({ id, looksAt }) => `${id}, ${looksAt}: nothing`))
  })

  it('has the time of the run, and in a failure all that there is to know', () => {
    const { suite, cases } = junit(rich())
    expect(suite.getAttribute('time')).toBe('1.234')
    expect(suite.getAttribute('timestamp')).toBe('2030-12-04T23:59:00')
    const [failure] = [...(cases[0]?.getElementsByTagName('failure') ?? [])]
    expect(failure?.getAttribute('message')).toBe('no operation has the path /dogs/7')
    for (const part of ['Call what there is', curl, '404 {"code":"not_found"}']) {
      expect(failure?.textContent).toContain(part)
    }
  })

  it('fails on warnings where they fail the run', () => {
    const report = createReport(partsOf({ failOn: 'warning' }))
    expect(outcomes(report)[1]).toBe('unknown-parameter, GET /pets query colour: failure')
  })

  it.each(hostile)('can be parsed with %s', (_, text) => {
    const report = createReport(hostileParts(text))
    expect(junit(report).cases).toHaveLength(3 + 2 + 1)
    // XML 1.0, 2.2: characters that may stand in no document, by which parsers know it as broken.
    expect(render('junit', report)).not.toMatch(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/u)
  })

  it('keeps what XML can hold', () => {
    const text = '<a href="x">&amp; ]]> 🐕 é\tß'
    const [first] = junit(createReport(hostileParts(text))).cases
    expect(first?.getAttribute('name')).toContain('<a href="x">&amp; ]]> 🐕 é')
    expect(first?.textContent).toContain(text)
  })
})

describe('GitHub annotations', () => {
  const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice' }

  it.each(Object.entries(levels))('tells of an %s by ::%s', (severity, command) => {
    const finding = findingOf(problems.parameter, {
      severity: severity as Severity,
      place: { file: 'api/a,b.yaml', line: 41 },
      message: '100% of "a:b"',
    })
    expect(render('github', createReport(partsOf({ findings: [finding] })), { folder: 'tools' })).toBe(
      `::${command} file=tools/api/a%2Cb.yaml,line=41,title=unknown-parameter%3A GET /pets query colour::` +
        `100%25 of "a:b"%0ALeave it out%0A$ ${curl}%0A404 {"code":"not_found"}\n`,
    )
  })

  it('points into no file that is not the user’s', () => {
    const document = { ...partsOf().document, isBundled: true }
    expect(render('github', createReport(partsOf({ document })))).not.toContain('file=')
  })

  it('leaves known findings out, and tells of too little coverage', () => {
    const lines = render('github', rich()).trimEnd().split('\n')
    expect(lines.map((line) => line.split(' ', 1)[0])).toEqual(['::error', '::notice', '::error'])
    expect(lines[2]).toBe(
      '::error title=petstore-sandbox%3A coverage::only 66.6 %25 of the contract covered, 80 %25 required',
    )
  })
})

describe('Markdown', () => {
  it('has the verdict, a row and details for each new finding, and the coverage', () => {
    const lines = render('markdown', rich()).split('\n')
    expect(lines[0]).toMatch(/^## ❌ petstore-sandbox failed: 1 error and 1 info; 1 known; only 66\.6 %/)
    expect(lines).toContain(
      '| ❌ error | <code>undocumented-operation</code> | <code>GET /dogs/{}</code> | no operation has the path /dogs/7 |',
    )
    expect(lines).toContain(`<pre lang="sh">${curl}`)
    expect(lines).toContain('| <code>GET /pets (listPets)</code> | 12 | 2/3 | 66.6 % |')
    expect(lines).toContain('  - never got a 401')
    expect(lines).toContain('- <code>gone GET /cats</code>')
    expect(render('markdown', clean())).toMatch(/^## ✅ petstore-sandbox passed: no findings\n/)
  })

  it('stays below what GitHub takes, and says what it left out', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => findingOf({ ...problems.undocumented, at: `🐕${index}` }))
    const markdown = render('markdown', createReport(partsOf({ findings: many })))
    expect(Buffer.byteLength(markdown)).toBeLessThan(1024 ** 2)
    const shown = markdown.split('\n').filter((line) => line.startsWith('<details>')).length
    expect(shown).toBeGreaterThan(500)
    expect(markdown).toContain(`And ${5_000 - shown} more findings`)
  })
})

describe.each(['text', 'github', 'markdown'] as const)('%s', (format) => {
  const skeleton = (text: string) =>
    render(format, createReport(hostileParts(text)))
      .split('\n')
      .map(markup)

  /** What is structure in a line: its beginning, its tags, and its marks. */
  function markup(line: string): unknown {
    const beginning =
      /^(\s*(what|help|where|answered|baseline|note|coverage|checked|error|warning)\b|\s*[$#|<-]*)/.exec(line)
    if (format === 'text') return beginning?.[0].trimEnd()
    if (format === 'github')
      return /^::\w+ file=[^:,]*,line=1,title=[^:,]*::|^::\w+ title=[^:,]*::|^$/.exec(line) !== null
    return line.match(line.startsWith('|') ? /<[^>]*>|\|/g : /<[^>]*>|^(#+|\s*-)(?= )/g)
  }

  it.each(hostile)('has the same structure with %s', (_, text) => {
    expect(skeleton(text)).toEqual(skeleton('word'))
  })

  it.each(hostile)('steers no terminal with %s', (_, text) => {
    expect(render(format, createReport(hostileParts(text)))).not.toMatch(/(?!\n)\p{Cc}|\p{Cs}|[\u202a-\u202e]/u)
  })
})

describe.each(Object.keys(reportFormats) as ReportFormat[])('on stdout of a build, %s', (format) => {
  it.each(hostile)('executes nothing with %s', (_, text) => {
    const { findings: all, ...parts } = hostileParts(text)
    const failures = [{ message: text, help: text }]
    const report = createReport({ ...parts, findings: all.map((finding) => ({ ...finding, kind: text })), failures })
    for (const isColoured of [true, false]) {
      const lines = render(format, report, { isColoured }).split(/\r\n|\r|\n/)
      // The annotations themselves are commands.
      const others =
        format === 'github' ? lines.filter((line) => !/^::(error|warning|notice) [^:]*::/.test(line)) : lines
      expect(others.filter((line) => /^[^\p{L}\p{N}\p{P}\p{S}]*::/u.test(line))).toEqual([])
      expect(lines.filter((line) => /##\w*\[/.test(line))).toEqual([])
    }
  })
})

it.each(['json', 'sarif'] as const)('%s steers no terminal either', (format) => {
  for (const [, text] of hostile) {
    expect(render(format, createReport(hostileParts(text)))).not.toMatch(/(?!\n)\p{Cc}|\p{Cs}|[\u202a-\u202e]/u)
  }
})
