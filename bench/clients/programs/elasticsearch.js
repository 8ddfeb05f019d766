/**
 * Elasticsearch: indices, documents, bulk, search, scroll, aliases, index templates and ingest pipelines.
 * JSON over REST with the media type application/vnd.elasticsearch+json, bulk as JSON lines; the caller names what is
 * created (PUT), documents have versions, and the library refuses an answer without the header X-Elastic-Product.
 */
import { Client, errors } from '@elastic/elasticsearch'

const index = 'buoys'
const properties = {
  name: { type: 'keyword' },
  area: { type: 'keyword' },
  depth: { type: 'integer' },
  note: { type: 'text' },
}
const dogger = { name: 'Dogger', area: 'north', depth: 31, note: 'A bell rings in heavy swell' }
const viking = { name: 'Viking', area: 'north', depth: 52, note: 'Painted yellow' }
const others = {
  fisher: { name: 'Fisher', area: 'north', depth: 44, note: 'Lantern replaced' },
  wight: { name: 'Wight', area: 'south', depth: 12, note: 'Close to the ferry lane' },
  thames: { name: 'Thames', area: 'south', depth: 9, note: 'Drifts at spring tide' },
  malin: { name: 'Malin', area: 'west', depth: 61, note: 'No lantern' },
  rockall: { name: 'Rockall', area: 'west', depth: 88, note: 'Seldom visited' },
}

export default {
  connect: ({ address }) =>
    new Client({ node: address(), auth: { apiKey: 'key' }, maxRetries: 0, requestTimeout: 5000 }),
  steps: [
    {
      name: 'create an index',
      does: 'The index exists afterwards, under its name, with the mapping that was sent.',
      source:
        'PUT and HEAD /{index}; GET /{index}/_mapping; https://www.elastic.co/guide/en/elasticsearch/reference/8.17',
      needs: 'overlay',
      class: 'headers',
      async run({ client, check }) {
        check.wrong.equal(await client.indices.exists({ index }), false, 'it exists before', 'state')
        const created = await client.indices.create({
          index,
          settings: { number_of_shards: 1 },
          mappings: { properties },
        })
        check.wrong.equal([created.acknowledged, created.index], [true, index], 'acknowledged and index', 'first-state')
        check.wrong.equal(await client.indices.exists({ index }), true, 'it exists after', 'state')
        const mapping = await client.indices.getMapping({ index })
        check.wrong.equal(mapping[index]?.mappings?.properties, properties, 'the mapping', 'paths')
        check.wrong.equal(await client.count({ index }).then(({ count }) => count), 0, 'count', 'first-state')
      },
    },
    {
      name: 'index documents and get them',
      does: 'Creates a document with the id of the path, or a made one, with version 1; _source is what was sent.',
      source:
        'PUT /{index}/_doc/{id}, POST /{index}/_doc: "To automatically generate a document ID"; GET /{index}/_doc/{id}',
      needs: 'overlay',
      class: 'envelopes',
      follows: ['create an index'],
      async run({ client, kept, check }) {
        const first = await client.index({ index, id: 'dogger', document: dogger })
        check.wrong.equal([first._index, first._id], [index, 'dogger'], '_index and _id', 'keys')
        check.wrong.equal([first.result, first._version], ['created', 1], 'result and _version', 'first-state')
        check.equal(first._shards?.failed, 0, '_shards.failed', 'first-state')
        const second = await client.index({ index, document: viking })
        check.wrong(typeof second._id === 'string' && second._id !== 'dogger', `a made id (${second._id})`, 'keys')
        check.equal(second.result, 'created', 'result of the second one', 'first-state')
        check(second._seq_no > first._seq_no, `_seq_no grows (${first._seq_no}, ${second._seq_no})`, 'made-values')
        kept.viking = second._id
        const read = await client.get({ index, id: 'dogger' })
        check.wrong.equal([read.found, read._version], [true, 1], 'found and _version')
        check.wrong.equal(read._source, dogger, '_source')
        const made = await client.get({ index, id: second._id })
        check.wrong.equal([made._id, made._source], [second._id, viking], 'the document with the made id', 'keys')
      },
    },
    {
      name: 'replace a document and update it',
      does: 'Each write counts the version; an index request replaces, an update merges; no change is a noop.',
      source: 'PUT …/_doc/{id}: "increments its version"; POST /{index}/_update/{id}: doc, detect_noop; Result: noop',
      needs: 'more',
      class: 'put-as-update',
      follows: ['index documents and get them'],
      async run({ client, check }) {
        const source = async () => (await client.get({ index, id: 'dogger' }))._source
        const document = { name: 'Dogger', area: 'north', depth: 33 }
        const replaced = await client.index({ index, id: 'dogger', document })
        check.wrong.equal(replaced.result, 'updated', 'result of the replacement', 'actions')
        check.equal(replaced._version, 2, '_version of the replacement', 'made-values')
        check.wrong.equal(await source(), document, 'the replaced document')
        const updated = await client.update({ index, id: 'dogger', doc: { depth: 35, lit: true } })
        check.wrong.equal(updated.result, 'updated', 'result of the update', 'actions')
        check.equal(updated._version, 3, '_version of the update', 'made-values')
        check.wrong.equal(await source(), { ...document, depth: 35, lit: true }, 'the updated document')
        const same = await client.update({ index, id: 'dogger', doc: { depth: 35 } })
        check.equal([same.result, same._version], ['noop', 3], 'result and _version without a change', 'idempotency')
      },
    },
    {
      name: 'write in bulk and read several',
      does: 'Each line has its own result. Reading several says for each id whether it is found, in their order.',
      source: 'POST /{index}/_bulk: "newline delimited JSON (NDJSON)"; POST /{index}/_mget: ids; POST /{index}/_count',
      needs: 'more',
      class: 'media-types',
      follows: ['index documents and get them'],
      async run({ client, check }) {
        const operations = Object.entries(others).flatMap(([_id, document]) => [{ index: { _id } }, document])
        const written = await client.bulk({ index, refresh: true, operations })
        check.wrong.equal(written.errors, false, 'errors')
        const items = written.items?.map((item) => [item.index?._id, item.index?.result, item.index?.status])
        check.equal(
          items,
          Object.keys(others).map((id) => [id, 'created', 201]),
          'the items',
          'made-values',
        )
        const { docs } = await client.mget({ index, ids: ['malin', 'nowhere', 'wight'] })
        const read = docs.map(({ _id, found, _source }) => [_id, found, _source])
        const expected = [
          ['malin', true, others.malin],
          ['nowhere', false, undefined],
          ['wight', true, others.wight],
        ]
        check.wrong.equal(read, expected, 'the documents that are asked for', 'keys-in-bodies')
        check.wrong.equal((await client.count({ index })).count, 7, 'count', 'made-values')
        const west = await client.count({ index, query: { term: { area: 'west' } } })
        check.wrong.equal(west.count, 2, 'count of an area', 'filters')
      },
    },
    {
      name: 'search the documents',
      does: 'Finds what matches, in the order that is asked for, with the chosen fields, the total and aggregations.',
      source: 'POST /{index}/_search: "Get search hits that match the query"; HitsMetadata: total; aggregations',
      needs: 'more',
      class: 'searches',
      follows: ['write in bulk and read several'],
      async run({ client, kept, check }) {
        const filter = [{ term: { area: 'north' } }, { range: { depth: { gte: 40 } } }]
        const query = { bool: { filter } }
        const deep = await client.search({ index, query, sort: [{ depth: 'desc' }], _source: ['name'] })
        const found = deep.hits.hits.map(({ _id, _source }) => [_id, _source])
        check.wrong.equal(
          found,
          [
            [kept.viking, { name: 'Viking' }],
            ['fisher', { name: 'Fisher' }],
          ],
          'the hits',
          'filters',
        )
        check.equal(deep.hits.total, { value: 2, relation: 'eq' }, 'total', 'made-values')
        check.equal([deep.timed_out, deep._shards?.failed], [false, 0], 'timed_out and _shards.failed', 'first-state')
        const words = await client.search({ index, query: { match: { note: 'lantern' } } })
        check.wrong.equal(words.hits.hits.map(({ _id }) => _id).sort(), ['fisher', 'malin'], 'the hits for a word')
        const second = await client.search({ index, sort: ['depth'], from: 2, size: 2 })
        check.wrong.equal(
          second.hits.hits.map(({ _id }) => _id),
          ['dogger', 'fisher'],
          'the second page',
          'pages',
        )
        const aggs = { areas: { terms: { field: 'area' } }, deepest: { max: { field: 'depth' } } }
        const { aggregations, hits } = await client.search({ index, size: 0, aggs })
        check.equal(hits.hits, [], 'hits with size 0', 'pages')
        const counts = aggregations?.areas?.buckets?.map((bucket) => [bucket.key, bucket.doc_count]) ?? []
        check.wrong.equal(Object.fromEntries(counts), { north: 3, south: 2, west: 2 }, 'the areas', 'made-values')
        check.equal(aggregations?.deepest?.value, 88, 'the deepest', 'made-values')
      },
    },
    {
      name: 'scroll through the documents',
      does: 'Each page goes on from the scroll id; each document is on one page; the last page is empty.',
      source: 'POST /{index}/_search: scroll; POST /_search/scroll: "retrieve the next batch of results"; DELETE',
      needs: 'more',
      class: 'pages',
      follows: ['write in bulk and read several'],
      async run({ client, check }) {
        const pages = []
        const options = { maxRetries: 0, wait: 10 }
        for await (const { body } of client.helpers.scrollSearch({ index, size: 3, sort: ['depth'] }, options)) {
          pages.push(body.hits.hits.map(({ _source }) => _source.name))
          if (pages.length >= 20) break
        }
        const expected = [['Thames', 'Wight', 'Dogger'], ['Fisher', 'Viking', 'Malin'], ['Rockall']]
        check.wrong.equal(pages.flat().sort(), expected.flat().sort(), 'the documents of all pages, each once')
        check.equal(pages, expected, 'the pages')
      },
    },
    {
      name: 'change the mapping and the settings',
      does: 'A new field is added to the others; a setting is changed, and read as a text under `index`.',
      source: 'PUT /{index}/_mapping: "Add new fields to an existing … index"; PUT and GET /{index}/_settings',
      needs: 'more',
      class: 'put-as-update',
      follows: ['create an index'],
      async run({ client, check }) {
        const mapping = async () => (await client.indices.getMapping({ index }))[index]?.mappings?.properties
        check.wrong.equal((await mapping())?.colour, undefined, 'the field before', 'state')
        const added = await client.indices.putMapping({ index, properties: { colour: { type: 'keyword' } } })
        check.equal(added.acknowledged, true, 'acknowledged', 'first-state')
        const { colour, depth, name } = (await mapping()) ?? {}
        check.wrong.equal(colour, { type: 'keyword' }, 'the added field')
        check.wrong.equal([depth, name], [{ type: 'integer' }, { type: 'keyword' }], 'fields from before', 'state')
        await client.indices.putSettings({ index, settings: { refresh_interval: '45s' } })
        const settings = (await client.indices.getSettings({ index }))[index]?.settings?.index
        check.wrong.equal(settings?.refresh_interval, '45s', 'refresh_interval')
        check.equal(settings?.number_of_shards, '1', 'number_of_shards', 'made-values')
      },
    },
    {
      name: 'give the index an alias and take it away',
      does: 'The alias stands for the index in other requests, until it is removed.',
      source: 'POST /_aliases: "Adds a data stream or index to an alias."; HEAD and GET /_alias/{name}',
      needs: 'more',
      class: 'links',
      follows: ['write in bulk and read several'],
      async run({ client, check, fails }) {
        const alias = 'marks'
        check.wrong.equal(await client.indices.existsAlias({ name: alias }), false, 'it exists before', 'state')
        const answer = await client.indices.updateAliases({ actions: [{ add: { index, alias } }] })
        check.equal(answer.acknowledged, true, 'acknowledged', 'first-state')
        check.wrong.equal(await client.indices.existsAlias({ name: alias }), true, 'it exists then', 'state')
        const aliases = await client.indices.getAlias({ name: alias })
        check.wrong.equal(aliases, { [index]: { aliases: { [alias]: {} } } }, 'the index of the alias')
        const read = await client.get({ index: alias, id: 'malin' })
        check.wrong.equal([read._index, read._source], [index, others.malin], 'a document by the alias', 'keys')
        check.wrong.equal((await client.count({ index: alias })).count, 7, 'count by the alias', 'keys')
        await client.indices.updateAliases({ actions: [{ remove: { index, alias } }] })
        check.wrong.equal(await client.indices.existsAlias({ name: alias }), false, 'it exists after', 'state')
        const error = await fails(() => client.get({ index: alias, id: 'malin' }))
        check.wrong.equal(error.statusCode, 404, 'status of a document by the removed alias', 'deletion')
      },
    },
    {
      name: 'make indices from a template',
      does: 'A new index with a name that matches gets the mapping and settings; a deleted template is gone.',
      source: 'PUT, GET, HEAD, DELETE /_index_template/{name}: "Elasticsearch applies templates to new indices"',
      needs: 'more',
      class: 'made-values',
      async run({ client, check }) {
        const template = {
          mappings: { properties: { hull: { type: 'keyword' } } },
          settings: { number_of_replicas: 0 },
        }
        const sent = { index_patterns: ['wreck-*'], priority: 250, version: 4 }
        const answer = await client.indices.putIndexTemplate({ name: 'wrecks', ...sent, template })
        check.equal(answer.acknowledged, true, 'acknowledged', 'first-state')
        const { index_templates: templates } = await client.indices.getIndexTemplate({ name: 'wrecks' })
        check.wrong.equal(
          templates?.map(({ name }) => name),
          ['wrecks'],
          'the templates of the name',
          'envelopes',
        )
        const { index_patterns, priority, version } = templates?.[0]?.index_template ?? {}
        check.equal({ index_patterns, priority, version }, sent, 'what was sent', 'values')
        await client.indices.create({ index: 'wreck-1' })
        const mapping = await client.indices.getMapping({ index: 'wreck-1' })
        check.wrong.equal(mapping['wreck-1']?.mappings, template.mappings, 'the mapping of the new index')
        const settings = (await client.indices.getSettings({ index: 'wreck-1' }))['wreck-1']?.settings?.index
        check.equal(settings?.number_of_replicas, '0', 'number_of_replicas of the new index')
        await client.indices.deleteIndexTemplate({ name: 'wrecks' })
        const isThere = await client.indices.existsIndexTemplate({ name: 'wrecks' })
        check.wrong.equal(isThere, false, 'the template exists after', 'deletion')
      },
    },
    {
      name: 'index a document through a pipeline',
      does: 'The pipeline is kept as it was sent, and its processors change the document; a deleted one is not found.',
      source:
        'PUT, GET, DELETE /_ingest/pipeline/{id}: "Changes made using this API take effect immediately."; pipeline',
      needs: 'more',
      class: 'made-values',
      async run({ client, check, fails }) {
        const processors = [{ set: { field: 'origin', value: 'radio' } }, { uppercase: { field: 'area' } }]
        const sent = { description: 'Marks what came by radio', processors }
        const answer = await client.ingest.putPipeline({ id: 'radio', ...sent })
        check.equal(answer.acknowledged, true, 'acknowledged', 'first-state')
        const { radio } = await client.ingest.getPipeline({ id: 'radio' })
        const { description, processors: read } = radio ?? {}
        check.wrong.equal({ description, processors: read }, sent, 'the pipeline', 'envelopes')
        const document = { text: 'Fog in the west', area: 'west' }
        await client.index({ index: 'signals', id: 's-1', document, pipeline: 'radio' })
        const { _source: source } = await client.get({ index: 'signals', id: 's-1' })
        check.wrong.equal(source?.text, 'Fog in the west', 'the text', 'values')
        check.equal([source?.origin, source?.area], ['radio', 'WEST'], 'what the processors changed')
        await client.ingest.deletePipeline({ id: 'radio' })
        const error = await fails(() => client.ingest.getPipeline({ id: 'radio' }))
        check.wrong.equal(error.statusCode, 404, 'status of the deleted pipeline', 'deletion')
      },
    },
    {
      name: 'delete documents',
      does: 'A deleted document answers 404 with found: false (ResponseError); a query deletes many.',
      source: 'DELETE and HEAD /{index}/_doc/{id}; GetResult: found; POST /{index}/_delete_by_query: deleted',
      needs: 'more',
      class: 'deletion',
      follows: ['write in bulk and read several'],
      async run({ client, check, fails }) {
        const key = { index, id: 'rockall' }
        check.wrong.equal(await client.exists(key), true, 'it exists before', 'state')
        const deleted = await client.delete({ ...key, refresh: true })
        check.wrong.equal([deleted._id, deleted.result], ['rockall', 'deleted'], '_id and result')
        check.equal(deleted._version, 2, '_version', 'made-values')
        check.wrong.equal(await client.exists(key), false, 'it exists after', 'state')
        const error = await fails(() => client.get(key))
        check.wrong(error instanceof errors.ResponseError, `ResponseError (${error})`, 'errors')
        check.wrong.equal(error.statusCode, 404, 'statusCode', 'errors')
        check.equal([error.body?.found, error.body?._id], [false, 'rockall'], 'found and _id of the body', 'errors')
        const many = await client.deleteByQuery({ index, refresh: true, query: { term: { area: 'south' } } })
        check.equal([many.deleted, many.failures], [2, []], 'deleted and failures', 'filters')
        check.wrong.equal((await client.count({ index })).count, 4, 'count after', 'made-values')
        check.wrong.equal(await client.exists({ index, id: 'malin' }), true, 'another one exists after', 'state')
      },
    },
    {
      name: 'delete the index',
      does: 'The index, its mapping and its documents are gone: ResponseError with the type of the error.',
      source:
        'DELETE /{index}: "Deleting an index deletes its documents, shards, and metadata."; index_not_found_exception',
      needs: 'overlay',
      class: 'deletion',
      follows: ['create an index'],
      async run({ client, check, fails }) {
        check.wrong.equal(await client.indices.exists({ index }), true, 'it exists before', 'state')
        check.equal((await client.indices.delete({ index })).acknowledged, true, 'acknowledged')
        check.wrong.equal(await client.indices.exists({ index }), false, 'it exists after', 'state')
        const error = await fails(() => client.indices.getMapping({ index }))
        check.wrong(error instanceof errors.ResponseError, `ResponseError (${error})`, 'errors')
        check.wrong.equal(error.statusCode, 404, 'statusCode', 'errors')
        check.equal(error.body?.error?.type, 'index_not_found_exception', 'type of the error', 'errors')
        const ofDocument = await fails(() => client.get({ index, id: 'malin' }))
        check.wrong.equal(ofDocument.statusCode, 404, 'status of its documents', 'state')
      },
    },
    {
      name: 'create an index with an invalid name',
      does: 'Refuses a name with capitals with 400 and the type of the error, and the library throws ResponseError.',
      source: 'PUT /{index}; ErrorResponseBase; reference of the create index API: "Lowercase only"',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.indices.create({ index: 'BUOYS' }))
        check.wrong(error instanceof errors.ResponseError, `ResponseError (${error})`, 'errors')
        check.equal(error.statusCode, 400, 'statusCode', 'errors')
        check.equal(error.body?.error?.type, 'invalid_index_name_exception', 'type of the error', 'errors')
      },
    },
  ],
}
