/** What an installation takes: ours as it is packed, the peers as bench/package-lock.json has them. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { asides, toFigure } from './bars.js'
import { pack } from './packed.js'
import { peers } from './servers/subjects.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const megabyte = 1024 * 1024

export default async function benchSize() {
  const { size, unpackedSize } = pack()
  const { packages } = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'))
  const sizes = [{ title: 'petstore-sandbox', packages: 1, bytes: unpackedSize }]
  for (const { title, package: name, beside = [] } of peers) {
    const needed = new Set()
    for (const each of [name, ...beside]) collect('', each)
    const bytes = [...needed].reduce((sum, path) => sum + sizeOf(join(here, path)), 0)
    sizes.push({ title, packages: needed.size, bytes })

    /** A package with all that it needs, found as Node.js finds it: in the nearest node_modules. */
    function collect(from, wanted) {
      const path = `${from === '' ? '' : `${from}/`}node_modules/${wanted}`
      if (packages[path] === undefined) {
        // An optional package of another platform is nowhere.
        if (from !== '') collect(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))) || '', wanted)
        return
      }
      if (needed.has(path)) return
      needed.add(path)
      const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path]
      for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) collect(path, next)
      for (const next of Object.keys(peerDependencies ?? {})) {
        if (!peerDependenciesMeta?.[next]?.optional) collect(path, next)
      }
    }
  }
  const rows = sizes.map(({ title, packages: count, bytes }) => [title, count, toFigure(bytes / megabyte)])
  return {
    tables: [{ title: 'Installed', head: ['', 'packages', 'MB'], rows }],
    bars: [
      asides('installed size', `${toFigure(unpackedSize / megabyte)} MB, one package`),
      asides('tarball', `${toFigure(size / 1024)} kB`),
    ],
    data: sizes,
  }
}

/** Bytes of a package's own files, without the packages inside it. */
function sizeOf(folder) {
  let bytes = 0
  for (const entry of list(folder)) {
    if (entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += sizeOf(path)
    else if (entry.isFile()) bytes += statSync(path).size
  }
  return bytes
}

function list(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Optional, and not for this platform.
    return []
  }
}
