/**
 * Meilisearch: indexes, documents, settings, search, tasks and keys.
 * JSON over REST; every change of an index answers with an enqueued task, and the change is there once the task has
 * succeeded; lists have offset and limit, tasks go on from a uid.
 */
import { MeiliSearch, MeiliSearchApiError } from 'meilisearch'

const uid = 'lighthouses'
const lighthouses = [
  { code: 'bell-rock', name: 'Bell Rock', country: 'Scotland', height: 35, built: 1810 },
  { code: 'fastnet', name: 'Fastnet', country: 'Ireland', height: 54, built: 1904 },
  { code: 'eddystone', name: 'Eddystone', country: 'England', height: 49, built: 1882 },
  { code: 'skerryvore', name: 'Skerryvore', country: 'Scotland', height: 48, built: 1844 },
  { code: 'hook-head', name: 'Hook Head', country: 'Ireland', height: 36, built: 1240 },
  { code: 'cordouan', name: 'Cordouan', country: 'France', height: 67, built: 1611 },
  { code: 'la-jument', name: 'La Jument', country: 'France', height: 47, built: 1911 },
]
const codes = lighthouses.map(({ code }) => code).sort()

export default {
  connect: ({ address }) =>
    new MeiliSearch({
      host: address(),
      apiKey: 'master-key',
      timeout: 5000,
      defaultWaitOptions: { timeout: 1500, interval: 300 },
    }),
  steps: [
    {
      name: 'create an index',
      does: 'Enqueues a task. Once it has succeeded, the index exists with its primary key.',
      source: 'POST /indexes: "Task successfully enqueued"; GET /tasks/{taskUid}; GET /indexes/{indexUid}',
      needs: 'document',
      class: 'jobs',
      async run({ client, kept, check }) {
        kept.tasks = []
        const task = await finish(client.createIndex(uid, { primaryKey: 'code' }), 'indexCreation', client, kept, check)
        check.equal(task.details?.primaryKey, 'code', 'details of the task', 'made-values')
        check.equal([task.error, task.canceledBy], [null, null], 'error and canceledBy of the task', 'first-state')
        check(isRecent(task.startedAt) && isRecent(task.finishedAt), 'startedAt and finishedAt are now', 'times')
        const index = await client.getRawIndex(uid)
        check.wrong.equal([index.uid, index.primaryKey], [uid, 'code'], 'uid and primaryKey of the index', 'values')
        check(isRecent(index.createdAt), `createdAt is now (${index.createdAt})`, 'times')
      },
    },
    {
      name: 'list the indexes in pages',
      does: 'Each index is on one page; the answer says which page it is and how many indexes there are.',
      source: 'GET /indexes: offset, "The number of indexes to skip", limit; PaginationView',
      needs: 'document',
      class: 'pages',
      follows: ['create an index'],
      async run({ client, check }) {
        const more = ['buoys', 'harbours', 'pilots', 'tugs']
        const enqueued = await Promise.all(more.map((each) => client.createIndex(each)))
        const tasks = await client.tasks.waitForTasks(enqueued)
        const statuses = tasks.map(({ status }) => status)
        check.wrong.equal(statuses, Array(4).fill('succeeded'), 'the tasks', 'jobs')
        const listed = await readPages((page) => client.getRawIndexes(page), 2, check)
        const created = [uid, ...more].map((each) => listed.filter((index) => index.uid === each).length)
        check.wrong.equal(created, [1, 1, 1, 1, 1], 'how often each index is listed')
      },
    },
    {
      name: 'add documents',
      does: 'Once the task has succeeded, each document can be read as it was sent, by its primary key.',
      source: 'POST /indexes/{indexUid}/documents: "Add a list of documents"; GET …/documents/{documentId}',
      needs: 'document',
      class: 'jobs',
      async run({ client, kept, check }) {
        const index = client.index(uid)
        const task = await finish(index.addDocuments(lighthouses), 'documentAdditionOrUpdate', client, kept, check)
        const { receivedDocuments: received, indexedDocuments: indexed } = task.details ?? {}
        check.equal([received, indexed], [7, 7], 'received and indexed documents', 'made-values')
        check.wrong.equal(await index.getDocument('eddystone'), lighthouses[2], 'eddystone', 'keys')
        check.wrong.equal(await index.getDocument('la-jument'), lighthouses[6], 'la-jument', 'keys')
      },
    },
    {
      name: 'read the documents in pages',
      does: 'Each document is on one page; with `fields`, a document has only these.',
      source: 'GET /indexes/{indexUid}/documents: offset, limit, fields; PaginationView: total',
      needs: 'document',
      class: 'pages',
      follows: ['add documents'],
      async run({ client, check }) {
        const index = client.index(uid)
        const listed = await readPages((page) => index.getDocuments(page), 3, check)
        check.wrong.equal(listed.map(({ code }) => code).sort(), codes, 'the documents of all pages, each once')
        const { total, results } = await index.getDocuments({ fields: ['code', 'height'], limit: 50 })
        check.equal(total, 7, 'total')
        const expected = lighthouses.map(({ code, height }) => ({ code, height }))
        check.wrong.equal([...results].sort(byCode), expected.sort(byCode), 'documents with two fields', 'filters')
      },
    },
    {
      name: 'update one document and replace another',
      does: 'An update keeps the fields that it does not name, a replacement removes them.',
      source: 'PUT …/documents: "only partially updated"; POST …/documents: "Fields previously … are removed"',
      needs: 'document',
      class: 'values',
      follows: ['add documents'],
      async run({ client, kept, check }) {
        const index = client.index(uid)
        const type = 'documentAdditionOrUpdate'
        await finish(index.updateDocuments([{ code: 'fastnet', keeper: 'Nora' }]), type, client, kept, check)
        check.wrong.equal(await index.getDocument('fastnet'), { ...lighthouses[1], keeper: 'Nora' }, 'the updated one')
        const replacement = { code: 'hook-head', name: 'Hook', country: 'Ireland', height: 35 }
        await finish(index.addDocuments([replacement]), type, client, kept, check)
        check.wrong.equal(await index.getDocument('hook-head'), replacement, 'the replaced one')
        check.wrong.equal(await index.getDocument('cordouan'), lighthouses[5], 'another one', 'state')
        check.wrong.equal((await index.getDocuments({ limit: 1 })).total, 7, 'how many documents there are', 'state')
      },
    },
    {
      name: 'change the settings',
      does: 'Settings that are not named keep their defaults, or what an earlier change said.',
      source: 'PATCH /indexes/{indexUid}/settings: "any parameters not provided in the body will be left unchanged"',
      needs: 'overlay',
      class: 'values',
      async run({ client, kept, check }) {
        const index = client.index(uid)
        const before = await index.getSettings()
        check.equal(
          [before.searchableAttributes, before.displayedAttributes],
          [['*'], ['*']],
          'defaults',
          'first-state',
        )
        check.equal([before.filterableAttributes, before.synonyms], [[], {}], 'empty defaults', 'first-state')
        const first = { filterableAttributes: ['height', 'country'], sortableAttributes: ['height'] }
        await finish(index.updateSettings(first), 'settingsUpdate', client, kept, check)
        const second = { synonyms: { tower: ['lighthouse'] } }
        await finish(index.updateSettings(second), 'settingsUpdate', client, kept, check)
        const after = await index.getSettings()
        check.wrong.equal([...(after.filterableAttributes ?? [])].sort(), ['country', 'height'], 'filterableAttributes')
        check.wrong.equal(after.sortableAttributes, ['height'], 'sortableAttributes')
        check.wrong.equal(after.synonyms, { tower: ['lighthouse'] }, 'synonyms', 'free-form')
        check.wrong.equal(after.rankingRules, before.rankingRules, 'rankingRules', 'state')
        check.equal(after.searchableAttributes, ['*'], 'searchableAttributes', 'first-state')
      },
    },
    {
      name: 'read documents with a filter',
      does: 'Answers exactly the documents that match the expression.',
      source:
        'POST /indexes/{indexUid}/documents/fetch: filter; https://www.meilisearch.com/docs/reference/api/documents',
      needs: 'more',
      class: 'filters',
      follows: ['add documents', 'change the settings'],
      async run({ client, check }) {
        const index = client.index(uid)
        const high = await index.getDocuments({ filter: 'height > 48' })
        const found = high.results.map(({ code }) => code).sort()
        check.wrong.equal(found, ['cordouan', 'eddystone', 'fastnet'], 'higher than 48')
        check.equal(high.total, 3, 'total', 'pages')
        const both = await index.getDocuments({ filter: 'country = "Ireland" AND height < 40', fields: ['code'] })
        check.wrong.equal(both.results, [{ code: 'hook-head' }], 'low ones of Ireland')
      },
    },
    {
      name: 'search with a filter and an order',
      does: 'Finds the documents with the words that match the filter, in the order that is asked for.',
      source:
        'POST /indexes/{indexUid}/search: q, filter, sort; SearchResult: query, estimatedTotalHits, limit, offset',
      needs: 'more',
      class: 'searches',
      follows: ['add documents', 'change the settings'],
      async run({ client, check }) {
        const index = client.index(uid)
        const scottish = await index.search('scotland', { filter: 'height >= 40' })
        check.wrong.equal(scottish.hits, [lighthouses[3]], 'the hits for a word and a filter')
        check.equal([scottish.query, scottish.estimatedTotalHits], ['scotland', 1], 'query and estimatedTotalHits')
        check.equal([scottish.limit, scottish.offset], [20, 0], 'limit and offset', 'pages')
        const options = { filter: 'country IN ["France", "Ireland"]', sort: ['height:desc'] }
        const sorted = await index.search('', options)
        const found = sorted.hits.map(({ code }) => code)
        check.wrong.equal(found, ['cordouan', 'fastnet', 'la-jument', 'hook-head'], 'from high to low', 'filters')
        const none = await index.search('submarine')
        check.wrong.equal([none.hits, none.estimatedTotalHits], [[], 0], 'the hits for a word that is nowhere')
      },
    },
    {
      name: 'search in pages with facets',
      does: 'Numbered pages say how many there are; facets count all the hits.',
      source: 'POST /indexes/{indexUid}/search: page, hitsPerPage, facets; SearchResult: totalPages, facetDistribution',
      needs: 'more',
      class: 'pages',
      follows: ['add documents', 'change the settings'],
      async run({ client, check }) {
        const all = []
        for (const page of [1, 2, 3]) {
          const options = { page, hitsPerPage: 3, facets: ['country'], attributesToRetrieve: ['code'] }
          const answer = await client.index(uid).search('', options)
          const { totalHits, totalPages, hitsPerPage } = answer
          check.equal([answer.page, hitsPerPage, totalHits, totalPages], [page, 3, 7, 3], 'page and totals', 'spelling')
          const countries = { England: 1, France: 2, Ireland: 2, Scotland: 2 }
          check.equal(answer.facetDistribution?.country, countries, 'facetDistribution', 'made-values')
          all.push(...answer.hits)
        }
        check.wrong.equal(
          all.sort(byCode),
          codes.map((code) => ({ code })),
          'the hits of all pages, each once',
        )
      },
    },
    {
      name: 'delete documents',
      does: 'Deletes by id and by filter. A deleted document answers 404, and the library throws MeiliSearchApiError.',
      source: 'DELETE …/documents/{documentId}; POST …/documents/delete; GET …/stats; Code: document_not_found',
      needs: 'more',
      class: 'deletion',
      follows: ['update one document and replace another', 'change the settings'],
      async run({ client, kept, check, fails }) {
        const index = client.index(uid)
        check.wrong.equal((await index.getStats()).numberOfDocuments, 7, 'numberOfDocuments before', 'made-values')
        check.wrong.equal((await index.getDocument('bell-rock')).code, 'bell-rock', 'the document before', 'state')
        const one = await finish(index.deleteDocument('bell-rock'), 'documentDeletion', client, kept, check)
        check.equal(one.details?.deletedDocuments, 1, 'deletedDocuments', 'made-values')
        const error = await fails(() => index.getDocument('bell-rock'))
        check.wrong(error instanceof MeiliSearchApiError, `MeiliSearchApiError (${error})`, 'errors')
        check.wrong.equal(error.response?.status, 404, 'status', 'errors')
        check.equal(error.cause?.code, 'document_not_found', 'code', 'errors')
        await finish(index.deleteDocuments({ filter: 'country = France' }), 'documentDeletion', client, kept, check)
        const { results } = await index.getDocuments()
        const left = results.map(({ code }) => code).sort()
        check.wrong.equal(left, ['eddystone', 'fastnet', 'hook-head', 'skerryvore'], 'the documents after', 'filters')
        const stats = await index.getStats()
        check.equal([stats.numberOfDocuments, stats.fieldDistribution?.built], [4, 3], 'stats after', 'made-values')
      },
    },
    {
      name: 'list the tasks of the index',
      does: 'The newest task is first, and a page goes on from the `next` of the one before.',
      source: 'GET /tasks: indexUids, types, statuses, limit, "Fetch the next set of results from the given uid."',
      needs: 'document',
      class: 'pages',
      follows: ['create an index', 'add documents', 'change the settings', 'delete documents'],
      async run({ client, kept, check }) {
        const listed = []
        let from
        for (let page = 0; page < 20; page += 1) {
          const answer = await client.tasks.getTasks({
            indexUids: [uid],
            limit: 3,
            ...(from !== undefined && { from }),
          })
          listed.push(...answer.results)
          from = answer.next
          if (from === null || from === undefined) break
        }
        const uids = listed.map((task) => task.uid)
        const times = kept.tasks.map((taskUid) => uids.filter((each) => each === taskUid).length)
        check.wrong.equal(times, Array(kept.tasks.length).fill(1), 'how often each task is listed')
        check.wrong.equal(
          uids,
          uids.toSorted((first, second) => second - first),
          'the newest first',
        )
        check.wrong.equal([...new Set(listed.map(({ indexUid }) => indexUid))], [uid], 'the indexes', 'filters')
        const filter = { indexUids: [uid], types: ['settingsUpdate'], statuses: ['succeeded'] }
        const { results } = await client.tasks.getTasks(filter)
        check.wrong.equal(
          results.map(({ type }) => type),
          ['settingsUpdate', 'settingsUpdate'],
          'one type',
          'filters',
        )
      },
    },
    {
      name: 'create, change and delete a key',
      does: 'Makes a uid and a key; the key can be read by either, its name can be changed, and a deleted one is gone.',
      source: 'POST /keys; GET, PATCH, DELETE /keys/{uidOrKey}: "The `uid` or `key` field of an existing API key"',
      needs: 'overlay',
      class: 'keys',
      async run({ client, check, fails }) {
        const sent = { name: 'Keeper', description: 'reads', actions: ['search', 'documents.get'], indexes: [uid] }
        const created = await client.createKey({ ...sent, expiresAt: '2031-03-04T05:06:07Z' })
        const { name, description, actions, indexes } = created
        check.equal({ name, description, actions, indexes }, sent, 'what was sent', 'values')
        check.equal(Date.parse(created.expiresAt), Date.parse('2031-03-04T05:06:07Z'), 'expiresAt', 'values')
        check(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(created.uid), `a uid (${created.uid})`)
        check(isRecent(created.createdAt), `createdAt is now (${created.createdAt})`, 'times')
        const changed = await client.updateKey(created.uid, { name: 'Watcher' })
        check.wrong.equal([changed.uid, changed.key], [created.uid, created.key], 'uid and key after the change')
        const read = await client.getKey(created.key)
        check.wrong.equal([read.uid, read.name], [created.uid, 'Watcher'], 'the key that is read by its key')
        check.wrong.equal(read.description, 'reads', 'description after the change', 'state')
        await client.deleteKey(created.key)
        const error = await fails(() => client.getKey(created.uid))
        check.wrong(error instanceof MeiliSearchApiError, `MeiliSearchApiError (${error})`, 'errors')
        check.equal(
          [error.response?.status, error.cause?.code],
          [404, 'api_key_not_found'],
          'status and code',
          'errors',
        )
      },
    },
    {
      name: 'delete the index',
      does: 'Once the task has succeeded, the index and its documents are gone; the others are still there.',
      source: 'DELETE /indexes/{indexUid}: "Delete an index."; GET /indexes/{indexUid}; Code: index_not_found',
      needs: 'document',
      class: 'deletion',
      follows: ['create an index'],
      async run({ client, kept, check, fails }) {
        check.wrong.equal((await client.getRawIndex(uid)).uid, uid, 'the index before', 'state')
        await finish(client.index(uid).delete(), 'indexDeletion', client, kept, check)
        const error = await fails(() => client.getRawIndex(uid))
        check.wrong(error instanceof MeiliSearchApiError, `MeiliSearchApiError (${error})`, 'errors')
        check.equal([error.response?.status, error.cause?.code], [404, 'index_not_found'], 'status and code', 'errors')
        const ofDocuments = await fails(() => client.index(uid).getDocuments())
        check.wrong.equal(ofDocuments.response?.status, 404, 'status of its documents', 'state')
        const { results } = await client.getRawIndexes({ limit: 500 })
        const uids = results.map((index) => index.uid)
        check.wrong(!uids.includes(uid) && uids.includes('pilots'), `the list of indexes (${uids})`, 'state')
      },
    },
    {
      name: 'create an index with an invalid uid',
      does: 'Refuses it at once with 400 and the code invalid_index_uid.',
      source: 'POST /indexes: "only ascii alphanumeric characters, - and _"; Code: invalid_index_uid; ErrorType',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.createIndex('north sea!'))
        check.wrong(error instanceof MeiliSearchApiError, `MeiliSearchApiError (${error})`, 'errors')
        check.equal(error.response?.status, 400, 'status', 'errors')
        check.equal(error.cause?.code, 'invalid_index_uid', 'code', 'errors')
        check.equal(error.cause?.type, 'invalid_request', 'type', 'errors')
      },
    },
  ],
}

/** Checks what a change answers, and waits for its task. */
async function finish(change, type, client, kept, check) {
  const enqueued = await change
  check.wrong.equal(enqueued.indexUid, uid, 'indexUid of the enqueued task', 'owners')
  check.equal(
    [enqueued.type, enqueued.status],
    [type, 'enqueued'],
    'type and status of the enqueued task',
    'first-state',
  )
  check(isRecent(enqueued.enqueuedAt), `enqueuedAt is now (${enqueued.enqueuedAt})`, 'times')
  kept.tasks.push(enqueued.taskUid)
  const task = await client.tasks.waitForTask(enqueued)
  check.wrong.equal(task.uid, enqueued.taskUid, 'uid of the task', 'keys')
  check.wrong.equal([task.type, task.status], [type, 'succeeded'], 'type and status of the task', 'jobs')
  return task
}

/** All pages by offset and limit, at most 20. */
async function readPages(read, limit, check) {
  const all = []
  for (let page = 0; page < 20; page += 1) {
    const answer = await read({ limit, offset: page * limit })
    check.equal([answer.limit, answer.offset], [limit, page * limit], 'limit and offset')
    all.push(...answer.results)
    if (all.length >= answer.total || answer.results.length === 0) break
  }
  return all
}

function byCode(first, second) {
  return first.code < second.code ? -1 : 1
}

function isRecent(time) {
  return Math.abs(Date.now() - Date.parse(time)) < 86_400_000
}
