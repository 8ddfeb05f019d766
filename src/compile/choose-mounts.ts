/** Chooses the mount paths of servers, so that no server hides a documented path of another one. */

import { decodeText, type PathTemplate } from '../contract/path-template.js'
import { getOrInsert } from '../json/own-value.js'

export interface ServerToMount {
  name: string
  basePath: string
  /** What `leadingTexts` returns for its paths. */
  paths: readonly ReadonlySet<string>[]
}

/** Returns mounts by name: the base path, prefixed with the name if another server has that path or would lose requests. */
export function chooseMounts(servers: readonly ServerToMount[]): Map<string, string> {
  const mounted = new Map<string, ServerToMount>()
  /** The mounts below each base. */
  const below = new Map<string, string[]>()
  for (const server of servers) {
    const isFree = (mount: string) =>
      !(mounted.has(mount) || mount === '/_sandbox' || mount.startsWith('/_sandbox/')) &&
      basesOf(mount).every((base) => !isHidden(mounted.get(base), base, mount)) &&
      !below.get(mount)?.some((other) => isHidden(server, mount, other))
    let mount = server.basePath
    for (let number = 1; !isFree(mount); number++) mount = toMount(server, number)
    mounted.set(mount, server)
    for (const base of basesOf(mount)) getOrInsert(below, base, () => []).push(mount)
  }
  return new Map([...mounted].map(([mount, { name }]) => [name, mount]))
}

/** Maximum segments of a path to compare: their prefixes together are longer than the path squared. */
const maxSegments = 200

/** The paths above a mount: for `/a/b` the empty path and `/a`. */
function basesOf(mount: string): string[] {
  const segments = mount.split('/').slice(0, -1).slice(0, maxSegments)
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}

/** Prefixes the base path with the name. From the second attempt on, the name has a number. */
function toMount({ name, basePath }: ServerToMount, number: number): string {
  const segment = encodeURIComponent(name.toWellFormed()) + (number === 1 ? '' : `-${number}`)
  return new URL(`http://host/${segment}${basePath}`).pathname.replace(/(?<!\/)\/+$/, '')
}

/** Whether a mount below that of a server catches requests for one of its paths. */
function isHidden(server: ServerToMount | undefined, own: string, other: string): boolean {
  const below = other.slice(own.length)
  return server?.paths.some((texts) => texts.has(decodeText(below) ?? below)) === true
}

/** The decoded prefixes of a path before its first parameter: /a and /a/b for /a/b/{id}. */
export function leadingTexts({ segments }: PathTemplate): string[] {
  const parameter = segments.findIndex(({ names }) => names.length > 0)
  const texts = segments.slice(0, parameter === -1 ? undefined : parameter).map(({ texts: [text = ''] }) => text)
  const decoded = texts.slice(0, maxSegments).map((text) => `/${decodeText(text) ?? text}`)
  return decoded.map((_, index) => decoded.slice(0, index + 1).join(''))
}
