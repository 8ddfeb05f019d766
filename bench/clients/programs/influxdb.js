/**
 * InfluxDB 2 with @influxdata/influxdb-client-apis: an organization with its buckets, labels, tasks and their runs,
 * tokens and dashboards.
 * JSON over REST; lists are wrapped and have pages by offset; PATCH changes a part; errors have a code in words.
 */
import { HttpError, InfluxDB } from '@influxdata/influxdb-client'
import {
  AuthorizationsAPI,
  BucketsAPI,
  DashboardsAPI,
  LabelsAPI,
  OrgsAPI,
  TasksAPI,
} from '@influxdata/influxdb-client-apis'

export default {
  connect({ address }) {
    const url = address('/api/v2').replace(/\/api\/v2$/, '')
    const influx = new InfluxDB({ url, token: 'token-of-the-test', timeout: 5000 })
    return {
      authorizations: new AuthorizationsAPI(influx),
      buckets: new BucketsAPI(influx),
      dashboards: new DashboardsAPI(influx),
      labels: new LabelsAPI(influx),
      orgs: new OrgsAPI(influx),
      tasks: new TasksAPI(influx),
    }
  },
  steps: [
    {
      name: 'create an organization',
      does: 'Stores the organization with a new id of 16 hexadecimal digits, and answers to that id.',
      source:
        'POST /orgs, GET /orgs/{orgID}: Organization.createdAt, updatedAt; InfluxDB ids are 16 hexadecimal digits',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const body = { name: 'Lighthouse', description: 'Lamps along the coast' }
        const org = await client.orgs.postOrgs({ body })
        kept.org = org.id
        check.equal(org.name, 'Lighthouse', 'name', 'values')
        check.equal(org.description, 'Lamps along the coast', 'description', 'values')
        check(isId(org.id), `an id of 16 hexadecimal digits (${org.id})`, 'keys')
        check(isRecent(org.createdAt), `createdAt is now (${org.createdAt})`, 'times')
        check(isRecent(org.updatedAt), `updatedAt is now (${org.updatedAt})`, 'times')
        const read = await client.orgs.getOrgsID({ orgID: org.id })
        check.wrong.equal([read.id, read.name], [org.id, 'Lighthouse'], 'id and name when read', 'paths')
      },
    },
    {
      name: 'create a bucket',
      does: 'Stores a bucket of users in the organization, with its rule of retention and the addresses of its parts.',
      source: 'POST /buckets; Bucket: type default user, retentionRules, createdAt, links',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const retentionRules = [{ type: 'expire', everySeconds: 172_800 }]
        const body = { orgID: kept.org, name: 'lamps', description: 'Brightness by hour', retentionRules }
        const bucket = await client.buckets.postBuckets({ body })
        kept.bucket = bucket.id
        check(isId(bucket.id), `an id of 16 hexadecimal digits (${bucket.id})`, 'keys')
        check.equal(bucket.name, 'lamps', 'name', 'values')
        check.equal(bucket.description, 'Brightness by hour', 'description', 'values')
        check.equal(bucket.orgID, kept.org, 'orgID', 'owners')
        check.equal(bucket.retentionRules?.map(toSeconds), [172_800], 'everySeconds of the rules', 'values')
        check.equal(bucket.type, 'user', 'type')
        check(isRecent(bucket.createdAt), `createdAt is now (${bucket.createdAt})`, 'times')
        check.equal(bucket.links?.self, `/api/v2/buckets/${bucket.id}`, 'links.self', 'made-values')
      },
    },
    {
      name: 'retrieve the bucket, and find it by its name',
      does: 'Answers with the bucket; a list with its name and organization has only this one.',
      source: 'GET /buckets/{bucketID}; GET /buckets: name "Only returns buckets with a specific name", orgID',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const bucket = await client.buckets.getBucketsID({ bucketID: kept.bucket })
        check.wrong.equal(bucket.id, kept.bucket, 'id', 'paths')
        check.wrong.equal(bucket.name, 'lamps', 'name', 'values')
        check.wrong.equal(bucket.orgID, kept.org, 'orgID', 'owners')
        check.equal(bucket.retentionRules?.map(toSeconds), [172_800], 'everySeconds of the rules', 'values')
        await client.buckets.postBuckets({ body: { orgID: kept.org, name: 'horns', retentionRules: [] } })
        const { buckets } = await client.buckets.getBuckets({ orgID: kept.org, name: 'lamps' })
        check.wrong.equal(toIds(buckets), [kept.bucket], 'ids in the list of one name')
        const { buckets: others } = await client.buckets.getBuckets({ orgID: kept.org, name: 'horns' })
        check.wrong.equal(toNames(others), ['horns'], 'names in the list of another name')
      },
    },
    {
      name: 'list the buckets in pages',
      does: 'Two buckets a page: each bucket of the organization is in one of the pages, once.',
      source: 'GET /buckets: orgID, limit, offset',
      needs: 'document',
      class: 'pages',
      follows: ['retrieve the bucket, and find it by its name'],
      async run({ client, kept, check }) {
        const names = ['bells', 'buoys', 'keepers', 'tides']
        for (const name of names) {
          await client.buckets.postBuckets({ body: { orgID: kept.org, name, retentionRules: [] } })
        }
        // The service can add the system buckets of the organization to any page that has none.
        const pages = []
        for (let offset = 0; offset < 20; offset += 2) {
          const { buckets } = await client.buckets.getBuckets({ orgID: kept.org, limit: 2, offset })
          if (!buckets?.length) break
          pages.push(buckets.filter(({ type }) => type !== 'system'))
        }
        const found = pages.flat()
        const sizes = pages.map(({ length }) => length)
        check.wrong(Math.max(...sizes) <= 2, `two buckets at most (${sizes})`)
        check.wrong.equal(toNames(found).sort(), [...names, 'lamps', 'horns'].sort(), 'names of all pages')
        check.wrong(sizes.filter((size) => size > 0).length >= 3, `three pages or more (${sizes})`)
        check.wrong.equal(new Set(toIds(found)).size, found.length, 'different buckets')
        check.wrong(
          found.every(({ orgID }) => orgID === kept.org),
          'only buckets of the organization',
          'filters',
        )
      },
    },
    {
      name: 'change the description of the bucket',
      does: 'Changes only what is sent: name and retention stay. The change is not before the creation.',
      source: 'PATCH /buckets/{bucketID}: PatchBucketRequest; Bucket.updatedAt',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const bucketID = kept.bucket
        const answer = await client.buckets.patchBucketsID({ bucketID, body: { description: 'Brightness by minute' } })
        check.wrong.equal(answer.id, bucketID, 'id in the answer', 'keys')
        const bucket = await client.buckets.getBucketsID({ bucketID })
        check.wrong.equal(bucket.description, 'Brightness by minute', 'description')
        check.wrong.equal(bucket.name, 'lamps', 'name')
        check.wrong.equal(bucket.retentionRules?.map(toSeconds), [172_800], 'everySeconds of the rules')
        const isLater = Date.parse(bucket.updatedAt) >= Date.parse(bucket.createdAt)
        check(isLater, `updatedAt is not before createdAt (${bucket.updatedAt})`, 'times')
      },
    },
    {
      name: 'create a label, and change its properties',
      does: 'Stores the label in the organization. Changed properties are merged, and an empty value removes a key.',
      source:
        'POST, GET /labels; PATCH /labels/{labelID}: "Keys can be removed by sending an update with an empty value"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const properties = { color: '#22aa88', note: 'for keepers' }
        const { label } = await client.labels.postLabels({ body: { orgID: kept.org, name: 'north', properties } })
        kept.label = label?.id
        check(isId(label?.id), `an id of 16 hexadecimal digits (${label?.id})`, 'keys')
        check.wrong.equal(label?.name, 'north', 'name', 'envelopes')
        check.equal(label?.orgID, kept.org, 'orgID', 'owners')
        check.equal(label?.properties, properties, 'properties', 'values')
        const { labels } = await client.labels.getLabels({ orgID: kept.org })
        check.wrong.equal(toIds(labels), [label?.id], 'labels of the organization', 'filters')
        await client.labels.patchLabelsID({ labelID: label?.id, body: { properties: { note: '', side: 'sea' } } })
        const { label: changed } = await client.labels.getLabelsID({ labelID: label?.id })
        check.wrong.equal(changed?.name, 'north', 'name after the change')
        check.equal(changed?.properties, { color: '#22aa88', side: 'sea' }, 'properties after the change')
      },
    },
    {
      name: 'put the label on the bucket, and take it off',
      does: 'The label is in the list of labels of the bucket, and in the bucket, until it is taken off.',
      source: 'POST, GET /buckets/{bucketID}/labels; DELETE /buckets/{bucketID}/labels/{labelID}; Bucket.labels',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const bucketID = kept.bucket
        const before = await client.buckets.getBucketsIDLabels({ bucketID })
        check.wrong.equal(toIds(before.labels), [], 'labels before')
        await client.buckets.postBucketsIDLabels({ bucketID, body: { labelID: kept.label } })
        const between = await client.buckets.getBucketsIDLabels({ bucketID })
        check.wrong.equal(toNames(between.labels), ['north'], 'labels with the label')
        const bucket = await client.buckets.getBucketsID({ bucketID })
        check.equal(toIds(bucket.labels), [String(kept.label)], 'labels in the bucket')
        await client.buckets.deleteBucketsIDLabelsID({ bucketID, labelID: kept.label })
        const after = await client.buckets.getBucketsIDLabels({ bucketID })
        check.wrong.equal(toIds(after.labels), [], 'labels after')
      },
    },
    {
      name: 'create tasks',
      does: 'Stores the script and takes name and schedule from it; a new task is active and has no last run.',
      source: 'POST /tasks, GET /tasks/{taskID}: Task.every "parsed from Flux"; org "name of the organization"; status',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        const task = await client.tasks.postTasks({
          body: { orgID: kept.org, flux: toFlux('dim', '3h'), description: 'At noon' },
        })
        const other = await client.tasks.postTasks({ body: { orgID: kept.org, flux: toFlux('glow', '5h') } })
        Object.assign(kept, { task: task.id, otherTask: other.id })
        check(isId(task.id), `an id of 16 hexadecimal digits (${task.id})`, 'keys')
        const read = await client.tasks.getTasksID({ taskID: task.id })
        check.wrong.equal(read.id, task.id, 'id', 'paths')
        check.wrong.equal(read.flux, toFlux('dim', '3h'), 'flux', 'values')
        check.equal(read.description, 'At noon', 'description', 'values')
        check.wrong.equal(read.orgID, kept.org, 'orgID', 'owners')
        check.equal(read.org, 'Lighthouse', 'org', 'references')
        check.equal(read.name, 'dim', 'name')
        check.equal(read.every, '3h', 'every')
        check.equal(read.status, 'active', 'status', 'first-state')
        check.wrong(!read.lastRunError, `no lastRunError (${read.lastRunError})`, 'first-state')
        check(isRecent(read.createdAt), `createdAt is now (${read.createdAt})`, 'times')
      },
    },
    {
      name: 'run a task by hand',
      does: 'Makes a run for the time that was asked for. The runs of the task have it, those of the other do not.',
      source: 'POST, GET /tasks/{taskID}/runs: scheduledFor; GET …/runs/{runID}: Run.requestedAt',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const taskID = kept.task
        const before = await client.tasks.getTasksIDRuns({ taskID })
        check.wrong.equal(toIds(before.runs), [], 'runs before', 'first-state')
        const run = await client.tasks.postTasksIDRuns({ taskID, body: { scheduledFor: '2024-06-03T07:00:00Z' } })
        check(isId(run.id), `an id of 16 hexadecimal digits (${run.id})`, 'keys')
        check.wrong.equal(run.taskID, String(taskID), 'taskID', 'owners')
        check.equal(Date.parse(run.scheduledFor), Date.parse('2024-06-03T07:00:00Z'), 'scheduledFor', 'values')
        check(isRecent(run.requestedAt), `requestedAt is now (${run.requestedAt})`, 'times')
        let after
        for (let tries = 0; tries < 5 && !after?.runs?.length; tries++) {
          if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 200))
          after = await client.tasks.getTasksIDRuns({ taskID })
        }
        check.wrong.equal(toIds(after.runs), [run.id], 'runs after', 'links')
        const read = await client.tasks.getTasksIDRunsID({ taskID, runID: run.id })
        check.wrong.equal([read.id, read.taskID], [run.id, String(taskID)], 'id and taskID when read', 'paths')
        const others = await client.tasks.getTasksIDRuns({ taskID: kept.otherTask })
        check.wrong.equal(toIds(others.runs), [], 'runs of the other task', 'owners')
      },
    },
    {
      name: 'make a task inactive, and list by status',
      does: 'The task goes from active to inactive; the lists of each status have one of the two tasks.',
      source: 'PATCH /tasks/{taskID}: status; GET /tasks: orgID, status "Filter tasks by a status", name',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const orgID = kept.org
        const before = await client.tasks.getTasks({ orgID, status: 'active' })
        check.equal(
          toIds(before.tasks),
          [kept.task, kept.otherTask].map(String).sort(),
          'active tasks before',
          'first-state',
        )
        const answer = await client.tasks.patchTasksID({ taskID: kept.task, body: { status: 'inactive' } })
        check.wrong.equal([answer.id, answer.status], [String(kept.task), 'inactive'], 'id and status', 'actions')
        const inactive = await client.tasks.getTasks({ orgID, status: 'inactive' })
        check.wrong.equal(toIds(inactive.tasks), [String(kept.task)], 'inactive tasks')
        check.wrong.equal(inactive.tasks?.[0]?.flux, toFlux('dim', '3h'), 'flux of the task', 'put-as-update')
        const active = await client.tasks.getTasks({ orgID, status: 'active' })
        check.equal(toIds(active.tasks), [String(kept.otherTask)], 'active tasks after')
      },
    },
    {
      name: 'create, disable and delete a token',
      does: 'Makes an active token with a secret text; it becomes inactive, and is gone after its deletion.',
      source:
        'POST, GET /authorizations; PATCH, DELETE /authorizations/{authID}: Authorization.token, status default active',
      needs: 'leniency',
      class: 'first-state',
      async run({ client, kept, check, fails }) {
        const permissions = [{ action: 'write', resource: { type: 'buckets', orgID: String(kept.org) } }]
        const body = { orgID: kept.org, description: 'For the buoys', permissions }
        const created = await client.authorizations.postAuthorizations({ body })
        const authID = created.id
        check(isId(authID), `an id of 16 hexadecimal digits (${authID})`, 'keys')
        check(typeof created.token === 'string' && created.token.length > 10, 'a token', 'keys')
        check.equal(created.status, 'active', 'status')
        check.equal(created.permissions?.[0]?.action, 'write', 'action of the permission', 'values')
        await client.authorizations.patchAuthorizationsID({ authID, body: { status: 'inactive' } })
        const { authorizations } = await client.authorizations.getAuthorizations({ orgID: kept.org })
        const listed = authorizations?.filter(({ id }) => id === authID) ?? []
        check.wrong.equal(
          listed.map(({ status }) => status),
          ['inactive'],
          'status in the list',
          'actions',
        )
        check.wrong.equal(listed[0]?.description, 'For the buoys', 'description in the list', 'put-as-update')
        await client.authorizations.deleteAuthorizationsID({ authID })
        const error = await fails(() => client.authorizations.getAuthorizationsID({ authID }))
        check.wrong.equal(error.statusCode, 404, 'status after the deletion', 'errors')
      },
    },
    {
      name: 'arrange the cells of a dashboard',
      does: 'Cells get ids and places; one is moved and keeps its size, the other is deleted.',
      source:
        'POST /dashboards; POST …/cells; PATCH, DELETE …/{cellID}; GET /dashboards/{dashboardID}: Dashboard.cells',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const api = client.dashboards
        const dashboard = await api.postDashboards({
          body: { orgID: kept.org, name: 'Watch room', description: 'At night' },
        })
        const dashboardID = dashboard.id
        check(isId(dashboardID), `an id of 16 hexadecimal digits (${dashboardID})`, 'keys')
        const toCell = (body) => api.postDashboardsIDCells({ dashboardID, body })
        const left = await toCell({ name: 'Left', x: 0, y: 0, w: 5, h: 3 })
        const right = await toCell({ name: 'Right', x: 5, y: 0, w: 7, h: 3 })
        check.wrong(left.id && left.id !== right.id, 'an own id for each cell', 'keys')
        check.equal([right.x, right.y, right.w, right.h], [5, 0, 7, 3], 'place of the right cell', 'values')
        await api.patchDashboardsIDCellsID({ dashboardID, cellID: right.id, body: { x: 2, y: 6 } })
        await api.deleteDashboardsIDCellsID({ dashboardID, cellID: left.id })
        const read = await api.getDashboardsID({ dashboardID })
        check.wrong.equal([read.id, read.name], [dashboardID, 'Watch room'], 'id and name of the dashboard', 'paths')
        check.wrong.equal(
          read.cells?.map(({ id }) => id),
          [right.id],
          'cells at the end',
        )
        const { x, y, w, h } = read.cells?.[0] ?? {}
        check.wrong.equal([x, y, w, h], [2, 6, 7, 3], 'place of the right cell at the end', 'put-as-update')
      },
    },
    {
      name: 'retrieve the deleted bucket',
      does: 'The deleted bucket leaves the list, and to retrieve it is refused with 404 and the code "not found".',
      source: 'DELETE /buckets/{bucketID}: 204; GET /buckets/{bucketID}; Error.code: enum "not found"',
      needs: 'leniency',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const bucketID = kept.bucket
        const count = async () => {
          const { buckets } = await client.buckets.getBuckets({ orgID: kept.org, limit: 100 })
          return toIds(buckets).filter((id) => id === bucketID).length
        }
        check.wrong.equal(await count(), 1, 'the bucket in the list before')
        await client.buckets.deleteBucketsID({ bucketID })
        check.wrong.equal(await count(), 0, 'the bucket in the list after', 'deletion')
        const error = await fails(() => client.buckets.getBucketsID({ bucketID }))
        check.wrong(error instanceof HttpError, `HttpError (${error})`)
        check.wrong.equal(error.statusCode, 404, 'statusCode')
        check.equal(error.code, 'not found', 'code')
      },
    },
    {
      name: 'create a label without a name',
      does: 'Refuses it with 400 and the code "invalid", or another code for a request that is not valid.',
      source:
        'POST /labels: LabelCreateRequest: required ["orgID", "name"]; Error.code: enum; default "Unexpected error"',
      needs: 'leniency',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const error = await fails(() => client.labels.postLabels({ body: { orgID: kept.org } }))
        check.wrong(error instanceof HttpError, `HttpError (${error})`)
        check.wrong([400, 422].includes(error.statusCode), `statusCode 400 or 422 (${error.statusCode})`)
        const codes = ['invalid', 'unprocessable entity', 'empty value']
        check(codes.includes(error.code), `a code of the document (${error.code})`, 'errors')
      },
    },
  ],
}

function toFlux(name, every) {
  return `option task = {name: "${name}", every: ${every}}\n\nfrom(bucket: "lamps") |> range(start: -${every})`
}

function toSeconds({ everySeconds }) {
  return everySeconds
}

function toIds(records) {
  return (records ?? []).map(({ id }) => id).sort()
}

function toNames(records) {
  return (records ?? []).map(({ name }) => name)
}

function isId(text) {
  return /^[0-9a-f]{16}$/.test(text)
}

function isRecent(time) {
  return Math.abs(new Date(time).getTime() - Date.now()) < 86_400_000
}
