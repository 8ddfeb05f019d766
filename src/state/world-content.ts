/** Reads and replaces the content of a world, and undoes changes. */
import type { Change } from './change.js'
import type { KeptWebhook } from './kept-webhooks.js'
import type { Extras } from './stored-answers.js'
import { StoredCollection } from './stored-collection.js'
import type { Values } from './stored-record.js'
import type { StoredWorld } from './stored-world.js'

export interface OpenedCollection {
  name: string
  server: string
  collection: StoredCollection
}

/** Returns the collections that were used. */
export function openedCollections({ places, collections }: StoredWorld): OpenedCollection[] {
  return places.known.flatMap(({ index, name, server }) => {
    const collection = collections[index]
    return collection ? [{ name, server, collection }] : []
  })
}

/** Creates a collection with the records of the scenario, for `replaceAll`. @throws SandboxError like `StoredWorld.collection` */
export function createCollection({ places, log }: StoredWorld, name: string, server: string): StoredCollection {
  return new StoredCollection(places.find(name, server).context, log)
}

/** Replaces all content. Collections that are not given are reset to the scenario, and nothing is to be sent any more. */
export function replaceAll(world: StoredWorld, collections: readonly OpenedCollection[], extras?: Extras): void {
  const before = contentOf(world)
  world.collections = []
  world.extras = extras
  if (world.webhooks) world.webhooks = undefined
  for (const { name, server, collection } of collections) {
    world.collections[world.places.find(name, server).index] = collection
  }
  world.log.push({ kind: 'all', before, after: contentOf(world) })
}

/** Resets the data to the scenario, and the clock to its source. */
export function resetWorld(world: StoredWorld): void {
  replaceAll(world, [])
  world.clock.setOffset(0)
}

/** The content of a world, except its clock. */
type Content = Pick<StoredWorld, 'collections' | 'extras' | 'webhooks'>

function contentOf({ collections, extras, webhooks }: StoredWorld): Content {
  return { collections, extras, ...(webhooks && { webhooks }) }
}

/** Changes what a world has to send. @param after undefined: it is no longer to be sent */
export function putWebhook(world: StoredWorld, id: string, after: KeptWebhook | undefined): void {
  world.log.push({ kind: 'webhook', id, before: world.webhooks?.get(id), after })
  setWebhook(world, id, after)
}

function setWebhook(world: StoredWorld, id: string, after: KeptWebhook | undefined): void {
  if (after) {
    world.webhooks ??= new Map()
    world.webhooks.set(id, after)
  } else world.webhooks?.delete(id)
}

/** Undoes the newest changes of a world until `length` of them are left in its log. */
export function undoTo(world: StoredWorld, length: number): void {
  for (const change of world.log.splice(length).reverse()) undo(world, change)
}

function undo(world: StoredWorld, change: Change): void {
  const { kind } = change
  if ('collection' in change) world.collection(change.collection, change.server).undo(change)
  else if (kind === 'clock') world.clock.put(change.before)
  else if (kind === 'webhook') setWebhook(world, change.id, change.before)
  else if (kind === 'all') Object.assign(world, change.before)
  else if (kind === 'own') world.extras = { ...world.extras, own: change.before }
  else world.extras = undoKept(world.extras, change)
}

/** Replaces what overrides keep for themselves. */
export function putOwn(world: StoredWorld, after: Values | undefined): void {
  world.log.push({ kind: 'own', before: world.extras?.own, after })
  world.extras = { ...world.extras, own: after }
}

/** The files and answers before a change. */
function undoKept(kept: Extras = {}, change: Extract<Change, { kind: 'file' | 'answer' }>): Extras {
  if (change.kind === 'answer') {
    if (change.before) kept.answers?.set(change.before)
    else kept.answers?.delete(change.id)
    return kept
  }
  const files = new Map(kept.files)
  if (change.before === undefined) files.delete(change.path)
  else files.set(change.path, change.before)
  return { ...kept, files }
}
