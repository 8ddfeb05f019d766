/** The package as it is published: packed from this checkout, and installed where nothing else is. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './launch.js'

export interface Packed {
  /** Where the tarball is, and everything else that is made of it. */
  folder: string
  tarball: string
  /** Paths in the package, sorted. */
  files: string[]
  remove(): Promise<void>
}

/** Packs what was built. */
export async function pack(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-package-'))
  const { stdout } = await execute('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root)
  const [{ filename, files }] = JSON.parse(stdout)
  return {
    folder,
    tarball: join(folder, filename),
    files: files.map(({ path }: { path: string }) => path).sort(),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Installs the package in a folder of its own, without a network. @returns that folder */
export async function install({ folder, tarball }: Packed, name: string): Promise<string> {
  const project = join(folder, name)
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "name": "a-consumer", "private": true, "type": "module" }\n')
  await execute('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'], project)
  return project
}

/** A Node.js of that version, out of the npm registry. @returns its program, which npx keeps for the next time */
export async function nodeOf(version: string): Promise<string> {
  const script = 'console.log(JSON.stringify({ path: process.execPath, version: process.version }))'
  const { stdout } = await execute('npx', ['-y', '-p', `node@${version}`, 'node', '-e', script], tmpdir())
  const found = JSON.parse(stdout)
  if (!found.version.startsWith(`v${version}.`)) throw new Error(`npx gave Node.js ${found.version} for ${version}`)
  return found.path
}

/** Runs a command to its end. @throws for another exit code than 0, with what was printed */
export async function execute(
  file: string,
  args: readonly string[],
  cwd: string,
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await promisify(execFile)(file, args, { cwd, maxBuffer: 2 ** 26 })
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string }
    throw new Error(`"${[file, ...args].join(' ')}" failed with ${code}\n${stdout}\n${stderr}`)
  }
}
