/** Writes the licences of everything that is bundled to one file, `THIRD-PARTY-LICENCES.txt` in `dist/`. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A plugin for rolldown. @throws Error for a bundled package without a licence text */
export function thirdPartyLicences() {
  return {
    name: 'third-party-licences',
    generateBundle(_options, bundle) {
      const folders = new Set()
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) {
          const folder = packageFolder(id)
          if (folder) folders.add(folder)
        }
      }
      const notices = [...folders].map(toNotice).sort()
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD-PARTY-LICENCES.txt',
        source: `${notices.join(`\n${'-'.repeat(80)}\n\n`)}`,
      })
    },
  }
}

function packageFolder(id) {
  const match = /^\0?(?:[\w-]+:)?(\/.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)/.exec(id)
  return match?.[1]
}

function toNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  if (!file) throw new Error(`"${name}" is bundled from ${dirname(folder)} and has no licence text`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}
