/** Operations on the operations of the document: their effects, the statuses that occurred, and requests for them. */
import type { CollectionModel, Contract, Operation } from '../../contract/contract.js'
import { webhooksFollowing } from '../../contract/describe-webhooks.js'
import { describeChanges } from '../../contract/effects/describe-changes.js'
import { SandboxError, unknownName } from '../../contract/sandbox-error.js'
import { quote } from '../../contract/violations.js'
import { toJsonPointer } from '../../json/json-pointer.js'
import { getOrInsert } from '../../json/own-value.js'
import { createAuthenticate } from '../../sandbox/authenticate.js'
import { allCredentialReaders } from '../../sandbox/credentials/read-credentials.js'
import type { Keys } from '../../sandbox/credentials/valid-keys.js'
import { describe, type Sandbox } from '../../sandbox/facade/sandbox.js'
import { findWorld } from '../../sandbox/facade/world.js'
import type { SandboxRequest } from '../../sandbox/request/request.js'
import type { Worlds } from '../../sandbox/worlds.js'
import { createCollection } from '../../state/world-content.js'
import { hashIn, namesOf, noWorld, type WorldId } from '../../state/world-id.js'
import { type ControlHandlers, NotFound, Taken } from '../control-api.js'
import type { ControlOptions } from '../control-options.js'
import type { Inspected, RequestValues, WrittenRequest } from '../inspected.js'
import { toShownId } from '../kept.js'
import { mapInSlices } from '../slices.js'
import type { WorldsOfControl } from './world-routes.js'

type FindOperation = (id: unknown) => Operation

export function operationRoutes(
  contract: Contract,
  sandbox: Sandbox,
  worlds: WorldsOfControl,
  inspected: Inspected,
): ControlHandlers {
  const find: FindOperation = (id) => {
    const found = contract.operations.find((each) => each.id === id)
    if (!found) throw new NotFound(`There is no operation "${id}"; GET /_sandbox/operations lists them`)
    return found
  }
  return {
    ...descriptionRoutes(contract, sandbox, worlds, inspected, find),
    ...correctionRoutes(inspected, find),
    ...requestRoutes(contract, sandbox, worlds, inspected, find),
  }
}

/** What operations and collections are. */
function descriptionRoutes(
  contract: Contract,
  { exchanges, world: defaultWorld }: Sandbox,
  { find: findShown, isOf, toWorld, engine }: WorldsOfControl,
  inspected: Inspected,
  find: FindOperation,
): ControlHandlers {
  const empty = engine.factory.create(noWorld)

  async function metStatuses(world: unknown): Promise<Map<string, Set<number>>> {
    const isOwn = world === undefined ? () => true : await isOf(world)
    const met = new Map<string, Set<number>>()
    // Requests without valid credentials have no world, so they count for each.
    for (const exchange of await exchanges.list()) {
      const { operation, response, key } = exchange
      if (operation !== undefined && (key === undefined || isOwn(exchange)))
        getOrInsert(met, operation, () => new Set<number>()).add(response.status)
    }
    return met
  }

  return {
    async listOperations({ query }) {
      const met = await metStatuses(query['key'])
      const describe = (each: Operation) => describeOperation(contract, inspected, each, met.get(each.id))
      return [200, await mapInSlices(contract.operations, describe)]
    },
    async getOperation({ path, query }) {
      const operation = find(path['operation'])
      const { key } = query
      const met = await metStatuses(key)
      const world = key === undefined ? defaultWorld() : toWorld(await findShown(key))
      const form = await inspected.formOf(operation.id, world)
      return [200, { ...describeOperation(contract, inspected, operation, met.get(operation.id)), form }]
    },
    listOpenFacts: () => [200, inspected.openFacts()],
    getSample({ query: { pointer, name } }) {
      const value = inspected.sampleOf(String(pointer), name as string | undefined)
      if (value === undefined) throw new NotFound(`There is no schema at ${pointer} in /_sandbox/openapi.json`)
      return [200, { value }]
    },
    async listCollections() {
      const describe = (model: CollectionModel) => ({
        ...describeCollection(model, createCollection(empty, model.name, model.servers[0] ?? '').size, inspected),
        schema: toJsonPointer(contract.recordSchemas[model.record] ?? []),
      })
      return [200, await mapInSlices(contract.collections, describe)]
    },
  }
}

/** @param met the statuses of its answers so far */
function describeOperation(
  contract: Contract,
  inspected: Inspected,
  operation: Operation,
  met: ReadonlySet<number> = new Set(),
): object {
  const { id, method, path, effect, means, responses, servers, lifecycle } = operation
  const { deprecated, deprecatedSince, sunset, successor, stability } = lifecycle
  const explained = inspected.reasonOf(id)
  const does = describeChanges(effect)
  const summary = inspected.summaryOf(id)
  const place = inspected.locate(id)
  const tags = inspected.tagsOf(id)
  const sends = webhooksFollowing(contract, id)
  return {
    ...{ id, method, path, effect: means ?? effect.kind },
    ...('collection' in effect && { collection: effect.collection }),
    ...(does.length > 0 && { does }),
    ...(explained && { reason: explained.reason, sure: explained.sure }),
    ...(summary !== undefined && { summary }),
    ...(tags.length > 0 && { tags }),
    ...(sends.length > 0 && { sends }),
    environments: servers,
    deprecated,
    ...(deprecatedSince !== undefined && { deprecatedSince: new Date(deprecatedSince * 1000).toISOString() }),
    ...(sunset !== undefined && { sunset: new Date(sunset).toISOString() }),
    ...(successor && { successor: { method: successor.method, path: successor.path } }),
    ...(stability !== undefined && { stability }),
    canTry: inspected.canTry(id),
    ...(place && { file: place.file, line: place.line, pointer: place.pointer }),
    documented: responses.map(({ status }) => status),
    met: [...met].sort((one, other) => one - other),
  }
}

function describeCollection(
  { name, key, keyKind, servers, scope = [], hidden = [], links = [], sample }: CollectionModel,
  size: number,
  inspected: Inspected,
): object {
  return {
    ...{ name, path: inspected.pathOf(name), key, keyKind, environments: servers, size },
    sampled: sample !== undefined,
    scope: scope.map(({ property }) => property),
    openScope: scope.flatMap(({ property, isOpen }) => (isOpen ? property : [])),
    hidden,
    links: [
      ...links.map(({ collection, values, isOwner = false }) => ({
        collection,
        values: values.map(([own, other]) => ({ own, other })),
        isOwner,
      })),
      ...inspected.referencesOf(name).map(({ property, collection, key: other }) => ({
        collection,
        values: [{ own: property, other }],
        isOwner: false,
      })),
    ],
  }
}

function correctionRoutes(inspected: Inspected, find: FindOperation): ControlHandlers {
  const stored = 'With a store, a correction cannot be applied while the program runs; start it with the overlay'
  async function correct(id: unknown, effect?: object): Promise<readonly [204]> {
    const operation = find(id)
    if (!inspected.correct) throw new Taken(stored)
    await inspected.correct(operation.id, effect)
    return [204]
  }

  async function confirm(query: object, isRight: boolean): Promise<readonly [204]> {
    const { target, name } = query as { target: string; name: string }
    if (!inspected.confirm) throw new Taken(stored)
    if (await inspected.confirm(target, name, isRight)) return [204]
    throw new NotFound(`No open fact is confirmed by ${quote(name)} at ${quote(target)}`)
  }

  return {
    getOverlay: async ({ path }) => [200, await inspected.overlayOf(find(path['operation']).id)],
    tryCorrection: async ({ path, body }) => [
      200,
      await inspected.overlayOf(find(path['operation']).id, body.value as object),
    ],
    applyCorrection: ({ path, body }) => correct(path['operation'], body.value as object),
    withdrawCorrection: ({ path }) => correct(path['operation']),
    confirmOpenFact: ({ query }) => confirm(query, true),
    withdrawConfirmation: ({ query }) => confirm(query, false),
    getCorrections: async () => [200, await inspected.corrections()],
  }
}

/** Requests to send to this sandbox. */
function requestRoutes(
  contract: Contract,
  { defaultKey }: Sandbox,
  { findOrOpen, engine: { keys } }: WorldsOfControl,
  inspected: Inspected,
  find: FindOperation,
): ControlHandlers {
  // Like that of the engine, but it opens no world.
  const authenticate = createAuthenticate({
    ...{ contract, keys, credentialReaders: allCredentialReaders },
    worlds: { open: (id: WorldId) => id } as object as Worlds,
    render: () => ({ status: 401, code: 'unauthorized' }),
  })

  /** The world that a request opens, or its refusal. */
  function worldOf({ target, headers }: WrittenRequest, operation: Operation): unknown {
    const header = (wanted: string) => {
      const value = headers.find(({ name }) => name.toLowerCase() === wanted)?.value
      // Other characters are not sent as they are written here.
      return value && /^[\x20-\x7e]*$/.test(value) ? value.trim() : undefined
    }
    return authenticate({ query: target.split('?')[1] ?? '', header } as SandboxRequest, operation)
  }

  return {
    async writeRequest({ path, body }) {
      const operation = find(path['operation'])
      const { key, environment, parameters = {}, body: value, mediaType } = (body.value ?? {}) as Partial<RequestValues>
      if (environment !== undefined && !operation.servers.includes(environment))
        throw unknownName('environment', environment, operation.servers)
      const id = key === undefined ? findWorld(keys, defaultKey) : await findOrOpen(key)
      const { key: user, apiKey } = namesOf(id)
      const token = keys.issueToken?.(user, [apiKey ?? ''])
      // All ways to send them, beginning with what was given.
      for (const credentials of new Set([key ?? user, user, `${user}:${apiKey}`, `:${user}`, token ?? user])) {
        const values = { key: credentials, environment, parameters, body: value, mediaType }
        const written = inspected.write(operation.id, values)
        if (worldOf(written, operation) === id) return [200, written]
      }
      const why = hashIn(id) === undefined ? 'it cannot be sent' : 'the store has only a hash of it'
      throw new SandboxError('INVALID_OPTION', `The key of ${quote(key)} opens nothing with ${operation.id}: ${why}`)
    },
  }
}

/** Data for a new user: addresses, keys and a first request. */
export function aboutRoutes(
  sandbox: Sandbox,
  { idOf }: Pick<Keys, 'idOf'>,
  { version, writeCurl }: Pick<ControlOptions, 'version' | 'writeCurl'>,
): ControlHandlers {
  const { apiKeys, defaultKey, contract } = sandbox
  return {
    async getAbout(_, request) {
      const origin = `http://${request.header('host') ?? 'localhost'}`
      const { title, servers, keys, tokens } = describe(sandbox, origin)
      const mounts = new Map(contract.servers.map(({ name, mount }) => [name, mount]))
      return [
        200,
        {
          title,
          version,
          environments: servers.map(({ name, url }) => ({ name, url, mount: mounts.get(name) ?? '' })),
          about: keys,
          keys: (apiKeys ?? [defaultKey]).flatMap((key) => {
            const id = idOf(key)
            return id === undefined ? [] : { id: toShownId(id), key }
          }),
          credentialCookies: Object.values(contract.schemes).flatMap((scheme) =>
            scheme.kind === 'apiKey' && scheme.in === 'cookie' ? scheme.name : [],
          ),
          ...(tokens !== undefined && { tokens }),
          curl: await writeCurl(origin),
        },
      ]
    },
  }
}
