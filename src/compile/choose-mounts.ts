/** Chooses the paths at which servers are mounted, so that no server hides a documented path of another one. */
import { decodeText, type PathTemplate } from '../contract/path-template.js'

export interface ServerToMount {
  name: string
  basePath: string
  /** What `leadingTexts` returns for its paths. */
  paths: readonly ReadonlySet<string>[]
}

/** Returns mounts by name: the base path, or below the name if another server has that path or would lose requests. */
export function chooseMounts(servers: readonly ServerToMount[]): Map<string, string> {
  const mounted: { server: ServerToMount; mount: string }[] = []
  for (const server of servers) {
    const isFree = (mount: string) =>
      !isOrBelow(mount, '/_sandbox') &&
      mounted.every((other) => {
        const hides = isHidden(other.server, other.mount, mount) || isHidden(server, mount, other.mount)
        return mount !== other.mount && !hides
      })
    let mount = server.basePath
    for (let number = 1; !isFree(mount); number++) mount = toMount(server, number)
    mounted.push({ server, mount })
  }
  return new Map(mounted.map(({ server, mount }) => [server.name, mount]))
}

/** Below the name, with a number from the second attempt on. */
function toMount({ name, basePath }: ServerToMount, number: number): string {
  const segment = encodeURIComponent(name.toWellFormed()) + (number === 1 ? '' : `-${number}`)
  return new URL(`http://host/${segment}${basePath}`).pathname.replace(/\/+$/, '')
}

/** Whether a mount below that of a server takes requests for one of its paths. */
function isHidden({ paths }: ServerToMount, own: string, other: string): boolean {
  const below = other.slice(own.length)
  return other !== own && isOrBelow(other, own) && paths.some((texts) => texts.has(decodeText(below) ?? below))
}

function isOrBelow(path: string, base: string): boolean {
  return path.startsWith(base) && (path[base.length] ?? '/') === '/'
}

/** The decoded beginnings of a path that are whole segments without parameters: /a and /a/b for /a/b/{id}. */
export function leadingTexts({ segments }: PathTemplate): string[] {
  const parameter = segments.findIndex(({ names }) => names.length > 0)
  const texts = segments.slice(0, parameter === -1 ? undefined : parameter).map(({ texts: [text = ''] }) => text)
  return texts.map(
    (_, index) =>
      `/${texts
        .slice(0, index + 1)
        .map((text) => decodeText(text) ?? text)
        .join('/')}`,
  )
}
