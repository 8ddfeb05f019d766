/**
 * Typesense: collections with a schema, documents (also as JSON lines), search, aliases, keys, synonym sets, presets
 * and stopwords. JSON over REST; a name in the path creates or replaces (PUT); lists are bare arrays or one member.
 */
import Typesense from 'typesense'

const { Client, Errors } = Typesense
const name = 'ferries'
const petrel = { id: 'petrel', name: 'Petrel', port: 'Oban', seats: 120, built: 1998 }
const dunlin = { name: 'Dunlin', port: 'Ullapool', seats: 40, built: 1975 }
const others = [
  { id: 'puffin', name: 'Puffin', port: 'Mallaig', seats: 80, built: 2004 },
  { id: 'skua', name: 'Skua', port: 'Oban', seats: 310, built: 2011 },
  { id: 'gannet', name: 'Gannet', port: 'Ullapool', seats: 540, built: 2015 },
  { id: 'fulmar', name: 'Fulmar', port: 'Mallaig', seats: 95, built: 1989 },
  { id: 'kittiwake', name: 'Kittiwake', port: 'Oban', seats: 260, built: 1996 },
]

export default {
  // The library takes 0 retries for 3.
  connect: ({ address }) =>
    new Client({
      nodes: [{ url: address() }],
      apiKey: 'admin-key',
      numRetries: 1,
      retryIntervalSeconds: 0.01,
      connectionTimeoutSeconds: 5,
      logLevel: 'silent',
    }),
  steps: [
    {
      name: 'create a collection',
      does: 'Stores the schema with the defaults of each field. A new collection has no documents.',
      source: 'POST /collections; CollectionResponse: num_documents, created_at; Field: sort, optional',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, check }) {
        const fields = [
          { name: 'name', type: 'string' },
          { name: 'port', type: 'string', facet: true },
          { name: 'seats', type: 'int32' },
          { name: 'built', type: 'int32' },
        ]
        const sent = { name, fields, default_sorting_field: 'seats', metadata: { fleet: 'west' } }
        const created = await client.collections().create(sent)
        check.wrong.equal([created.name, created.default_sorting_field], [name, 'seats'], 'name and order', 'values')
        const types = created.fields?.map((field) => [field.name, field.type, field.facet])
        const expected = fields.map((field) => [field.name, field.type, field.facet ?? false])
        check.equal(types, expected, 'name, type and facet of the fields', 'values')
        check.equal(
          created.fields?.map(({ sort }) => sort),
          [false, false, true, true],
          'sort of the fields',
        )
        check.equal(created.metadata, { fleet: 'west' }, 'metadata', 'free-form')
        check.wrong.equal(created.num_documents, 0, 'num_documents')
        check(isRecent(created.created_at), `created_at is now (${created.created_at})`, 'times')
        const read = await client.collections(name).retrieve()
        check.wrong.equal(
          [read.name, read.created_at],
          [name, created.created_at],
          'the collection by its name',
          'keys',
        )
      },
    },
    {
      name: 'list the collections in pages',
      does: 'Answers as many collections as `limit` says, from `offset` on; each is on one page.',
      source: 'GET /collections: limit, offset: "Identifies the starting point to return collections when paginating."',
      needs: 'document',
      class: 'pages',
      follows: ['create a collection'],
      async run({ client, check }) {
        const names = [name, 'wharves', 'pilots', 'cranes', 'tugs']
        for (const each of names.slice(1)) {
          await client.collections().create({ name: each, fields: [{ name: 'label', type: 'string' }] })
        }
        const listed = []
        for (let page = 0; page < 20; page += 1) {
          const collections = await client.collections().retrieve({ limit: 2, offset: page * 2 })
          check.wrong(collections.length <= 2, `a page of at most 2 (${collections.length})`)
          listed.push(...collections)
          if (names.every((each) => listed.some((collection) => collection.name === each))) break
        }
        const times = names.map((each) => listed.filter((collection) => collection.name === each).length)
        check.wrong.equal(times, [1, 1, 1, 1, 1], 'how often each collection is listed')
      },
    },
    {
      name: 'create documents',
      does: 'Keeps the id that a document has, and makes one for a document without.',
      source: 'POST /collections/{collectionName}/documents; GET …/documents/{documentId}',
      needs: 'overlay',
      class: 'keys',
      follows: ['create a collection'],
      async run({ client, kept, check }) {
        const documents = client.collections(name).documents()
        check.equal(await documents.create(petrel), petrel, 'the answer', 'values')
        const created = await documents.create(dunlin)
        check(typeof created.id === 'string' && created.id !== '', `a made id (${created.id})`)
        kept.dunlin = { ...dunlin, id: created.id }
        const read = await client.collections(name).documents('petrel').retrieve()
        check.wrong.equal(read, petrel, 'the document by its id')
        const other = await client.collections(name).documents(created.id).retrieve()
        check.wrong.equal(other, { ...dunlin, id: created.id }, 'the document by its made id')
        const { num_documents: count } = await client.collections(name).retrieve()
        check.wrong.equal(count, 2, 'num_documents', 'made-values')
      },
    },
    {
      name: 'import and export documents',
      does: 'Each line is a document and has its own result; an export has each document as a line.',
      source: 'POST …/documents/import: "newline delimited JSON"; GET …/documents/export: "in JSON lines format"',
      needs: 'more',
      class: 'media-types',
      follows: ['create documents'],
      async run({ client, kept, check }) {
        const documents = client.collections(name).documents()
        const results = await documents.import(others, { action: 'create' })
        check.equal(
          results.map(({ success }) => success),
          Array(5).fill(true),
          'the results',
        )
        const skua = await client.collections(name).documents('skua').retrieve()
        check.wrong.equal(skua, others[1], 'an imported document', 'uploads')
        const all = [petrel, kept.dunlin, ...others].sort(byId)
        check.wrong.equal(parseLines(await documents.export()), all, 'the exported documents', 'uploads')
        const some = await documents.export({ filter_by: 'port:=Mallaig', include_fields: 'id,seats' })
        const expected = [
          { id: 'fulmar', seats: 95 },
          { id: 'puffin', seats: 80 },
        ]
        check.wrong.equal(parseLines(some), expected, 'a part of the documents', 'filters')
      },
    },
    {
      name: 'search the documents',
      does: 'Finds by words and filter, in the order that is asked for, in numbered pages, and counts the facets.',
      source: 'GET …/documents/search: q, query_by, filter_by, sort_by, facet_by, page, per_page; SearchResult',
      needs: 'more',
      class: 'searches',
      follows: ['create documents', 'import and export documents'],
      async run({ client, check }) {
        const documents = client.collections(name).documents()
        const one = await documents.search({ q: 'kittiwake', query_by: 'name', num_typos: '0' })
        check.wrong.equal([one.found, one.hits?.[0]?.document], [1, others[4]], 'the hit for a word')
        const filter = { filter_by: 'port:=Oban && seats:>200', sort_by: 'seats:desc' }
        const filtered = await documents.search({ q: '*', query_by: 'name', ...filter })
        const found = filtered.hits?.map(({ document }) => document.id)
        check.wrong.equal(found, ['skua', 'kittiwake'], 'the hits for a filter', 'filters')
        const names = []
        for (const page of [1, 2, 3]) {
          const options = { sort_by: 'built:asc', facet_by: 'port', page, per_page: 3 }
          const answer = await documents.search({ q: '*', query_by: 'name', ...options })
          check.equal([answer.page, answer.found, answer.out_of], [page, 7, 7], 'page, found and out_of', 'pages')
          const { collection_name: collection, per_page: size } = answer.request_params ?? {}
          check.equal([collection, size], [name, 3], 'request_params', 'made-values')
          const counts = answer.facet_counts?.[0]?.counts?.map(({ value, count }) => [value, count]) ?? []
          const expected = { Oban: 3, Mallaig: 2, Ullapool: 2 }
          check.equal(Object.fromEntries(counts), expected, 'facet_counts', 'made-values')
          names.push(...answer.hits.map(({ document }) => document.name))
        }
        const expected = ['Dunlin', 'Fulmar', 'Kittiwake', 'Petrel', 'Puffin', 'Skua', 'Gannet']
        check.wrong.equal(names, expected, 'the hits of all pages, from old to new', 'pages')
      },
    },
    {
      name: 'update documents',
      does: 'An update keeps the fields that it does not name; an upsert replaces or creates; a filter updates many.',
      source: 'PATCH …/documents/{documentId}: "The update can be partial."; upsert; PATCH …/documents: num_updated',
      needs: 'more',
      class: 'put-as-update',
      follows: ['create documents', 'import and export documents'],
      async run({ client, check }) {
        const collection = client.collections(name)
        const read = (id) => collection.documents(id).retrieve()
        await collection.documents('puffin').update({ seats: 88 })
        check.wrong.equal(await read('puffin'), { ...others[0], seats: 88 }, 'the updated document')
        const replaced = { id: 'fulmar', name: 'Fulmar', port: 'Oban', seats: 99, built: 1990 }
        const tern = { id: 'tern', name: 'Tern', port: 'Uig', seats: 150, built: 2020 }
        await collection.documents().upsert(replaced)
        check.wrong.equal(await read('fulmar'), replaced, 'the replaced document', 'keys-in-bodies')
        await collection.documents().upsert(tern)
        check.wrong.equal(await read('tern'), tern, 'the document that is created by an upsert', 'keys-in-bodies')
        const answer = await collection.documents().update({ port: 'Corran' }, { filter_by: 'seats:>300' })
        check.equal(answer.num_updated, 2, 'num_updated', 'filters')
        check.wrong.equal(await read('skua'), { ...others[1], port: 'Corran' }, 'one that matches', 'filters')
        check.wrong.equal((await read('kittiwake')).port, 'Oban', 'one that does not match', 'filters')
        check.wrong.equal((await collection.retrieve()).num_documents, 8, 'num_documents', 'made-values')
      },
    },
    {
      name: 'add a field and drop it',
      does: 'The schema has the added field beside the others, until it is dropped.',
      source: 'PATCH /collections/{collectionName}: "modify the fields and their types"; Field: drop',
      needs: 'more',
      class: 'put-as-update',
      follows: ['create a collection'],
      async run({ client, check }) {
        const collection = client.collections(name)
        const fields = async () => (await collection.retrieve()).fields?.map((field) => field.name).sort()
        check.wrong.equal(await fields(), ['built', 'name', 'port', 'seats'], 'the fields before', 'state')
        const captain = { name: 'captain', type: 'string', optional: true }
        const { fields: answered } = await collection.update({ fields: [captain] })
        check.equal(answered?.[0]?.name, 'captain', 'the answer', 'values')
        const added = (await collection.retrieve()).fields?.find((field) => field.name === 'captain')
        check.wrong.equal([added?.type, added?.optional], ['string', true], 'the added field')
        check.wrong.equal(await fields(), ['built', 'captain', 'name', 'port', 'seats'], 'the fields then')
        await collection.update({ fields: [{ name: 'captain', drop: true }] })
        check.wrong.equal(await fields(), ['built', 'name', 'port', 'seats'], 'the fields after', 'deletion')
      },
    },
    {
      name: 'give a collection an alias and move it',
      does: 'The alias stands for the collection in other requests, and can be moved and deleted.',
      source: 'PUT /aliases/{aliasName}: "a virtual collection name that points to a real collection"; GET, DELETE',
      needs: 'more',
      class: 'links',
      follows: ['import and export documents', 'list the collections in pages'],
      async run({ client, check, fails }) {
        const set = await client.aliases().upsert('fleet', { collection_name: name })
        check.equal(set, { name: 'fleet', collection_name: name }, 'the answer', 'values')
        const kittiwake = await client.collections('fleet').documents('kittiwake').retrieve()
        check.wrong.equal(kittiwake, others[4], 'a document by the alias', 'keys')
        await client.aliases().upsert('fleet', { collection_name: 'wharves' })
        const { aliases } = await client.aliases().retrieve()
        const listed = aliases.filter((alias) => alias.name === 'fleet')
        check.wrong.equal(listed, [{ name: 'fleet', collection_name: 'wharves' }], 'the moved alias in the list')
        const error = await fails(() => client.collections('fleet').documents('kittiwake').retrieve())
        check.wrong(error instanceof Errors.ObjectNotFound, `a document by the moved alias (${error})`, 'keys')
        check.equal((await client.aliases('fleet').delete()).name, 'fleet', 'the answer of the deletion', 'deletion')
        const gone = await fails(() => client.aliases('fleet').retrieve())
        check.wrong(gone instanceof Errors.ObjectNotFound, `ObjectNotFound (${gone})`, 'deletion')
      },
    },
    {
      name: 'create and delete a key',
      does: 'Only the creation shows the whole key; later there is its prefix. A deleted key is not found.',
      source:
        'POST /keys: "The generated key is returned only during creation."; GET /keys/{keyId}: "Only the key prefix"',
      needs: 'more',
      class: 'keys',
      async run({ client, check, fails }) {
        const sent = { description: 'deck', actions: ['documents:search'], collections: [name], expires_at: 1924992000 }
        const created = await client.keys().create(sent)
        check(Number.isInteger(created.id), `an id (${created.id})`)
        check(created.value?.length >= 16, `a key (${created.value})`, 'made-values')
        const read = await client.keys(created.id).retrieve()
        const { description, actions, collections, expires_at } = read
        check.wrong.equal([read.id, description], [created.id, 'deck'], 'the key that is read')
        check.equal({ description, actions, collections, expires_at }, sent, 'what was sent', 'values')
        check(read.value === undefined, 'the key itself is not shown again', 'first-state')
        check.equal(read.value_prefix, created.value?.slice(0, 4), 'value_prefix', 'made-values')
        const list = async () => (await client.keys().retrieve()).keys.filter(({ id }) => id === created.id).length
        check.wrong.equal(await list(), 1, 'how often it is listed', 'state')
        check.equal((await client.keys(created.id).delete()).id, created.id, 'the answer of the deletion', 'deletion')
        check.wrong.equal(await list(), 0, 'how often it is listed afterwards', 'state')
        const error = await fails(() => client.keys(created.id).retrieve())
        check.wrong(error instanceof Errors.ObjectNotFound, `ObjectNotFound (${error})`, 'errors')
      },
    },
    {
      name: 'keep synonyms in a set',
      does: 'The items of a set are listed, added and deleted one by one, and are part of the set.',
      source: 'PUT /synonym_sets/{synonymSetName}; PUT, DELETE …/items/{itemId}; GET …/items: "all … items in a set"',
      needs: 'more',
      class: 'paths',
      async run({ client, check, fails }) {
        const set = client.synonymSets('harbour')
        const items = [{ id: 'boats', synonyms: ['ferry', 'boat', 'ship'] }]
        const created = await set.upsert({ items })
        check.equal(created.items?.[0]?.synonyms, items[0].synonyms, 'synonyms', 'values')
        const added = await set.items().upsert('piers', { root: 'pier', synonyms: ['jetty', 'quay'] })
        check.equal([added.id, added.root], ['piers', 'pier'], 'id and root of the added item', 'values')
        const list = async () => (await set.items().retrieve()).map(({ id }) => id).sort()
        check.wrong.equal(await list(), ['boats', 'piers'], 'the items')
        const inSet = (await set.retrieve()).items?.find(({ id }) => id === 'piers')
        check.wrong.equal(inSet?.synonyms, ['jetty', 'quay'], 'the added item in the set')
        await set.items('boats').delete()
        check.wrong.equal(await list(), ['piers'], 'the items after the deletion of one', 'deletion')
        check.equal((await set.delete()).name, 'harbour', 'the answer of the deletion', 'deletion')
        const error = await fails(() => set.retrieve())
        check.wrong(error instanceof Errors.ObjectNotFound, `ObjectNotFound (${error})`, 'deletion')
      },
    },
    {
      name: 'keep a preset and stopwords',
      does: 'A second upsert replaces the value; a search can use the preset; stopwords are read in an envelope.',
      source:
        'PUT /presets/{presetId}; SearchParameters: preset; PUT, GET /stopwords/{setId}: StopwordsSetRetrieveSchema',
      needs: 'more',
      class: 'put-as-update',
      follows: ['import and export documents'],
      async run({ client, check, fails }) {
        await client.presets().upsert('local', { value: { q: '*', filter_by: 'port:=Mallaig' } })
        const value = { q: '*', query_by: 'name', filter_by: 'port:=Oban' }
        check.equal(await client.presets().upsert('local', { value }), { name: 'local', value }, 'the answer', 'values')
        check.wrong.equal((await client.presets('local').retrieve()).value, value, 'the replaced value')
        const documents = parseLines(await client.collections(name).documents().export())
        const ofOban = documents.filter(({ port }) => port === 'Oban').map(({ id }) => id)
        const { hits } = await client.collections(name).documents().search({ preset: 'local' })
        check.wrong.equal(hits?.map(({ document }) => document.id).sort(), ofOban.sort(), 'the hits', 'searches')
        await client.presets('local').delete()
        const error = await fails(() => client.presets('local').retrieve())
        check.wrong(error instanceof Errors.ObjectNotFound, `ObjectNotFound (${error})`, 'deletion')
        await client.stopwords().upsert('short', { stopwords: ['und', 'oder'], locale: 'de' })
        const { stopwords } = await client.stopwords('short').retrieve()
        check.wrong.equal([stopwords?.id, stopwords?.locale], ['short', 'de'], 'the stopwords', 'envelopes')
        check.wrong.equal([...(stopwords?.stopwords ?? [])].sort(), ['oder', 'und'], 'the words', 'envelopes')
        check.equal((await client.stopwords('short').delete()).id, 'short', 'the answer of the deletion', 'deletion')
      },
    },
    {
      name: 'delete documents',
      does: 'Answers the deleted document; with a filter, how many were deleted. The others are still there.',
      source: 'DELETE …/documents/{documentId}: "The document … was deleted"; DELETE …/documents: num_deleted',
      needs: 'more',
      class: 'deletion',
      follows: ['import and export documents', 'update documents'],
      async run({ client, check, fails }) {
        const collection = client.collections(name)
        const before = parseLines(await collection.documents().export())
        check.wrong(
          before.some(({ id }) => id === 'petrel'),
          'the document before',
          'state',
        )
        check.equal(await collection.documents('petrel').delete(), petrel, 'the answer')
        const error = await fails(() => collection.documents('petrel').retrieve())
        check.wrong(error instanceof Errors.ObjectNotFound, `ObjectNotFound (${error})`, 'errors')
        check.equal(error.httpStatus, 404, 'httpStatus', 'errors')
        const { num_deleted: count } = await collection.documents().delete({ filter_by: 'port:=Corran' })
        check.equal(count, 2, 'num_deleted', 'filters')
        const left = before.filter(({ id }) => !['petrel', 'skua', 'gannet'].includes(id))
        check.wrong.equal(parseLines(await collection.documents().export()), left, 'the documents after', 'filters')
        check.wrong.equal((await collection.retrieve()).num_documents, left.length, 'num_documents', 'made-values')
      },
    },
    {
      name: 'delete the collection',
      does: 'Answers the collection; afterwards it and its documents are not found, and the others are kept.',
      source: 'DELETE /collections/{collectionName}: "Permanently drops a collection."; 404; ApiResponse: message',
      needs: 'document',
      class: 'deletion',
      follows: ['create a collection'],
      async run({ client, check, fails }) {
        check.wrong.equal(await client.collections(name).exists(), true, 'before', 'state')
        check.equal((await client.collections(name).delete()).name, name, 'the answer')
        const error = await fails(() => client.collections(name).retrieve())
        check.wrong(error instanceof Errors.ObjectNotFound, `ObjectNotFound (${error})`, 'errors')
        const ofDocument = await fails(() => client.collections(name).documents('kittiwake').retrieve())
        check.wrong(ofDocument instanceof Errors.ObjectNotFound, `a document (${ofDocument})`, 'state')
        const names = (await client.collections().retrieve()).map((collection) => collection.name)
        check.wrong(!names.includes(name) && names.includes('tugs'), `the list (${names})`, 'state')
      },
    },
    {
      name: 'create a collection without a name',
      does: 'Refuses it with 400 and a message, and the library throws RequestMalformed.',
      source: 'POST /collections: name is required; "400: Bad request, see error message for details"; ApiResponse',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.collections().create({ fields: [{ name: 'depth', type: 'float' }] }))
        check.wrong(error instanceof Errors.RequestMalformed, `RequestMalformed (${error})`, 'errors')
        check.equal(error.httpStatus, 400, 'httpStatus', 'errors')
        check(error.message.includes('Server said: '), `the message of the service (${error.message})`, 'errors')
      },
    },
  ],
}

/** The documents of JSON lines, in the order of their ids. */
function parseLines(lines) {
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort(byId)
}

function byId(first, second) {
  return first.id < second.id ? -1 : 1
}

/** Is a Unix time in seconds within a day of now? */
function isRecent(seconds) {
  return Number.isInteger(seconds) && Math.abs(Date.now() / 1000 - seconds) < 86_400
}
