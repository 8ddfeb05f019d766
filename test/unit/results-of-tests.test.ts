/** Results of tests as several runners write them, and the requests that belong to them. */
import { describe, expect, it } from 'vitest'
import { readJunit } from '../../src/checks/consumer/read-junit.js'
import { findOrigins } from '../../src/cli/requests-by-test.js'

const suite = (attributes: string, content: string) =>
  `<testsuites><testsuite ${attributes}>${content}</testsuite></testsuites>`

/** The same test by several runners, and an origin of requests that is in it. */
const runners = [
  {
    runner: 'Vitest',
    xml: suite(
      'name="test/a.test.ts"',
      '<testcase classname="test/a.test.ts" name="shelves &gt; adds a book"/><testcase classname="test/b.test.ts" name="shelves &gt; adds a book"/>',
    ),
    origin: { file: 'test/a.test.ts', line: 9, name: 'shelves > adds a book' },
  },
  {
    runner: 'node:test',
    xml: suite(
      'name="shelves"',
      '<testcase classname="test" name="adds a book" file="/home/me/shop/test/a.test.ts"/><testcase classname="test" name="adds two"/>',
    ),
    origin: { file: 'test/a.test.ts', line: 9, name: 'shelves > adds a book' },
  },
  {
    runner: 'jest-junit',
    xml: suite(
      'name="shelves"',
      '<testcase classname="shelves adds a book" name="shelves adds a book"/><testcase classname="shelves adds" name="shelves adds"/>',
    ),
    origin: { file: 'test/a.test.ts', line: 9, name: 'shelves > adds a book' },
  },
  {
    runner: 'Mocha',
    xml: suite(
      'name="shelves" file="/home/me/shop/test/a.test.ts"',
      '<testcase name="shelves adds a book" classname="adds a book"/><testcase name="shelves adds two" classname="adds two"/>',
    ),
    origin: { file: 'test/a.test.ts', line: 9, name: 'adds a book' },
  },
  {
    runner: 'Playwright',
    xml: suite(
      'name="a.spec.ts"',
      '<testcase classname="a.spec.ts" name="shelves › adds a book"/><testcase classname="b.spec.ts" name="shelves › adds a book"/>',
    ),
    origin: { file: 'e2e/a.spec.ts', line: 9, name: 'shelves > adds a book' },
  },
  {
    runner: 'pytest',
    xml: suite(
      'name="pytest"',
      '<testcase classname="tests.test_shelf" name="test_add" file="tests/test_shelf.py" line="8"/><testcase classname="tests.test_shelf" name="test_list" file="tests/test_shelf.py" line="20"/>',
    ),
    origin: { file: 'tests/test_shelf.py', line: 12 },
  },
  {
    runner: 'PHPUnit',
    xml: suite(
      'name="Shelf" file="/home/me/shop/tests/ShelfTest.php"',
      '<testcase name="testAdd" class="ShelfTest" classname="ShelfTest" file="/home/me/shop/tests/ShelfTest.php" line="12"/><testcase name="testList" classname="ShelfTest" file="/home/me/shop/tests/ShelfTest.php" line="30"/>',
    ),
    origin: { file: 'tests/ShelfTest.php', line: 15 },
  },
]

describe('requests', () => {
  it.each(runners)('belong to the test that $runner names', ({ xml, origin }) => {
    const results = readJunit(xml, 'results.xml')
    expect(results).toHaveLength(2)
    const levels = results.map((result) => findOrigins(result, results).findIndex((isOf) => isOf(origin)))
    expect(levels[0]).toBeGreaterThanOrEqual(0)
    expect(levels[0]).toBeLessThan(3)
    // At most perhaps.
    expect(levels[1] === -1 || (levels[1] ?? 0) >= 3).toBe(true)
  })

  it('of an unknown test of the same file are only perhaps of a test', () => {
    const results = readJunit(
      suite('name="a.test.ts"', '<testcase classname="a.test.ts" name="adds 3"/>'),
      'results.xml',
    )
    const [result] = results
    const levels = result && findOrigins(result, results).map((isOf) => isOf({ file: 'a.test.ts', line: 3 }))
    expect(levels).toEqual([false, false, false, true, false])
  })
})

describe('readJunit', () => {
  it.each([
    {
      what: 'a failure',
      xml: '<failure message="expected 1&#10;to be 2">at a line</failure>',
      status: 'failed',
      message: 'expected 1',
    },
    {
      what: 'an error without a message',
      xml: '<error type="TypeError">\n  no such thing\n at a line</error>',
      status: 'failed',
      message: 'no such thing',
    },
    { what: 'a failure with nothing', xml: '<failure/>', status: 'failed', message: '' },
    {
      what: 'colours',
      xml: '<failure message="\u001b[31mred\u001b[39m &#27;[1mbold&#x1B;[0m"/>',
      status: 'failed',
      message: 'red bold',
    },
    {
      what: 'characters that XML forbids',
      xml: '<failure message="a\u0000b"/>',
      status: 'failed',
      message: 'a\ufffdb',
    },
    {
      what: 'entities and CDATA',
      xml: '<failure><![CDATA[a < b & c]]></failure>',
      status: 'failed',
      message: 'a < b & c',
    },
    {
      what: 'a long message',
      xml: `<failure message="${'a'.repeat(400)}"/>`,
      status: 'failed',
      message: `${'a'.repeat(300)}…`,
    },
    { what: 'a skipped test', xml: '<skipped/>', status: 'skipped', message: undefined },
    { what: 'output', xml: '<system-out>failure</system-out>', status: 'passed', message: undefined },
    { what: 'a flaky test of Surefire', xml: '<flakyFailure message="once"/>', status: 'passed', message: undefined },
  ])('reads $what', ({ xml, status, message }) => {
    const [result] = readJunit(suite('name="a"', `<testcase name="b">${xml}</testcase>`), 'results.xml')
    expect(result?.status).toBe(status)
    expect(result?.message).toBe(message)
  })

  it('counts tests of nested suites, each by its own groups, and a failure of two with one name', () => {
    const xml =
      '<testsuite name="a"><testcase name="x"/><testsuite name="b"><testcase name="x"><failure/></testcase><testcase name="x"/></testsuite></testsuite>'
    const results = readJunit(`\ufeff<?xml version="1.0"?><!-- a -->${xml}`, 'results.xml')
    expect(results.map(({ suites, status }) => [suites, status])).toEqual([
      [['a'], 'passed'],
      [['a', 'b'], 'failed'],
    ])
  })

  it('reads ten thousand tests in little time, and does not expand entities', () => {
    const cases = Array.from(
      { length: 10_000 },
      (_, index) => `<testcase name="t${index}"><system-out>${'x'.repeat(200)}</system-out></testcase>`,
    )
    expect(readJunit(suite('name="a"', cases.join('')), 'results.xml')).toHaveLength(10_000)
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><testsuite><testcase name="&c;"/></testsuite>'
    expect(() => readJunit(bomb, 'results.xml')).toThrow('it is not XML')
  })

  it.each(['', '  \n', '{}', '<a', '<testsuites><testcase></testsuites>', '<html/>', 'TAP version 13'])(
    'refuses %j',
    (text) => {
      expect(() => readJunit(text, 'results.xml')).toThrow(
        /^Failed to read the results "results.xml": it is (?:empty|not XML|XML, but not JUnit)/,
      )
    },
  )
})
