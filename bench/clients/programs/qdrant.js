/**
 * Qdrant: collections, points with vectors and payloads, filters, nearest points, payload indexes and aliases.
 * JSON in an envelope `{ result, status, time }`; collections are created by PUT with their name, reading with a
 * condition is a POST; a scroll goes on from the id that the page before names.
 */
import { QdrantClient } from '@qdrant/js-client-rest'

const name = 'seaweeds'
const other = 'quays'
const points = [
  { id: 101, vector: [1, 0, 0, 0.5], payload: { name: 'wrack', coast: 'north', depth: 2 } },
  { id: 205, vector: [0, 1, 0, 0.25], payload: { name: 'dulse', coast: 'west', depth: 5 } },
  { id: 309, vector: [0.5, 0.5, 0, 0], payload: { name: 'kelp', coast: 'north', depth: 12 } },
  { id: 412, vector: [0, 0, 1, 0], payload: { name: 'laver', coast: 'south', depth: 1 } },
  { id: 518, vector: [0.25, 0, 0.75, 0], payload: { name: 'tangle', coast: 'west', depth: 9 } },
  { id: 627, vector: [0, 0.5, 0, 1], payload: { name: 'sargassum', coast: 'north', depth: 20 } },
  { id: 733, vector: [-1, 0, 0, 0], payload: { name: 'carrageen', coast: 'west', depth: 3 } },
]
const ids = points.map(({ id }) => id)
const isWest = { key: 'coast', match: { value: 'west' } }

export default {
  connect: ({ address }) => new QdrantClient({ url: address(), checkCompatibility: false, timeout: 5000 }),
  steps: [
    {
      name: 'create a collection',
      does: 'Creates an empty collection with the configuration that is sent, and defaults for the rest.',
      source: 'PUT and GET /collections/{collection_name}; CollectionInfo; CollectionParams: shard_number default 1',
      needs: 'overlay',
      class: 'paths',
      async run({ client, check }) {
        const sent = { vectors: { size: 4, distance: 'Dot' }, hnsw_config: { m: 24 } }
        check.equal(await client.createCollection(name, sent), true, 'the answer', 'first-state')
        const { config, ...info } = await client.getCollection(name)
        const { size, distance } = config?.params?.vectors ?? {}
        check.wrong.equal([size, distance], [4, 'Dot'], 'size and distance of the vectors', 'values')
        check.equal(config?.hnsw_config?.m, 24, 'hnsw_config.m', 'values')
        check.equal([info.status, info.optimizer_status], ['green', 'ok'], 'status', 'first-state')
        check.wrong.equal(info.points_count, 0, 'points_count', 'first-state')
        check.equal(info.payload_schema, {}, 'payload_schema', 'first-state')
        check.equal(config?.params?.shard_number, 1, 'shard_number', 'first-state')
      },
    },
    {
      name: 'list the collections',
      does: 'Names each collection once; one that was not created does not exist.',
      source:
        'GET /collections: "Get list name of all existing collections"; GET /collections/{collection_name}/exists',
      needs: 'document',
      class: 'paths',
      follows: ['create a collection'],
      async run({ client, check }) {
        check.wrong.equal(await client.collectionExists(other), { exists: false }, 'the second one before', 'state')
        await client.createCollection(other, { vectors: { size: 2, distance: 'Manhattan' } })
        check.wrong.equal(await client.collectionExists(other), { exists: true }, 'the second one after', 'state')
        const { collections } = await client.getCollections()
        const listed = collections.map((collection) => collection.name)
        const times = [name, other].map((each) => listed.filter((collection) => collection === each).length)
        check.wrong.equal(times, [1, 1], 'how often each is listed')
        check.wrong(!listed.includes('anchors'), 'one that was not created is not listed', 'state')
      },
    },
    {
      name: 'write points and read them',
      does: 'Each point can be read by its id with its vector and payload; the collection counts them.',
      source: 'PUT /collections/{collection_name}/points: "Perform insert + updates on points."; POST …/points',
      needs: 'more',
      class: 'keys-in-bodies',
      async run({ client, check }) {
        const written = await client.upsert(name, { wait: true, points })
        check.equal(written.status, 'completed', 'status of the operation', 'jobs')
        check(Number.isInteger(written.operation_id), `operation_id (${written.operation_id})`, 'first-state')
        const read = await client.retrieve(name, { ids: [627, 205], with_vector: true })
        const shown = read.map(({ id, vector, payload }) => ({ id, vector, payload })).sort(byId)
        check.wrong.equal(shown, [points[1], points[5]], 'the points that are asked for')
        check.wrong.equal(await client.retrieve(name, { ids: [999] }), [], 'a point that does not exist')
        const [bare] = await client.retrieve(name, { ids: [309], with_payload: ['depth'] })
        check.equal(bare?.payload, { depth: 12 }, 'a part of the payload', 'filters')
        check.wrong.equal(await client.count(name), { count: 7 }, 'how many points there are', 'made-values')
        check.wrong.equal(await client.count(other), { count: 0 }, 'how many the other collection has', 'owners')
      },
    },
    {
      name: 'scroll through the points',
      does: 'Each point is on one page, by their ids; a page names the id of the next, the last page none.',
      source: 'POST …/points/scroll: "paginate over all points"; offset: "Start ID to read points from."',
      needs: 'overlay',
      class: 'pages',
      follows: ['write points and read them'],
      async run({ client, check }) {
        const pages = []
        let offset
        for (let page = 0; page < 20; page += 1) {
          const answer = await client.scroll(name, { limit: 3, ...(offset && { offset }) })
          pages.push(answer.points)
          offset = answer.next_page_offset
          if (!offset) break
        }
        const read = pages.map((page) => page.map(({ id }) => id))
        check.wrong.equal(read.flat().sort(), ids, 'the points of all pages, each once')
        check.equal(read, [ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)], 'the pages')
        const payloads = pages.flat().map(({ payload }) => payload)
        check.wrong.equal(
          payloads,
          points.map(({ payload }) => payload),
          'the payloads',
          'values',
        )
      },
    },
    {
      name: 'filter the points',
      does: 'Scrolls through and counts exactly the points with a payload that matches.',
      source:
        'POST …/points/scroll and …/points/count: "points which matches given filtering condition"; Filter, Range',
      needs: 'more',
      class: 'filters',
      follows: ['write points and read them'],
      async run({ client, check }) {
        const scroll = async (filter) => (await client.scroll(name, { filter, limit: 50 })).points.map(({ id }) => id)
        const isNorth = { key: 'coast', match: { value: 'north' } }
        const isDeep = { key: 'depth', range: { gte: 10 } }
        check.wrong.equal(await scroll({ must: [isNorth, isDeep] }), [309, 627], 'two conditions')
        check.wrong.equal(await scroll({ must_not: [isNorth, isWest] }), [412], 'neither of two conditions')
        check.wrong.equal(await scroll({ should: [isDeep, isWest] }), [205, 309, 518, 627, 733], 'one of two')
        const any = { must: [{ key: 'coast', match: { any: ['south', 'west'] } }] }
        check.wrong.equal(await client.count(name, { filter: any }), { count: 4 }, 'the count for two values')
      },
    },
    {
      name: 'find the nearest points',
      does: 'Answers the points with the highest dot product, the best first, with their scores.',
      source: 'POST …/points/query: "Universally query points."; ScoredPoint: score, version; Distance: Dot',
      needs: 'more',
      class: 'searches',
      follows: ['write points and read them'],
      async run({ client, check }) {
        const query = [1, 0.5, 0, 0]
        const best = await client.query(name, { query, limit: 3, with_payload: true })
        const found = best.points.map(({ id, score }) => [id, score])
        check.wrong.equal(
          found,
          [
            [101, 1],
            [309, 0.75],
            [205, 0.5],
          ],
          'ids and scores',
        )
        check.equal(best.points[1]?.payload, points[2].payload, 'the payload', 'values')
        check(Number.isInteger(best.points[0]?.version), 'the version of a point', 'first-state')
        const western = await client.query(name, { query, limit: 5, filter: { must: [isWest] } })
        check.wrong.equal(
          western.points.map(({ id }) => id),
          [205, 518, 733],
          'with a filter',
          'filters',
        )
        const close = await client.query(name, { query, limit: 5, score_threshold: 0.6 })
        check.wrong.equal(
          close.points.map(({ id }) => id),
          [101, 309],
          'with a threshold',
          'filters',
        )
      },
    },
    {
      name: 'index parts of the payload',
      does: 'The schema names each index; points can be ordered by it or counted for each value.',
      source: 'PUT …/index, DELETE …/index/{field_name}; payload_schema; order_by; POST …/facet',
      needs: 'more',
      class: 'paths',
      follows: ['write points and read them'],
      async run({ client, check }) {
        const schema = async () => (await client.getCollection(name)).payload_schema
        check.wrong.equal((await schema())?.depth, undefined, 'the schema before', 'state')
        const index = { field_name: 'depth', field_schema: 'integer', wait: true }
        check.equal((await client.createPayloadIndex(name, index)).status, 'completed', 'status', 'jobs')
        await client.createPayloadIndex(name, { field_name: 'coast', field_schema: 'keyword', wait: true })
        const { depth, coast } = (await schema()) ?? {}
        check.wrong.equal([depth?.data_type, coast?.data_type], ['integer', 'keyword'], 'the schema after')
        const sorted = await client.scroll(name, { limit: 3, order_by: { key: 'depth', direction: 'desc' } })
        check.wrong.equal(
          sorted.points.map(({ id }) => id),
          [627, 309, 518],
          'the deepest first',
          'filters',
        )
        const { hits } = await client.facet(name, { key: 'coast' })
        const counts = Object.fromEntries(hits.map(({ value, count }) => [value, count]))
        check.wrong.equal(counts, { north: 3, west: 3, south: 1 }, 'the points of each coast', 'made-values')
        await client.deletePayloadIndex(name, 'coast')
        check.wrong.equal(Object.keys((await schema()) ?? {}), ['depth'], 'the schema at the end', 'deletion')
      },
    },
    {
      name: 'set and delete a part of the payload',
      does: 'Sets keys of the points that are named or match, and keeps the other keys; then deletes one key.',
      source: 'POST …/points/payload: "Set payload values for points"; …/delete: "Delete specified key payload"',
      needs: 'more',
      class: 'put-as-update',
      follows: ['write points and read them'],
      async run({ client, check }) {
        const payloadOf = async (id) => (await client.retrieve(name, { ids: [id] }))[0]?.payload
        await client.setPayload(name, { points: [205], payload: { depth: 6, tested: true }, wait: true })
        const set = { name: 'dulse', coast: 'west', depth: 6, tested: true }
        check.wrong.equal(await payloadOf(205), set, 'the payload with two keys set')
        const filter = { must: [{ key: 'depth', range: { gte: 12 } }] }
        await client.setPayload(name, { filter, payload: { zone: 'deep' }, wait: true })
        check.wrong.equal((await payloadOf(627))?.zone, 'deep', 'a point that matches', 'filters')
        check.wrong.equal((await payloadOf(518))?.zone, undefined, 'a point that does not match', 'filters')
        await client.deletePayload(name, { points: [205], keys: ['tested'], wait: true })
        const left = { name: 'dulse', coast: 'west', depth: 6 }
        check.wrong.equal(await payloadOf(205), left, 'the payload without the deleted key')
      },
    },
    {
      name: 'replace a payload, a vector and a point',
      does: 'A payload is replaced as a whole, a vector keeps the payload; a point with a known id is overwritten.',
      source: 'PUT …/points/payload: "Replace full payload"; …/vectors; PUT …/points: "it will be overwritten"',
      needs: 'more',
      class: 'keys-in-bodies',
      follows: ['write points and read them'],
      async run({ client, check }) {
        const read = async (id) => (await client.retrieve(name, { ids: [id], with_vector: true }))[0]
        await client.overwritePayload(name, { points: [412], payload: { name: 'nori' }, wait: true })
        const { payload, vector } = (await read(412)) ?? {}
        check.wrong.equal([payload, vector], [{ name: 'nori' }, [0, 0, 1, 0]], 'the replaced payload', 'values')
        await client.updateVectors(name, { points: [{ id: 733, vector: [0, 2, 0, 0] }], wait: true })
        const moved = (await read(733)) ?? {}
        check.wrong.equal([moved.vector, moved.payload], [[0, 2, 0, 0], points[6].payload], 'the replaced vector')
        const batch = { ids: [518], vectors: [[0, 0, 0, 4]], payloads: [{ name: 'oarweed', coast: 'west' }] }
        await client.upsert(name, { wait: true, batch })
        const overwritten = (await read(518)) ?? {}
        const expected = [[0, 0, 0, 4], { name: 'oarweed', coast: 'west' }]
        check.wrong.equal([overwritten.vector, overwritten.payload], expected, 'the overwritten point')
        check.wrong.equal(await client.count(name), { count: 7 }, 'how many points there are', 'state')
      },
    },
    {
      name: 'change the collection',
      does: 'Changes the parameters that are named, and keeps the others and the points.',
      source: 'PATCH /collections/{collection_name}: "Update parameters of the existing collection"; OptimizersConfig',
      needs: 'overlay',
      class: 'spelling',
      follows: ['create a collection'],
      async run({ client, check }) {
        const before = await client.getCollection(name)
        check.wrong(before.config?.optimizer_config?.indexing_threshold !== 31_000, 'another threshold before', 'state')
        const changes = { optimizers_config: { indexing_threshold: 31_000 }, params: { on_disk_payload: false } }
        check.equal(await client.updateCollection(name, changes), true, 'the answer', 'first-state')
        const { config } = await client.getCollection(name)
        check.wrong.equal(config?.optimizer_config?.indexing_threshold, 31_000, 'indexing_threshold')
        check.equal(config?.params?.on_disk_payload, false, 'on_disk_payload', 'values')
        check.wrong.equal([config?.params?.vectors?.size, config?.hnsw_config?.m], [4, 24], 'the rest', 'state')
      },
    },
    {
      name: 'give a collection an alias and move it',
      does: 'The alias stands for the collection in other requests, can be moved to another one, and be deleted.',
      source: 'POST /collections/aliases; GET /aliases; https://qdrant.tech/documentation/concepts/collections',
      needs: 'more',
      class: 'links',
      follows: ['write points and read them', 'list the collections'],
      async run({ client, check, fails }) {
        const alias = { alias_name: 'current' }
        const create = (collection) => ({ create_alias: { ...alias, collection_name: collection } })
        check.equal(
          await client.updateCollectionAliases({ actions: [create(name)] }),
          true,
          'the answer',
          'first-state',
        )
        const { aliases } = await client.getCollectionAliases(name)
        check.wrong.equal(aliases, [{ ...alias, collection_name: name }], 'the aliases of the collection')
        check.wrong.equal(await client.count('current'), { count: 7 }, 'the count by the alias', 'keys')
        await client.updateCollectionAliases({ actions: [{ delete_alias: alias }, create(other)] })
        check.wrong.equal(await client.getCollectionAliases(name), { aliases: [] }, 'the aliases after the move')
        const all = (await client.getAliases()).aliases.filter(({ alias_name: each }) => each === 'current')
        check.wrong.equal(all, [{ ...alias, collection_name: other }], 'the alias in the list of all')
        check.wrong.equal(await client.count('current'), { count: 0 }, 'the count by the moved alias', 'keys')
        await client.updateCollectionAliases({ actions: [{ delete_alias: alias }] })
        const error = await fails(() => client.count('current'))
        check.wrong.equal(error.status, 404, 'status for a deleted alias', 'deletion')
      },
    },
    {
      name: 'delete points',
      does: 'Deletes the points that are named, or that match; the others are still there.',
      source: 'POST …/points/delete: "Delete points"; PointsSelector: PointIdsList, FilterSelector',
      needs: 'more',
      class: 'deletion',
      follows: ['write points and read them'],
      async run({ client, check }) {
        const list = async () => (await client.scroll(name, { limit: 50 })).points.map(({ id }) => id)
        check.wrong.equal(await list(), ids, 'the points before', 'state')
        const deleted = await client.delete(name, { wait: true, points: [101] })
        check.equal(deleted.status, 'completed', 'status', 'jobs')
        check.wrong.equal(await client.retrieve(name, { ids: [101] }), [], 'the deleted point')
        await client.delete(name, { wait: true, filter: { must: [isWest] } })
        check.wrong.equal(await list(), [309, 412, 627], 'the points after')
        check.wrong.equal(await client.count(name), { count: 3 }, 'the count after', 'made-values')
      },
    },
    {
      name: 'delete the collection',
      does: 'The collection and its points are gone: 404, and the library throws its ApiError. The others are kept.',
      source: 'DELETE /collections/{collection_name}: "Drop collection and all associated data"; 4XX: ErrorResponse',
      needs: 'document',
      class: 'deletion',
      follows: ['create a collection'],
      async run({ client, check, fails }) {
        check.wrong.equal(await client.collectionExists(name), { exists: true }, 'before', 'state')
        check.equal(await client.deleteCollection(name), true, 'the answer')
        check.wrong.equal(await client.collectionExists(name), { exists: false }, 'after', 'state')
        const error = await fails(() => client.getCollection(name))
        check.wrong.equal(error.status, 404, `status of the ApiError (${error})`, 'errors')
        check.equal(typeof error.data?.status?.error, 'string', 'status.error of the body', 'errors')
        const ofPoints = await fails(() => client.scroll(name, { limit: 1 }))
        check.wrong.equal(ofPoints.status, 404, 'status of its points', 'state')
        check.wrong.equal(await client.collectionExists(other), { exists: true }, 'the other collection', 'state')
      },
    },
    {
      name: 'create a collection with an invalid distance',
      does: 'Refuses it with 400, the library throws its ApiError, and there is no such collection.',
      source:
        'PUT /collections/{collection_name}: Distance is one of Cosine, Euclid, Dot, Manhattan; 4XX: ErrorResponse',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() =>
          client.createCollection('wrecks', { vectors: { size: 4, distance: 'Sideways' } }),
        )
        check.wrong(error.status >= 400 && error.status < 500, `a status 4XX (${error.status})`, 'errors')
        check.equal(error.status, 400, 'status', 'errors')
        check.equal(typeof error.data?.status?.error, 'string', 'status.error of the body', 'errors')
        check.wrong.equal(await client.collectionExists('wrecks'), { exists: false }, 'the collection', 'state')
      },
    },
  ],
}

function byId(first, second) {
  return first.id - second.id
}
