/** Whether the last build is still what a build would make: no source and nothing that was built has changed since. */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'

const root = new URL('../', import.meta.url)
const stamp = new URL('src/generated/build-stamp.txt', root)
/** What a build reads and writes. The last file says which packages are installed. */
const folders = ['dist', 'docs', 'fixtures', 'scripts', 'spec', 'src']
const files = ['package.json', 'tsconfig.json', 'node_modules/.package-lock.json']

export async function isBuilt() {
  const [known, now] = await Promise.all([readFile(stamp, 'utf8').catch(() => ''), hashFiles().catch(() => undefined)])
  return known === now
}

export async function stampBuild() {
  await writeFile(stamp, await hashFiles())
}

async function hashFiles() {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const options = { recursive: true, withFileTypes: true }
      // Nothing is built yet in a new checkout.
      const entries = await readdir(new URL(folder, root), options).catch(() => [])
      return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`)
    }),
  )
  const names = [...found.flat(), ...files.map((file) => new URL(file, root).pathname)].sort()
  const hash = createHash('sha256')
  for (const name of names.filter((name) => name !== stamp.pathname)) {
    // Not every installer writes the list of packages.
    const content = await readFile(name).catch(() => '')
    hash.update(`${name} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}
