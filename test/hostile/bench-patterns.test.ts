/** The benchmark of patterns finds expressions whose matching takes more than linear time, and only those. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../support/launch.js'

const load = (file: string) => import(join(root, 'bench', file))
const { generateInputs } = await load('patterns/generate-inputs.js')
const { measureGrowth } = await load('patterns/measure-growth.js')
const { readExpressions } = await load('patterns/read-expressions.js')
const { default: benchPatterns } = await load('patterns.js')

/** TypeScript knows it only for later targets. */
const setFlag = ['v'].join()
const isSuperlinear = ({ source, flags }: RegExp, isSplit = false) =>
  measureGrowth({ source, flags, isSplit }, generateInputs(source, flags)) !== undefined

it.each([
  ['nested repeats', /^(a+)+$/],
  ['alternatives that overlap in another case', /^(?:[a-z]|[\u0100-\u0200])*$/iu],
  ['a repeat after another one of the same letters', /^\d+[\d.]+x/],
  ['a start at each letter', /x+y/],
  ['a search to the end from each start', /<!--.*?-->/gs],
  ['a lookahead that searches', /(?=[^.]*foo)bar/g],
  ['a lookbehind that searches', /(?<=\s*)x/],
  ['a lookbehind that leads to a repeat', /(?<=ab)\w+;/],
  ['a lookahead that leads to a repeat', /(?=ab)\w+;/],
  ['what a lookahead must not find', /(?!.*end)start/],
  ['what a lookbehind must not find', /(?<!a\w*b)c/],
  ['a reference to a group', /^(.+)-?\1$/],
  ['three searches', /^.*?,.*?,.*?;$/s],
  ['a long bound', /a{1,5000}b/],
  ['a long count', /(?:a{100}b)*c/],
  ['words that are apart', /\bother keys\b[^.]*\bkept\b/i],
  ['letters beyond ASCII', /^(?:\p{L}+\s?)+$/u],
  ['a set of letters', new RegExp('[[a-z]--[q]]+!', setFlag)],
  ['a sticky expression', /a*a*b/y],
  ['a long way to the repeat', /^[^:]*:[^:]*:[^:]*:[^:]*:\s*x?\s*x?$/],
  ['a prefix of letters and marks', /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.|\\[^"])*)"|([^;\s]*))/g],
  ['an end of two marks', /^\s*([^\s=;]+)\s*(?:=\s*"?([^";]*)"?\s*)?(?:;.*)?$/s],
  ['an end that stops one part after another', /^([^;]+).*$/],
  ['a start of what follows in each repeat', /^<b>(.+?)<\/b\b[^>]*>/],
  ['bounds that multiply', /^(?:\w{1,9}\.?){1,9}$/],
  ['an unfinished comment where each letter matches', /\(\?#[^)]*\)|[\s\S]/g],
  ['a late alternative that another one matches', /^(?:\w+ (?:=|<|>|is|like|[a-z]{4}) \w+;)+$/],
  ['one of several optional parts', /^(?:a(?::\w+)?(?:=\d+)?(?:!|\?)?(?:[=:]\w+)?;)+$/],
  ['a word in place of a class', /^\?(?:(?:page|size|sort)=[^&]*&|\w+=\d+&)*$/],
  ['a reference that finds nothing', /^(.*)(?:\n[\s\S]*)?\n\1$/m],
])('finds %s', (_, pattern) => {
  expect(isSuperlinear(pattern)).toBe(true)
})

it.each([
  ['a class from the start to the end', /^[\w.-]+$/],
  ['a run that begins once', /(?<!\s)\s+$/],
  ['a text in quotes', /"(?:[^"\\]|\\.)*"?/g],
  ['parts that differ', /^(\d+)(\.\d+)?(ms|s)$/],
  ['a short bound', /\bsets [^.]{0,40}\bname\b/i],
  ['a reference within its group', new RegExp(['^(?:x|(a\\1?))+y'].join())],
  ['a reference behind a mark', /^x(\w+)-\1+$/],
])('leaves out %s', (_, pattern) => {
  expect(isSuperlinear(pattern)).toBe(false)
})

it('measures all matches where a text is split', () => {
  expect(isSuperlinear(/a.*b|a/, true)).toBe(true)
})

function writeCode(code: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'patterns-')), 'src')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.ts'), code)
  return folder
}

const readCode = (code: string) => readExpressions(writeCode(code))

const constants = `
  const space = ' +'
  const parts = { space, end: '$', long: ' +' + '$' }
  const spaced = (...given: string[]) => RegExp(given.join('b*'), 'g')
  function ended(start: string) { return start + '$' }
  class Ends { static start() { return space } static readonly end = '$' }
`

it.each([
  ['rest parameters', `spaced(space, '$')`, ' +b*$'],
  ['a text that is put together for a search', `text.search(space + '$')`, ' +$'],
  ['a name for a text that is searched', `text.match(parts.long)`, ' +$'],
  ['another name of RegExp', `const R = RegExp; new R(space + '$')`, ' +$'],
  ['a global object', `new globalThis.RegExp(space + '$')`, ' +$'],
  ['a pattern of a schema', `const schema = { pattern: space + '$' }`, ' +$'],
  ['a text that grows', `let text = space; text += '$'; new RegExp(text)`, ' +$'],
  ['a variable with two values', `let text = 'b'; text = space + '$'; new RegExp(text)`, ' +$'],
  ['values of an object', `new RegExp(Object.values({ space: ' +', end: '$' }).join(''))`, ' +$'],
  ['two lists', `new RegExp([' +'].concat('$').join(''))`, ' +$'],
  ['a filled list', `new RegExp(Array(2).fill(space).join('-') + '$')`, ' +- +$'],
  ['a filtered list', `new RegExp([' +', '$'].filter(Boolean).join(''))`, ' +$'],
  ['a function of texts', `new RegExp(ended(space))`, ' +$'],
  ['a text that is replaced everywhere', `new RegExp('S-S'.replaceAll('S', space) + '$')`, ' +- +$'],
  ['members of a class', `new RegExp(Ends.start() + Ends.end)`, ' +$'],
])('reads %s', (_, code, source) => {
  const { expressions } = readCode(`${constants}\n${code}`)
  expect(expressions.map((each: { source: string }) => each.source)).toContain(source)
})

it.each([
  ['a parameter', `export const build = (given: string) => new RegExp(given)`, 1],
  ['a part that is a parameter', `export const build = (given: string) => new RegExp(given + '$')`, 1],
  ['a text that is searched', `export const find = (text: string, given: string) => text.search(given)`, 1],
  ['a list of texts', `export const build = (given: string[]) => given.map(RegExp)`, 1],
  ['a reason', `export const build = (given: string) => new RegExp(given) // unmeasured: only compiled`, 0],
  ['letters', String.raw`export const build = (given: string) => new RegExp(given.replace(/\W/g, '\\$&') + '$')`, 0],
  ['not all letters', String.raw`export const build = (given: string) => new RegExp(given.replace(/\./g, '\\$&'))`, 1],
])('counts what it cannot measure: %s', (_, code, missing) => {
  const { hasFailed, data } = benchPatterns({ source: writeCode(code), say: () => {} })
  expect([hasFailed, data.missing.length]).toEqual([missing > 0, missing])
})

it('reads expressions that are built from constants, and bounds that are in the code', () => {
  const code = String.raw`
    const word = '\\w+'
    const all = new RegExp('^(?:' + word + ' ?)*$', 'i')
    const parts = [/a+/, /b+/].map(({ source }) => source)
    const joined = new RegExp(parts.join('|'), 'g')
    // bounded: .slice(0, 200)
    const bounded = /x+y/
    // bounded: .slice(0, 300)
    const unbounded = /x+z/
    export const use = (text: string) => bounded.test(text.slice(0, 200)) && unbounded.test(text)
    export const build = (text: string) => new RegExp(text)
    'a,b'.split(/,+b/)
  `
  const { expressions, unread } = readCode(code)
  const found = expressions.map(({ source, flags, bound, isSplit }: Record<string, unknown>) => [
    ...[source, flags, bound, isSplit],
  ])
  const none = undefined
  expect(found).toEqual([
    [String.raw`^(?:\w+ ?)*$`, 'i', none, false],
    ['a+', '', none, false],
    ['b+', '', none, false],
    ['a+|b+', 'g', none, false],
    ['x+y', '', '.slice(0, 200)', false],
    ['x+z', '', none, false],
    [',+b', '', none, true],
  ])
  expect(unread.map(({ line }: { line: number }) => line)).toEqual([11])
})
