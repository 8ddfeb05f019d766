/** The installed size: of our package as packed, and of the peers as in bench/package-lock.json. */
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

    /** Collects a package and its dependencies, resolved like Node.js: in the nearest node_modules. */
    function collect(from, wanted) {
      const path = `${from === '' ? '' : `${from}/`}node_modules/${wanted}`
      if (packages[path] === undefined) {
        // An optional package for another platform is not installed.
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

/** The size of a package in bytes, without nested packages. */
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
    // An optional package for another platform is not installed.
    return []
  }
}
