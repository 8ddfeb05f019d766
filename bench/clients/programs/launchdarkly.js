/**
 * Manages feature flags with the LaunchDarkly library: projects, environments, flags, segments, webhooks, and members.
 * The API is JSON with the owner's keys in paths, and JSON Patch for changes. Lists go on with limit and offset.
 */
import launchDarkly from 'launchdarkly-api'

const project = 'harbour-tools'

export default {
  connect({ address }) {
    const client = launchDarkly.ApiClient.instance
    client.basePath = address('https://app.launchdarkly.com/api/v2')
    client.defaultHeaders = { 'LD-API-Version': '20191212' }
    client.timeout = 5000
    client.authentications.Token.apiKey = 'api-program'
    const proxyOf =
      (api) =>
      (method, ...given) =>
        new Promise((resolve, reject) => {
          api[method](...given, (error, data) => (error ? reject(error) : resolve(data)))
        })
    return {
      environments: proxyOf(new launchDarkly.EnvironmentsApi()),
      flags: proxyOf(new launchDarkly.FeatureFlagsApi()),
      members: proxyOf(new launchDarkly.TeamMembersApi()),
      projects: proxyOf(new launchDarkly.ProjectsApi()),
      segments: proxyOf(new launchDarkly.UserSegmentsApi()),
      webhooks: proxyOf(new launchDarkly.WebhooksApi()),
    }
  },
  steps: [
    {
      name: 'create a project',
      does: 'Stores key, name and tags, and creates the environments that were sent, each with its own SDK key.',
      source: 'POST /projects: environments; Environment: "apiKey: The SDK key for backend LaunchDarkly SDKs"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const environments = [
          { key: 'quay', name: 'Quay', color: '1b4f72' },
          { key: 'yard', name: 'Yard', color: '7d6608' },
        ]
        const sent = { key: project, name: 'Harbour tools', tags: ['harbour'], environments }
        const created = await client.projects('postProject', sent)
        kept.project = created
        check.equal(created.key, project, 'key', 'values')
        check.equal(created.name, 'Harbour tools', 'name', 'values')
        check.equal(created.tags, ['harbour'], 'tags', 'values')
        check(/^[\da-f]{24}$/.test(created.id), `id (${created.id})`, 'keys')
        check.equal(created.environments?.map(({ key }) => key).sort(), ['quay', 'yard'], 'environments', 'values')
        const keys = created.environments?.map(({ apiKey }) => apiKey) ?? []
        check(keys.every(Boolean) && new Set(keys).size === 2, `two SDK keys (${keys})`)
        const read = await client.projects('getProject', project)
        check.wrong.equal([read.key, read.name], [project, 'Harbour tools'], 'key and name when read', 'keys')
        check.wrong.equal(read.id, created.id, 'id when read', 'state')
      },
    },
    {
      name: 'list and patch the project',
      does: 'The project is once in the list. JSON Patch changes the name and adds a tag; key and id stay.',
      source: 'GET /projects, PATCH /projects/{projectKey}: PatchOperation',
      needs: 'leniency',
      class: 'state',
      async run({ client, kept, check }) {
        const { items } = await client.projects('getProjects')
        const listed = items.filter(({ key }) => key === project)
        check.wrong.equal(
          listed.map(({ name }) => name),
          ['Harbour tools'],
          'the project in the list, once',
        )
        const patch = [
          { op: 'replace', path: '/name', value: 'Harbour and yard' },
          { op: 'add', path: '/tags/0', value: 'yard' },
        ]
        const changed = await client.projects('patchProject', project, patch)
        check.equal(changed.name, 'Harbour and yard', 'name', 'refusals')
        const read = await client.projects('getProject', project)
        check.wrong.equal([read.key, read.name], [project, 'Harbour and yard'], 'key and name when read')
        check.equal(read.tags?.slice().sort(), ['harbour', 'yard'], 'tags when read')
        check.wrong.equal(read.id, kept.project.id, 'id when read')
      },
    },
    {
      name: 'create an environment',
      does: 'The environment is stored in the project, has an SDK key, and is then read alone and in the project.',
      source: 'POST /projects/{projectKey}/environments, GET /projects/{projectKey}/environments/{environmentKey}',
      needs: 'document',
      class: 'paths',
      async run({ client, kept, check }) {
        const sent = { key: 'pier', name: 'Pier', color: '0b5345', defaultTtl: 7, secureMode: true }
        const created = await client.environments('postEnvironment', project, sent)
        kept.environment = created
        check.equal([created.key, created.name], ['pier', 'Pier'], 'key and name', 'values')
        check.equal(created.color, '0b5345', 'color', 'values')
        check.equal(created.defaultTtl, 7, 'defaultTtl', 'values')
        check(Boolean(created.apiKey), `apiKey (${created.apiKey})`, 'first-state')
        check(Boolean(created.mobileKey), `mobileKey (${created.mobileKey})`, 'first-state')
        check.equal(created.requireComments, false, 'requireComments', 'first-state')
        const read = await client.environments('getEnvironment', project, 'pier')
        check.wrong.equal([read.key, read.color, read.secureMode], ['pier', '0b5345', true], 'values when read')
        const { environments } = await client.projects('getProject', project)
        const keys = environments?.map(({ key }) => key).sort()
        check.equal(keys, ['pier', 'quay', 'yard'], 'environments of the project', 'links')
      },
    },
    {
      name: 'reset the SDK key of an environment',
      does: 'The environment has another SDK key then; its other values stay.',
      source: 'POST /projects/{projectKey}/environments/{environmentKey}/apiKey: "Reset an environment\'s SDK key"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const before = await client.environments('getEnvironment', project, 'pier')
        check.wrong.equal(before.apiKey, kept.environment.apiKey, 'SDK key before', 'state')
        const reset = await client.environments('resetEnvironmentSDKKey', project, 'pier', {})
        check.wrong.equal([reset.key, reset.name], ['pier', 'Pier'], 'key and name', 'state')
        check(Boolean(reset.apiKey) && reset.apiKey !== before.apiKey, `another SDK key (${reset.apiKey})`)
        const after = await client.environments('getEnvironment', project, 'pier')
        check.wrong.equal(after.apiKey, reset.apiKey, 'SDK key when read', 'state')
        check.wrong.equal(after.mobileKey, before.mobileKey, 'mobile key', 'state')
      },
    },
    {
      name: 'create a feature flag',
      does: 'Stores key, name and variations, and gives each variation an id. A new flag is not archived.',
      source:
        'POST /flags/{projectKey}; FeatureFlag: archived, creationDate "epoch time in milliseconds"; Variation: _id',
      needs: 'leniency',
      class: 'first-state',
      async run({ client, kept, check }) {
        const flag = await client.flags('postFeatureFlag', project, toFlag('crane-a', 'Crane A', ['crane', 'old']), {})
        kept.flag = flag
        check.equal([flag.key, flag.name], ['crane-a', 'Crane A'], 'key and name', 'refusals')
        check.equal(flag.tags?.slice().sort(), ['crane', 'old'], 'tags', 'values')
        check.equal(flag.temporary, true, 'temporary', 'values')
        check.equal(flag.defaults?.onVariation, 1, 'defaults.onVariation', 'values')
        check.equal(
          flag.variations?.map(({ value }) => value),
          ['slow', 'fast', 'off'],
          'values of the variations',
          'free-form',
        )
        check(flag.variations?.every(({ id }) => id) === true, 'an id for each variation')
        check.equal(flag.archived, false, 'archived')
        check(isRecent(flag.creationDate), `creationDate (${flag.creationDate})`, 'times')
        const read = await client.flags('getFeatureFlag', project, 'crane-a', {})
        check.wrong.equal([read.key, read.name], ['crane-a', 'Crane A'], 'key and name when read', 'keys')
        check.equal(read.creationDate, flag.creationDate, 'creationDate when read', 'state')
      },
    },
    {
      name: 'turn the flag on in one environment',
      does: 'A new flag is off in each environment, with the default variations. The patch turns it on in one only.',
      source:
        'PATCH /flags/{projectKey}/{featureFlagKey}; "each feature will include configurations for each environment"',
      needs: 'more',
      class: 'made-values',
      async run({ client, check }) {
        const before = await client.flags('getFeatureFlag', project, 'crane-a', {})
        check.wrong.equal(before.key, 'crane-a', 'key', 'keys')
        check.equal(toStates(before), { pier: false, quay: false, yard: false }, 'the flag is off before')
        check.equal(before.environments?.quay?.offVariation, 2, 'offVariation, from the defaults')
        check.equal(before.environments?.quay?.fallthrough?.variation, 1, 'variation when on, from the defaults')
        const patch = [{ op: 'replace', path: '/environments/quay/on', value: true }]
        const changed = await client.flags('patchFeatureFlag', project, 'crane-a', { comment: 'Crane is here', patch })
        check.wrong.equal(changed.key, 'crane-a', 'key in the answer', 'keys')
        const after = await client.flags('getFeatureFlag', project, 'crane-a', {})
        check.wrong.equal(toStates(after), { pier: false, quay: true, yard: false }, 'where the flag is on')
        check.equal(after.name, 'Crane A', 'name')
      },
    },
    {
      name: 'copy the flag to another environment',
      does: 'The configuration of the source environment replaces that of the target: the flag is on there, too.',
      source:
        'POST /flags/{projectKey}/{featureFlagKey}/copy: "Copies the feature flag configuration from one environment"',
      needs: 'more',
      class: 'actions',
      follows: ['turn the flag on in one environment'],
      async run({ client, check }) {
        const before = await client.flags('getFeatureFlag', project, 'crane-a', {})
        check.equal(toStates(before).yard, false, 'the flag is off in the target before')
        const sent = { source: { key: 'quay' }, target: { key: 'yard' }, comment: 'To the yard' }
        const copied = await client.flags('copyFeatureFlag', project, 'crane-a', sent)
        check.wrong.equal(copied.key, 'crane-a', 'key', 'keys')
        const after = await client.flags('getFeatureFlag', project, 'crane-a', {})
        check.equal(toStates(after), { pier: false, quay: true, yard: true }, 'where the flag is on')
      },
    },
    {
      name: 'list the flags page by page',
      does: 'Lists the flags of the project in pages of 2, sorted by key in descending order, with their number.',
      source:
        'GET /flags/{projectKey}: limit, offset, sort "prefixed by a - will be sorted in descending order"; totalCount',
      needs: 'document',
      class: 'pages',
      async run({ client, check }) {
        const flags = [
          ['crane-b', 'Crane B', ['crane']],
          ['crane-c', 'Crane C', ['crane', 'new']],
          ['gate-a', 'Gate A', ['gate']],
          ['gate-b', 'Gate B', ['gate', 'new']],
        ]
        for (const flag of flags) await client.flags('postFeatureFlag', project, toFlag(...flag), {})
        const pages = []
        for (let offset = 0; offset < 20; offset += 2) {
          const page = await client.flags('getFeatureFlags', project, { limit: 2, offset, sort: '-key' })
          check.equal(page.totalCount, 5, 'totalCount')
          if (page.items.length === 0) break
          pages.push(page.items.map(({ key }) => key))
          if (page.items.length < 2) break
        }
        const seen = pages.flat()
        const expected = ['gate-b', 'gate-a', 'crane-c', 'crane-b', 'crane-a']
        check.wrong.equal([...seen].sort(), [...expected].sort(), 'flags, each once')
        check.equal(seen, expected, 'flags by key, descending', 'filters')
      },
    },
    {
      name: 'list the flags with a tag, and archive one',
      does: 'The tag restricts the list. An archived flag is only in the list of archived ones, and has a date.',
      source:
        'GET /flags/{projectKey}: tag; archived "only archived flags", "By default, archived flags are not included"',
      needs: 'leniency',
      class: 'filters',
      async run({ client, check }) {
        const list = async (options) => {
          const { items } = await client.flags('getFeatureFlags', project, options)
          return items.map(({ key }) => key).sort()
        }
        check.wrong.equal(await list({ tag: 'gate' }), ['gate-a', 'gate-b'], 'flags with the tag')
        const patch = [{ op: 'replace', path: '/archived', value: true }]
        const archived = await client.flags('patchFeatureFlag', project, 'gate-a', { patch })
        check.equal([archived.key, archived.archived], ['gate-a', true], 'archived', 'refusals')
        check(isRecent(archived.archivedDate), `archivedDate (${archived.archivedDate})`, 'times')
        check.wrong.equal(await list({ tag: 'gate' }), ['gate-b'], 'flags with the tag after')
        check.wrong.equal(await list({ archived: true }), ['gate-a'], 'archived flags')
      },
    },
    {
      name: 'create a segment and add a user',
      does: 'A new segment of an environment is empty. The patch adds a user; another environment has no such segment.',
      source: 'POST, GET and PATCH /segments/{projectKey}/{environmentKey}; UserSegment: included, creationDate',
      needs: 'leniency',
      class: 'first-state',
      async run({ client, check }) {
        const sent = { key: 'pilots', name: 'Pilots', description: 'Who steers', tags: ['people'] }
        const created = await client.segments('postUserSegment', project, 'quay', sent)
        check.equal([created.key, created.name], ['pilots', 'Pilots'], 'key and name', 'values')
        check.equal(created.description, 'Who steers', 'description', 'values')
        check.equal(created.included ?? [], [], 'included')
        check.equal(created.rules ?? [], [], 'rules')
        check(isRecent(created.creationDate), `creationDate (${created.creationDate})`, 'times')
        const patch = [{ op: 'add', path: '/included/0', value: 'user-anna' }]
        await client.segments('patchUserSegment', project, 'quay', 'pilots', patch)
        const read = await client.segments('getUserSegment', project, 'quay', 'pilots')
        check.wrong.equal(read.key, 'pilots', 'key when read', 'keys')
        check.equal(read.included, ['user-anna'], 'included when read', 'refusals')
        const inQuay = await client.segments('getUserSegments', project, 'quay', {})
        check.wrong.equal(toKeys(inQuay.items), ['pilots'], 'segments of the environment', 'paths')
        const inYard = await client.segments('getUserSegments', project, 'yard', {})
        check.wrong.equal(toKeys(inYard.items), [], 'segments of another environment', 'paths')
      },
    },
    {
      name: 'create a webhook, turn it off, and delete it',
      does: 'A signed webhook without a secret gets one. The patch turns it off. It is then deleted, and not found.',
      source:
        'POST /webhooks: "If sign is true, and the secret … is omitted, LaunchDarkly will automatically generate"',
      needs: 'leniency',
      class: 'first-state',
      async run({ client, check, fails }) {
        const sent = { url: 'https://hooks.example.net/flags', name: 'Flags to harbour', sign: true, on: true }
        const created = await client.webhooks('postWebhook', sent)
        const id = created.id
        check(/^[\da-f]{24}$/.test(id), `id (${id})`, 'keys')
        check.equal([created.url, created.on], [sent.url, true], 'url and on', 'values')
        check(Boolean(created.secret), `secret (${created.secret})`)
        await client.webhooks('patchWebhook', id, [{ op: 'replace', path: '/on', value: false }])
        const read = await client.webhooks('getWebhook', id)
        check.wrong.equal([read.id, read.name, read.on], [id, sent.name, false], 'id, name and on after', 'refusals')
        const { items } = await client.webhooks('getWebhooks')
        check.wrong.equal(items.filter((each) => each.id === id).length, 1, 'times in the list', 'state')
        await client.webhooks('deleteWebhook', id)
        const error = await fails(() => client.webhooks('getWebhook', id))
        check.wrong.equal(error.status, 404, 'status after the deletion', 'deletion')
      },
    },
    {
      name: 'invite a member',
      does: 'The answer is a list with the new member, who has a pending invitation, and is then found by id.',
      source: 'POST /members: "Invite new members", body is a list; 201 Members: items; Member: _pendingInvite',
      needs: 'overlay',
      class: 'envelopes',
      async run({ client, check }) {
        const email = 'pilot.ekberg@harbour.example.net'
        const sent = { email, role: 'reader', firstName: 'Astrid', lastName: 'Ekberg' }
        const { items } = await client.members('postMembers', [sent])
        check.equal(items?.length, 1, 'number of members in the answer')
        const member = items?.[0] ?? {}
        check.equal([member.email, member.role], [email, 'reader'], 'email and role', 'envelopes')
        check.equal(member.pendingInvite, true, 'pendingInvite', 'first-state')
        check(/^[\da-f]{24}$/.test(member.id), `id (${member.id})`, 'keys')
        const read = await client.members('getMember', member.id)
        check.wrong.equal([read.id, read.email], [member.id, email], 'id and email when read', 'state')
      },
    },
    {
      name: 'delete a flag, then the project',
      does: 'The flag is not found after its deletion. The project takes its environments and flags with it.',
      source: 'DELETE /flags/…, /projects/…: "will delete all associated environments and feature flags"; GET: 404',
      needs: 'document',
      class: 'deletion',
      async run({ client, check, fails }) {
        const get = (key) => client.flags('getFeatureFlag', project, key, {})
        check.wrong.equal((await get('crane-b')).key, 'crane-b', 'the flag before', 'state')
        await client.flags('deleteFeatureFlag', project, 'crane-b')
        const ofFlag = await fails(() => get('crane-b'))
        check.wrong(ofFlag instanceof Error && ofFlag.status === 404, `404 for the flag (${ofFlag})`, 'errors')
        check.wrong.equal((await get('crane-a')).key, 'crane-a', 'another flag', 'state')
        await client.projects('deleteProject', project)
        const ofProject = await fails(() => client.projects('getProject', project))
        check.wrong(
          ofProject instanceof Error && ofProject.status === 404,
          `404 for the project (${ofProject})`,
          'errors',
        )
        const ofOther = await fails(() => get('crane-a'))
        check.wrong.equal(ofOther.status, 404, 'status for a flag of the deleted project', 'links')
      },
    },
    {
      name: 'create a project without a key',
      does: 'Answers 400, which the library passes on as an error with the status.',
      source: 'POST /projects: required name, key; 400 "Invalid request body"',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.projects('postProject', { name: 'No key' }))
        check.wrong(error instanceof Error, `an error (${error})`, 'errors')
        check.wrong.equal(error.status, 400, 'status', 'errors')
      },
    },
  ],
}

function toFlag(key, name, tags) {
  const variations = ['slow', 'fast', 'off'].map((value) => ({ value, name: value.toUpperCase() }))
  return { key, name, tags, temporary: true, variations, defaults: { onVariation: 1, offVariation: 2 } }
}

/** Where a flag is on, by environment. */
function toStates(flag) {
  return Object.fromEntries(Object.entries(flag.environments ?? {}).map(([key, { on }]) => [key, on]))
}

function toKeys(items) {
  return items.map(({ key }) => key).sort()
}

function isRecent(time) {
  return Math.abs(Date.now() - time) < 24 * 60 * 60 * 1000
}
