/** Writes the licences of all bundled packages to `dist/THIRD-PARTY-LICENCES.txt`. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A rolldown plugin.
 * @param others folders of packages that other bundles have
 * @throws Error for a bundled package without a licence text
 */
export function thirdPartyLicences(others) {
  return {
    name: 'third-party-licences',
    generateBundle(_options, bundle) {
      const folders = new Set([...others, ...foldersOf(bundle)])
      const notices = [...folders].map(toNotice).sort()
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD-PARTY-LICENCES.txt',
        source: `${notices.join(`\n${'-'.repeat(80)}\n\n`)}`,
      })
    },
  }
}

/** A rolldown plugin that collects the folders of all packages in a bundle. */
export function bundledPackages() {
  const folders = new Set()
  return {
    folders,
    plugin: {
      name: 'bundled-packages',
      generateBundle(_options, bundle) {
        for (const folder of foldersOf(bundle)) folders.add(folder)
      },
    },
  }
}

function foldersOf(bundle) {
  const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}))
  return modules.map(packageFolder).filter((folder) => folder !== undefined)
}

function packageFolder(id) {
  const match = /^\0?(?:[\w-]+:)?(\/.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)/.exec(id)
  return match?.[1]
}

function toNotice(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const holder = typeof author === 'string' ? author : author?.name
  const text = file
    ? readFileSync(join(folder, file), 'utf8').trim()
    : standardText(license, holder ?? `the authors of ${name}`)
  if (!text) throw new Error(`"${name}" is bundled from ${dirname(folder)} and has no licence text`)
  return `${name} ${version} (${license})\n\n${text}\n`
}

/** The text of a licence that a package names without including it. */
function standardText(license, holder) {
  return license === 'MIT' ? `Copyright (c) ${holder}\n\n${mit}` : undefined
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
