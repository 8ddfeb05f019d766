/** State that the views share: the document, the worlds, the exchanges and the world in view. */
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import {
  type About,
  type Collection,
  ControlError,
  type Exchange,
  encode,
  type Fault,
  get,
  type Key,
  needsToken,
  type Operation,
  type Page,
  type Served,
  type Snapshot,
  type World,
} from './api.js'

export const about: Signal<About | undefined> = signal<About | undefined>()
export const collections: Signal<Collection[]> = signal<Collection[]>([])
export const operations: Signal<Operation[] | undefined> = signal<Operation[] | undefined>()
export const worlds: Signal<World[]> = signal<World[]>([])
export const keys: Signal<Key[]> = signal<Key[]>([])
export const faults: Signal<Fault[]> = signal<Fault[]>([])
export const snapshots: Signal<Snapshot[]> = signal<Snapshot[]>([])
/** The exchanges, newest last. */
export const exchanges: Signal<Exchange[]> = signal<Exchange[]>([])
/** Whether new exchanges arrive. */
export const isLive: Signal<boolean> = signal(false)
/** Whether the sandbox has stopped answering. */
export const isLost: Signal<boolean> = signal(false)
/** Whether worlds, faults and snapshots were loaded. */
export const isReady: Signal<boolean> = signal(false)
/** Why the inspector cannot show anything. Empty if nothing is wrong. */
export const failure: Signal<string> = signal('')
/** Increases when records or clocks may have changed. */
export const dataVersion: Signal<number> = signal(0)
/** The served document, once the stream has sent it. */
export const served: Signal<Served | undefined> = signal<Served | undefined>()
/** Keys of records that are asked for together, and the page of them, by the path of the records. */
export const batches: Map<string, { keys: Set<string>; page: Promise<Page> }> = new Map()
/** The columns of each sample, by the name of its collection. They stay, once they are chosen. */
export const sampleColumns: Map<string, string[]> = new Map()

const given = new URLSearchParams(location.search)
/** The id of the world in view. */
export const world: Signal<string> = signal(given.get('world') ?? '')
/** Name of the environment in view. */
export const environment: Signal<string> = signal(given.get('environment') ?? '')
/** Whether the world in view was removed or its key was revoked. */
export const isWorldGone: Signal<boolean> = signal(false)

/** Keeps both in the address, so that a link leads to the same records. */
effect(() => {
  if (!about.value) return
  const { keys: first, environments } = about.value
  const query = new URLSearchParams()
  if (world.value !== first[0]?.id) query.set('world', world.value)
  if (environment.value !== environments[0]?.name) query.set('environment', environment.value)
  const search = query.size === 0 ? '' : `?${query}`
  if (search !== location.search) history.replaceState(null, '', location.pathname + search + location.hash)
})

/** Ids of all known worlds and keys. */
export const worldIds: ReadonlySignal<string[]> = computed(() => {
  const known = [
    ...(about.value?.keys ?? []).map(({ id }) => id),
    ...keys.value.map(({ id }) => id),
    ...worlds.value.map(({ id }) => id),
  ]
  return [...new Set(world.value === '' || isWorldGone.value ? known : [...known, world.value])]
})

const worldNames = 'sandbox-world-names'
/** Characters of a key that are shown as the name of its world. */
const maxShownKey = 12

/** Names that the user gave to worlds with hidden keys. This browser keeps them. */
const named: Signal<Record<string, string>> = signal(JSON.parse(localStorage.getItem(worldNames) ?? '{}'))

/** A name of a world to be shown. The id of a world with a hidden key is a hash. */
export function worldName(id: string): string {
  const key = typed.value[id]?.slice(0, maxShownKey)
  return named.value[id] || key || (/^[\da-f]{16}$/.test(id) ? `key ${id.slice(0, 6)}` : id)
}

/** @param name empty: it is called by its id again */
export function nameWorld(id: string, name: string): void {
  named.value = { ...named.value, [id]: name }
  localStorage.setItem(worldNames, JSON.stringify(named.value))
}

const viewed: ReadonlySignal<World | undefined> = computed(() => worlds.value.find(({ id }) => id === world.value))

/** Whether a collection of the world in view has no records in any environment. */
export function isEmpty(name: string): boolean {
  const opened = (viewed.value?.collections ?? []).filter((each) => each.name === name)
  const known = opened.length > 0 ? opened : collections.value.filter((each) => each.name === name)
  return known.length > 0 && known.every(({ size }) => size === 0)
}

/** The time of the world in view, in milliseconds since 1970. */
export const worldTime: ReadonlySignal<number> = computed(() =>
  viewed.value ? Date.parse(viewed.value.now) : Date.now(),
)

/** The time of the world in view, if its clock is stopped or more than a day from the present. */
export const movedTime: ReadonlySignal<number | undefined> = computed(() =>
  viewed.value?.frozen || Math.abs(worldTime.value - Date.now()) > 86_400_000 ? worldTime.value : undefined,
)

/** The number of faults that still apply to the world in view. */
export const activeFaults: ReadonlySignal<number> = computed(
  () => faults.value.filter((each) => !isOver(each) && (each.key ?? world.value) === world.value).length,
)

/** Whether a fault has reached its maximum number of requests. */
export function isOver({ times, struck }: Fault): boolean {
  return times !== undefined && struck >= times
}

/** The called address: a path of the sandbox, or the URL of the receiver of a callback. */
export function calledBy({ sent, environment, request }: Exchange): string {
  return sent && sent.url !== '' ? (sent.url.split('?')[0] ?? '') : mountOf(environment) + request.path
}

/** The status; 0 of an outgoing call that got no answer, and a dash of one that was not sent. */
export function statusOf({ sent, response }: Exchange): number | string {
  return sent?.attempt === 0 ? '–' : response.status
}

/** The ids of the faults that hit a request. */
export function faultsOf({ notes }: Exchange): string[] {
  return notes.flatMap((note) => /^fault ([^:]+): /.exec(note)?.[1]?.split(', ') ?? [])
}

/** The mount of an environment. */
export function mountOf(name: string | undefined): string {
  return about.value?.environments.find((each) => each.name === name)?.mount ?? ''
}

/** Keys that the user entered for worlds with hidden keys. Only this tab keeps them. */
const typed: Signal<Record<string, string>> = signal(JSON.parse(sessionStorage.getItem('sandbox-keys') ?? '{}'))

/** Whether somebody entered the key of a world. */
export function isTypedKey(id: string): boolean {
  return Object.hasOwn(typed.value, id)
}

/** Keeps the key of a world, or forgets it. @throws Error for the key of another world */
export async function rememberKey(id: string, key: string | undefined): Promise<void> {
  const name = key === undefined ? undefined : await nameIn(key, id)
  if (key !== undefined && name === undefined)
    throw new Error(`This is not the key of the world ${id}: it opens another one`)
  const { [id]: _, ...others } = typed.value
  typed.value = name === undefined ? others : { ...others, [id]: name }
  sessionStorage.setItem('sandbox-keys', JSON.stringify(typed.value))
}

/** What names a world in a key, by the hash that is its id. Without HTTPS on another machine, and of tokens, the whole key. */
async function nameIn(key: string, id: string): Promise<string | undefined> {
  const { subtle } = crypto as { subtle?: SubtleCrypto }
  if (!subtle || /^(eyJ|sbx_)/.test(key)) return key
  // A user and a password open the world of the user, or of both with listed keys.
  for (const part of [key, ...key.split(/:(.*)/s), key.replace(':', '\n')]) {
    const hash = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(part)))
    if (
      [...hash]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join('')
        .startsWith(id)
    )
      return part.replace('\n', ':')
  }
  return undefined
}

/** The key of a world, if it is known: default keys of the sandbox are their own ids. */
export function keyOf(id: string): string | undefined {
  if (/^sandbox(-[A-Za-z0-9._-]{1,64})?$/.test(id)) return id
  return about.value?.keys.find((each) => each.id === id)?.key ?? typed.value[id]
}

/** Loads the facts about the document and the sandbox. */
export async function loadAll(): Promise<void> {
  try {
    const [aboutNow, collectionsNow] = await Promise.all([get<About>('/about'), get<Collection[]>('/collections')])
    about.value = aboutNow
    collections.value = collectionsNow
    if (world.value === '') world.value = aboutNow.keys[0]?.id ?? 'sandbox'
    if (!aboutNow.environments.some(({ name }) => name === environment.value))
      environment.value = aboutNow.environments[0]?.name ?? ''
    document.title = `${aboutNow.title} · inspector`
    await loadLists()
    failure.value = ''
    isReady.value = true
  } catch (error) {
    if (!needsToken.value) failure.value = (error as Error).message
  }
}

export async function loadWorlds(): Promise<void> {
  const [page, keysNow] = await Promise.all([get<{ worlds: World[] }>('/worlds?limit=1000'), get<Key[]>('/keys')])
  keys.value = keysNow
  worlds.value = page.worlds
  // The world was created again.
  if (worlds.value.some(({ id }) => id === removed.value)) removed.value = ''
  isWorldGone.value = removed.value === world.value || (await isGone(world.value))
}

/** The id of the world in view, if another client has removed it. Reading from it would create it again. */
const removed: Signal<string> = signal('')

export function markRemoved(id: string): void {
  if (id !== world.value) return
  removed.value = id
  isWorldGone.value = true
}

/** Asks the sandbox, because a key without requests also opens a world. */
async function isGone(id: string): Promise<boolean> {
  if (id === '' || [...worlds.value, ...keys.value].some((each) => each.id === id)) return false
  try {
    await get(`/worlds/${encode(id)}`)
    return false
  } catch (error) {
    return error instanceof ControlError && error.status === 404
  }
}

/** Switches to another world. */
export function lookAt(id: string): void {
  removed.value = ''
  world.value = id
  isWorldGone.value = false
  void Promise.all([loadWorlds(), loadOperations()]).catch(() => {})
}

export async function loadOperations(): Promise<void> {
  const query = world.value === '' ? '' : `?key=${encode(world.value)}`
  // A removed world has no statuses.
  operations.value = await get<Operation[]>(`/operations${query}`).catch(() => get<Operation[]>('/operations'))
}

let faultReads = 0

/** Of reads that overlap, the last one counts: the answer to an earlier one may arrive after it. */
export async function loadFaults(): Promise<void> {
  const read = ++faultReads
  const all = await get<Fault[]>('/faults')
  if (read === faultReads) faults.value = all
}

/** Begins the names of the snapshots with which this page undoes changes of worlds. */
export const undoPrefix: string = 'before-change '

export async function loadSnapshots(): Promise<void> {
  const all = await get<Snapshot[]>('/snapshots')
  snapshots.value = all.filter(({ name }) => !name.startsWith(undoPrefix))
}

/** Reloads data that other clients may have changed. */
export async function refresh(): Promise<void> {
  dataVersion.value++
  await loadLists()
}

/** Reloads data that requests change, except records: opened worlds, statuses, counts of faults. */
export async function loadLists(): Promise<void> {
  await Promise.all([loadWorlds(), loadOperations(), loadFaults(), loadSnapshots()])
}

/** The next exchange that is meant; undefined if none arrives in time. */
export function nextExchange(isMeant: (exchange: Exchange) => boolean, waitMs: number): Promise<Exchange | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, waitMs)
    const stop = exchanges.subscribe((all) => {
      if (all.some(isMeant)) queueMicrotask(end)
    })
    function end(): void {
      clearTimeout(timer)
      stop()
      resolve(exchanges.value.find(isMeant))
    }
  })
}

/** Equal to the limit of the journal. */
const maxExchanges = 1000

/** Adds new exchanges, and makes views reload data that they may have changed. Those with known ids are described again. */
export function addExchanges(added: Exchange[]): void {
  const known = new Map(exchanges.value.map((each) => [each.id, each]))
  // The ids of a new journal start at 1 again.
  if (added.some(({ id, at }) => (known.get(id)?.at ?? at) !== at)) known.clear()
  for (const each of added) known.set(each.id, each)
  exchanges.value = [...known.values()].slice(-maxExchanges)
  if (added.some(({ request }) => !['GET', 'HEAD', 'OPTIONS'].includes(request.method))) dataVersion.value++
}
