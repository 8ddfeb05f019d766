/** The animated image of the README: it shows what the program and curl print now, and plays in an `<img>`. */
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DOMParser } from '@xmldom/xmldom'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { pages } from '../support/documentation.js'
import { findBrowser } from '../support/find-browser.js'
import { root, run } from '../support/launch.js'
import { serveWarm } from '../support/warm.js'

const path = join(root, 'docs/images/terminal.svg')
const image = await readFile(path, 'utf8')

it('shows what the program and curl print now: npm run record', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const to = join(folder, 'new/terminal.svg')
  const command = [process.execPath, join(root, 'scripts/record-terminal.js')] as const
  // Settings of the user change nothing.
  const env = { TZ: 'Asia/Tokyo', PETSTORE_SANDBOX_RECORDS: '3', PETSTORE_SANDBOX_LOG: 'none' }
  expect(await run(['--to', to], { command, env })).toMatchObject({ code: 0, stderr: '' })
  expect(await readFile(to, 'utf8')).toBe(image)
})

it('splits no word of the banner, of an error and of a list at the end of a line', async () => {
  const texts = new DOMParser().parseFromString(image, 'image/svg+xml').getElementsByTagName('text')
  const toWords = (text: string | null) => (text ?? '').split(/\s+|(?<=,)/).filter((word) => word !== '')
  const shown = new Set([...texts].flatMap((each) => toWords(each.textContent)))
  const server = await serveWarm(['--log', 'none'])
  const body = '{"categoryId":"3","status":"gone"}'
  const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
  const refused = await fetch(`${server.url}/v1/pets`, { method: 'POST', headers, body })
  const list = await fetch(`${server.url}/v1/pets?limit=1`, { headers })
  const printed = `${server.stdout()}\n${await refused.text()}\n${(await list.text()).slice(1)}`
  const words = toWords(printed.replaceAll(String(server.port), '4010'))
  expect(words).toEqual(expect.arrayContaining(['everything.', '"status":"available"}]']))
  // The first pane scrolls, but its lines are in the image.
  expect(words.filter((word) => !shown.has(word))).toEqual([])
})

it('is small, has a title, a description and the default port, and loads and runs nothing', () => {
  expect(Buffer.byteLength(image)).toBeLessThan(60_000)
  const document = new DOMParser().parseFromString(image, 'image/svg+xml')
  for (const name of ['title', 'desc']) {
    expect(document.getElementsByTagName(name).item(0)?.textContent?.length, name).toBeGreaterThan(20)
  }
  expect(image).not.toMatch(/127\.0\.0\.1:(?!4010\b)/)
  expect(image).not.toMatch(/<script|<foreignObject|<image|@import|\bon\w+=|href|url\((?!#)/i)
})

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch((await findBrowser()).launchOptions ?? {})
})
afterAll(() => browser.close())

async function open(reducedMotion: 'reduce' | 'no-preference'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 832, height: 592 }, reducedMotion })
  page.setDefaultTimeout(240_000)
  onTestFinished(() => page.close())
  await page.goto(pathToFileURL(path).href)
  return page
}

/** Everything that an image shows at a time, each with its place, as its animations stand still there. */
function frameAt(page: Page, seconds: number): Promise<string[]> {
  return page.evaluate((time) => {
    for (const animation of document.getAnimations()) {
      animation.pause()
      animation.currentTime = time
    }
    return [...document.querySelectorAll('text, rect')]
      .filter((each) => getComputedStyle(each).visibility === 'visible')
      .map((each) => {
        const { x, y } = each.getBoundingClientRect()
        return `${Math.round(x)},${Math.round(y)} ${each.textContent || each.getAttribute('class')}`
      })
  }, seconds * 1000)
}

it('plays the story in its order in at most 25 seconds, and types commands', async () => {
  const page = await open('no-preference')
  const durations = await page.evaluate(() =>
    document.getAnimations().map(({ effect }) => Number(effect?.getTiming().duration) / 1000),
  )
  const [duration = 0] = durations
  expect(new Set(durations)).toEqual(new Set([duration]))
  expect(duration).toBeLessThanOrEqual(25)
  const frames: string[][] = []
  for (let time = 0; time < duration; time += 0.1) frames.push(await frameAt(page, time))
  const story = ['npx petstore-sandbox', 'is ready on http://127.0.0.1:4010', '{"id":121', '[{"id":121', 'got \\"3\\"']
  const times = [...story, '"struck":0', 'Fault 1 of this sandbox","status":503', '{"id":122'].map((part) =>
    frames.findIndex((shown) => shown.some((text) => text.includes(part))),
  )
  expect(times).not.toContain(-1)
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  const cursors = new Set(frames.flatMap((shown) => shown.filter((text) => text.endsWith('cursor'))))
  expect(cursors.size).toBeGreaterThan(50)
})

it('stands still at the last frame for readers who prefer reduced motion', async () => {
  const [moving, still] = [await open('no-preference'), await open('reduce')]
  expect(await still.evaluate(() => document.getAnimations().length)).toBe(0)
  expect(await frameAt(still, 0)).toEqual(await frameAt(moving, 24.5))
  expect(await frameAt(still, 0)).not.toEqual(await frameAt(moving, 0))
})

it('is shown with a text for readers who do not see it, as all images are', async () => {
  const images = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt = '', file = '']) => ({ name, alt, file })),
  )
  for (const { name, alt, file } of images) {
    expect(alt.length, `${name}: ${file}`).toBeGreaterThan(40)
    await access(join(root, dirname(name), file))
  }
  expect(images.filter(({ file }) => file.endsWith('terminal.svg')).map(({ name }) => name)).toContain('README.md')
})
