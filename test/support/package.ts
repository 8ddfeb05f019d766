/** The published package: packed from this checkout, and installed in an empty folder. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './launch.js'

export interface Packed {
  /** Folder of the tarball and everything that is made from it. */
  folder: string
  tarball: string
  /** Paths in the package, sorted. */
  files: string[]
  remove(): Promise<void>
}

/** Packs the build. */
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

/** Installs the package in a new folder, without network access. @returns the folder */
export async function install({ folder, tarball }: Packed, name: string): Promise<string> {
  const project = join(folder, name)
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "name": "a-consumer", "private": true, "type": "module" }\n')
  await execute('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'], project)
  return project
}

/** Downloads a version of Node.js from the npm registry. @returns its executable, which npx caches */
export async function nodeOf(version: string): Promise<string> {
  const script = 'console.log(JSON.stringify({ path: process.execPath, version: process.version }))'
  const { stdout } = await execute('npx', ['-y', '-p', `node@${version}`, 'node', '-e', script], tmpdir())
  const found = JSON.parse(stdout)
  if (!found.version.startsWith(`v${version}.`)) throw new Error(`npx gave Node.js ${found.version} for ${version}`)
  return found.path
}

/** Runs a command to its end. @throws for any exit code but 0, with the output */
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
