/** Time from `npx` of the tarball with an empty cache to the first 200. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, holds, toFigure } from './bars.js'
import { median } from './median.js'
import { pack } from './packed.js'
import { launch } from './servers/launch.js'
import { ours } from './servers/subjects.js'
import { workFolder } from './work-folder.js'

export default async function benchNpx({ rounds, say }) {
  const { file } = pack()
  const times = []
  let packages = 0
  for (let round = 0; round < rounds; round++) {
    say(`npx: round ${round + 1} of ${rounds}`)
    const cache = mkdtempSync(join(workFolder(), 'cache-'))
    const command = (port) => ({
      node: 'npx',
      args: ['--yes', '--cache', cache, `--package=${file}`, 'petstore-sandbox', '--port', String(port)],
    })
    const server = await launch({ id: 'npx', command, ready: ours.requests.list, isPinned: false })
    await server.close()
    times.push(server.startMs)
    packages = countPackages(cache)
    rmSync(cache, { recursive: true, force: true, maxRetries: 3 })
  }
  const spread = `${toFigure(Math.min(...times))} to ${toFigure(Math.max(...times))} ms`
  const bars = [
    atMost('cold npx of the tarball, to first 200', median(times) / 1000, 2.5, ' s'),
    holds('cold npx of the tarball: packages', packages, 'one', packages === 1),
  ]
  return { bars, notes: [`cold npx: ${rounds} rounds, ${spread}`], options: { rounds }, data: { times, packages } }
}

function countPackages(cache) {
  const [folder] = readdirSync(join(cache, '_npx'))
  const { packages } = JSON.parse(readFileSync(join(cache, '_npx', folder, 'package-lock.json'), 'utf8'))
  return Object.keys(packages).filter((path) => path !== '').length
}
