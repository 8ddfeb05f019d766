/**
 * A domain with records, Droplets with actions and tags, a volume, an SSH key and a project.
 * The API has REST paths under /v2, one record or list under its own key in the bodies, and pages by number with a
 * total. The library is of Kiota's style: a chain of path segments, with members in camel case.
 */
import { createDigitalOceanClient, DigitalOceanApiKeyAuthenticationProvider } from '@digitalocean/dots'
import {
  FetchRequestAdapter,
  KiotaClientFactory,
  MiddlewareFactory,
  RetryHandler,
} from '@microsoft/kiota-http-fetchlibrary'

const dayMs = 24 * 60 * 60 * 1000
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFw87Ci0ODnH3Z6Bs2KUu0Ueb+Rjb1Rm5uqkMTiOl4z0'

export default {
  connect: ({ address }) => {
    const middlewares = MiddlewareFactory.getDefaultMiddlewares().filter((each) => !(each instanceof RetryHandler))
    const http = KiotaClientFactory.create(undefined, middlewares)
    const authentication = new DigitalOceanApiKeyAuthenticationProvider('dop_v1_integration')
    const adapter = new FetchRequestAdapter(authentication, undefined, undefined, http)
    adapter.baseUrl = address('https://api.digitalocean.com')
    return createDigitalOceanClient(adapter).v2
  },
  steps: [
    {
      name: 'create and retrieve a domain',
      does: 'The domain is found by its name, with a time to live of 1800 s. The account lists it once.',
      source: 'POST and GET /v2/domains, GET /v2/domains/{domain_name}: ttl in the examples',
      needs: 'overlay',
      class: 'keys',
      async run({ client, check }) {
        const created = await client.domains.post({ name: 'heron-colony.com' })
        check.equal(created.domain.name, 'heron-colony.com', 'name', 'values')
        const read = await client.domains.byDomain_name('heron-colony.com').get()
        check.wrong.equal(read.domain.name, 'heron-colony.com', 'name of the domain that is read')
        check.equal(read.domain.ttl, 1800, 'ttl', 'first-state')
        const { domains } = await client.domains.get({ queryParameters: { perPage: 200 } })
        const names = domains.map(({ name }) => name)
        check.wrong.equal(
          names.filter((name) => name === 'heron-colony.com').length,
          1,
          'how often it is listed',
          'state',
        )
      },
    },
    {
      name: 'list the records of a type page by page',
      does: 'A new domain has just the TXT records that are created: three pages of two, two and one, and their total.',
      source: 'GET /v2/domains/{domain_name}/records: type, page, per_page; meta.total',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const { records } = client.domains.byDomain_name('heron-colony.com')
        const created = []
        for (const name of ['north', 'east', 'south', 'west', 'top']) {
          const record = { type: 'TXT', name, data: `nests=${name}`, ttl: 5400 }
          created.push((await records.post(record)).domainRecord)
        }
        kept.record = created[2]
        const { id, ...sent } = pick(created[2], ['id', 'type', 'name', 'data', 'ttl'])
        check.equal(sent, { type: 'TXT', name: 'south', data: 'nests=south', ttl: 5400 }, 'created record', 'values')
        check.wrong(Number.isInteger(id), `an integer id (${id})`, 'keys')
        await records.post({ type: 'A', name: 'cam', data: '203.0.113.40' })
        const seen = []
        let total = 1
        for (let page = 1; seen.length < total && page <= 20; page++) {
          const listed = await records.get({ queryParameters: { type: 'TXT', page, perPage: 2 } })
          check.wrong(listed.domainRecords.length <= 2, `at most 2 on page ${page} (${listed.domainRecords.length})`)
          check.equal(listed.meta?.total, 5, `total on page ${page}`)
          total = listed.meta?.total ?? 5
          seen.push(...listed.domainRecords)
          if (listed.domainRecords.length === 0) break
        }
        check.wrong.equal(sortedIds(seen), sortedIds(created), 'ids on all pages')
      },
    },
    {
      name: 'change and delete a record',
      does: 'The data is changed, name and type stay. After deletion the record is not found, another one still is.',
      source: 'PATCH, GET and DELETE /v2/domains/{domain_name}/records/{domain_record_id}',
      needs: 'document',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const { records } = client.domains.byDomain_name('heron-colony.com')
        const record = records.byDomain_record_id(kept.record.id)
        await record.patch({ type: 'TXT', data: 'nests=17' })
        const { domainRecord } = await record.get()
        check.wrong.equal(domainRecord.id, kept.record.id, 'id', 'keys')
        const sent = { type: 'TXT', name: 'south', data: 'nests=17', ttl: 5400 }
        check.equal(pick(domainRecord, ['type', 'name', 'data', 'ttl']), sent, 'changed record', 'values')
        await record.delete()
        const error = await fails(() => record.get())
        check.wrong.equal(error.responseStatusCode, 404, 'status')
        const left = await records.get({ queryParameters: { type: 'TXT', perPage: 200 } })
        const ids = left.domainRecords.map(({ id }) => id)
        check.wrong(ids.length === 4 && !ids.includes(kept.record.id), `the four others are left (${ids})`)
      },
    },
    {
      name: 'create a Droplet',
      does: 'The Droplet is new, shows region and image as objects and the size, and links the action that creates it.',
      source: 'POST /v2/droplets: 202, "`actions` returned as part of … `links`"; status "new"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = { name: 'heron-web', region: 'ams3', size: 's-2vcpu-4gb', image: 'debian-12-x64', tags: ['heron'] }
        const { droplet, links } = await client.droplets.post(sent)
        kept.droplet = droplet
        check.equal(droplet.name, 'heron-web', 'name', 'values')
        check.equal(droplet.tags, ['heron'], 'tags', 'values')
        check.equal(droplet.sizeSlug, 's-2vcpu-4gb', 'sizeSlug', 'values')
        check.wrong(Number.isInteger(droplet.id), `an integer id (${droplet.id})`, 'keys')
        check.equal(droplet.status, 'new', 'status')
        check.wrong.equal(droplet.volumeIds ?? [], [], 'volumeIds')
        check.wrong.equal(droplet.snapshotIds ?? [], [], 'snapshotIds')
        check.equal(droplet.region?.slug, 'ams3', 'region', 'references')
        check.equal(droplet.image?.slug, 'debian-12-x64', 'image', 'references')
        check(isRecent(droplet.createdAt), `createdAt is about now (${droplet.createdAt})`, 'times')
        check(links?.actions?.[0]?.rel === 'create', 'an action that creates it', 'links')
        const read = await client.droplets.byDroplet_id(droplet.id).get()
        check.wrong.equal(read.droplet.id, droplet.id, 'id of the Droplet that is read', 'keys')
        check.equal(read.droplet.name, 'heron-web', 'name of the Droplet that is read', 'values')
      },
    },
    {
      name: 'create several Droplets and list those of a tag',
      does: 'A Droplet is created for each name. The tag has three Droplets, one on a page.',
      source: 'POST /v2/droplets: "send `names` as an array"; GET /v2/droplets: tag_name, name, page, per_page',
      needs: 'more',
      class: 'pages',
      async run({ client, kept, check }) {
        const sent = { names: ['heron-db', 'heron-mail'], region: 'ams3', size: 's-2vcpu-4gb', image: 'debian-12-x64' }
        const { droplets } = await client.droplets.post({ ...sent, tags: ['heron'] })
        check.wrong.equal(namesOf(droplets), ['heron-db', 'heron-mail'], 'names of the created Droplets', 'envelopes')
        kept.droplets = droplets
        const seen = []
        for (let page = 1; page <= 20; page++) {
          const listed = await client.droplets.get({ queryParameters: { tagName: 'heron', page, perPage: 1 } })
          check.equal(listed.meta?.total, 3, `total on page ${page}`)
          if (listed.droplets.length === 0) break
          seen.push(...listed.droplets)
          if (seen.length >= (listed.meta?.total ?? 3)) break
        }
        check.wrong.equal(sortedIds(seen), sortedIds([kept.droplet, ...droplets]), 'ids on all pages')
        const named = await client.droplets.get({ queryParameters: { name: 'heron-mail' } })
        check.wrong.equal(namesOf(named.droplets), ['heron-mail'], 'Droplets of the name', 'filters')
      },
    },
    {
      name: 'power a Droplet off',
      does: 'Answers an action for the Droplet, which is listed with it. The Droplet is not off before, and off after.',
      source: 'POST and GET /v2/droplets/{droplet_id}/actions: `power_off`; action resource_id, resource_type, status',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const droplet = client.droplets.byDroplet_id(kept.droplet.id)
        const read = async () => (await droplet.get()).droplet
        const before = await waitFor(read, 'active')
        check.wrong(before.status !== 'off', `not off before (${before.status})`, 'first-state')
        const { action } = await droplet.actions.post({ type: 'power_off' })
        check.equal(action.type, 'power_off', 'type', 'values')
        check.equal(action.resourceId, kept.droplet.id, 'resourceId', 'owners')
        check.equal(action.resourceType, 'droplet', 'resourceType')
        check(['in-progress', 'completed'].includes(action.status), `a status of an action (${action.status})`)
        check(isRecent(action.startedAt), `startedAt is about now (${action.startedAt})`, 'times')
        const { actions } = await droplet.actions.get({ queryParameters: { perPage: 200 } })
        check.wrong(
          actions.some(({ id }) => id === action.id),
          'the action is listed with the Droplet',
          'paths',
        )
        const one = await droplet.actions.byAction_id(action.id).get()
        check.wrong.equal(one.action.id, action.id, 'id of the action that is read', 'keys')
        const after = await waitFor(read, 'off')
        check.wrong.equal(after.id, kept.droplet.id, 'id', 'keys')
        check.equal(after.status, 'off', 'status after the action')
      },
    },
    {
      name: 'create a volume and resize it',
      does: 'The volume is attached to no Droplet. The action gives it the new size; its name and region stay.',
      source: 'POST /v2/volumes; POST /v2/volumes/{volume_id}/actions: `resize`, "may only be resized upwards"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const sent = { name: 'heron-archive', description: 'Pictures of nests', sizeGigabytes: 25 }
        const { volume } = await client.volumes.post({ ...sent, region: 'ams3', filesystemType: 'xfs' })
        kept.volume = volume
        check.equal(pick(volume, Object.keys(sent)), sent, 'created volume', 'values')
        check.equal(volume.filesystemType, 'xfs', 'filesystemType', 'values')
        check.wrong.equal(volume.dropletIds ?? [], [], 'dropletIds', 'first-state')
        check.equal(volume.region?.slug, 'ams3', 'region', 'references')
        check(isRecent(Date.parse(volume.createdAt)), `createdAt is about now (${volume.createdAt})`, 'times')
        const one = client.volumes.byVolume_id(volume.id)
        const { action } = await one.actions.post({ type: 'resize', sizeGigabytes: 60, region: 'ams3' })
        check.equal(action.type, 'resize', 'type of the action', 'values')
        const after = await waitFor(async () => (await one.get()).volume, 60, 'sizeGigabytes')
        check.wrong.equal(after.id, volume.id, 'id', 'keys')
        check.equal(pick(after, Object.keys(sent)), { ...sent, sizeGigabytes: 60 }, 'resized volume')
        const named = await client.volumes.get({ queryParameters: { name: 'heron-archive', region: 'ams3' } })
        check.wrong.equal(namesOf(named.volumes), ['heron-archive'], 'volumes of the name', 'filters')
      },
    },
    {
      name: 'tag a Droplet and delete the tag',
      does: 'A new tag has no resources. It counts the tagged Droplet, which shows it. Deletion untags the Droplet.',
      source: 'POST /v2/tags, POST /v2/tags/{tag_id}/resources; DELETE: "also untags all the resources"',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check, fails }) {
        const { tag } = await client.tags.post({ name: 'migrating' })
        check.equal(tag.name, 'migrating', 'name', 'values')
        check.equal(tag.resources?.count, 0, 'resources of the new tag', 'first-state')
        const one = client.tags.byTag_id('migrating')
        const resource = { resourceId: String(kept.droplet.id), resourceType: 'droplet' }
        await one.resources.post({ resources: [resource] })
        const tagged = (await one.get()).tag
        check.wrong.equal(tagged.name, 'migrating', 'name of the tag that is read', 'keys')
        check.equal(tagged.resources?.droplets?.count, 1, 'Droplets that the tag counts', 'made-values')
        const droplet = client.droplets.byDroplet_id(kept.droplet.id)
        check.equal([...(await droplet.get()).droplet.tags].sort(), ['heron', 'migrating'], 'tags of the Droplet')
        await one.delete()
        const error = await fails(() => one.get())
        check.wrong.equal(error.responseStatusCode, 404, 'status for the deleted tag', 'deletion')
        check.equal((await droplet.get()).droplet.tags, ['heron'], 'tags that are left')
      },
    },
    {
      name: 'keep an SSH key',
      does: 'The key gets a fingerprint, and is found by it as well as by its id. It can be renamed and deleted.',
      source: 'POST /v2/account/keys, GET, PUT and DELETE: "Either the ID or the fingerprint of an existing SSH key"',
      needs: 'more',
      class: 'keys',
      async run({ client, check, fails }) {
        const { sshKey } = await client.account.keys.post({ name: 'Hide on the marsh', publicKey })
        check.equal(pick(sshKey, ['name', 'publicKey']), { name: 'Hide on the marsh', publicKey }, 'key', 'values')
        const isFingerprint = /^([0-9a-f]{2}:){15}[0-9a-f]{2}$/.test(sshKey.fingerprint)
        check(isFingerprint, `a fingerprint of 16 bytes (${sshKey.fingerprint})`, 'made-values')
        const byId = client.account.keys.bySsh_key_identifier(String(sshKey.id))
        check.wrong.equal((await byId.get()).sshKey.id, sshKey.id, 'id of the key that is read')
        await byId.put({ name: 'Hide on the cliff' })
        const byFingerprint = client.account.keys.bySsh_key_identifier(sshKey.fingerprint)
        const read = (await byFingerprint.get()).sshKey
        check.wrong.equal(read.id, sshKey.id, 'id of the key that is read by fingerprint')
        check.equal(read.name, 'Hide on the cliff', 'name', 'values')
        check.equal(read.publicKey, publicKey, 'publicKey', 'values')
        await byId.delete()
        const error = await fails(() => byId.get())
        check.wrong.equal(error.responseStatusCode, 404, 'status for the deleted key', 'deletion')
      },
    },
    {
      name: 'create and change a project',
      does: 'A new project is not the default. A change keeps what is not sent.',
      source: 'POST /v2/projects, PATCH and GET /v2/projects/{project_id}; is_default',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = { name: 'Colony', purpose: 'IoT', description: 'Cameras at the nests', environment: 'Staging' }
        const { project } = await client.projects.post(sent)
        kept.project = project
        check.equal(pick(project, Object.keys(sent)), sent, 'created project', 'values')
        check.wrong(isText(project.id), `an id (${project.id})`, 'keys')
        check.wrong(!project.isDefault, 'not the default project')
        check.equal(project.isDefault, false, 'isDefault')
        check(isRecent(project.createdAt), `createdAt is about now (${project.createdAt})`, 'times')
        const one = client.projects.byProject_id(project.id)
        await one.patch({ name: 'Colony of herons' })
        const read = (await one.get()).project
        check.wrong.equal(read.id, project.id, 'id', 'keys')
        check.equal(pick(read, Object.keys(sent)), { ...sent, name: 'Colony of herons' }, 'changed project', 'values')
      },
    },
    {
      name: 'assign resources to the project',
      does: 'A new project has no resources. Volume and Droplet are assigned by their resource names, and listed.',
      source: 'POST and GET /v2/projects/{project_id}/resources: urn "do:resource_type:resource_id"',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const { resources } = client.projects.byProject_id(kept.project.id)
        check.wrong.equal((await resources.get()).resources, [], 'resources before', 'first-state')
        const urns = [`do:droplet:${kept.droplet.id}`, `do:volume:${kept.volume.id}`]
        const assigned = await resources.post({ resources: urns })
        check.wrong.equal(urnsOf(assigned.resources), urns, 'resources that the assignment answers', 'envelopes')
        const listed = await resources.get({ queryParameters: { perPage: 200 } })
        check.wrong.equal(urnsOf(listed.resources), urns, 'resources of the project')
      },
    },
    {
      name: 'create a Droplet without an image',
      does: 'Answers 422; the library throws its error with the id unprocessable_entity.',
      source:
        'POST /v2/droplets: required size, image; https://docs.digitalocean.com/reference/api/intro (HTTP statuses)',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.droplets.post({ name: 'heron-x', region: 'ams3', size: 's-2vcpu-4gb' }))
        check.wrong([400, 422].includes(error.responseStatusCode), `a status of 4xx (${error.responseStatusCode})`)
        check.equal(error.responseStatusCode, 422, 'status', 'errors')
        check.equal(error.id, 'unprocessable_entity', 'id', 'errors')
        check(isText(error.messageEscaped), `a message (${error.messageEscaped})`, 'errors')
      },
    },
    {
      name: 'delete a Droplet',
      does: 'The Droplet is found before. After deletion it answers 404 with the id not_found; the tag has the others.',
      source: 'DELETE /v2/droplets/{droplet_id}: 204; GET: 404 "not_found"',
      needs: 'document',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const [gone, other] = kept.droplets
        const droplet = client.droplets.byDroplet_id(gone.id)
        check.wrong.equal((await droplet.get()).droplet.name, 'heron-db', 'name before', 'state')
        await droplet.delete()
        await waitFor(
          async () => ({
            isGone: await droplet.get().then(
              () => false,
              () => true,
            ),
          }),
          true,
          'isGone',
        )
        const error = await fails(() => droplet.get())
        check.wrong.equal(error.responseStatusCode, 404, 'status')
        check.equal(error.id, 'not_found', 'id of the error', 'errors')
        const left = await client.droplets.get({ queryParameters: { tagName: 'heron', perPage: 200 } })
        check.wrong.equal(sortedIds(left.droplets), sortedIds([kept.droplet, other]), 'Droplets that are left')
      },
    },
    {
      name: 'delete the domain',
      does: 'The domain is found before. After deletion it and its records answer 404.',
      source: 'DELETE /v2/domains/{domain_name}: 204; GET: 404',
      needs: 'document',
      class: 'deletion',
      async run({ client, check, fails }) {
        const domain = client.domains.byDomain_name('heron-colony.com')
        check.wrong.equal((await domain.get()).domain.name, 'heron-colony.com', 'name before', 'state')
        await domain.delete()
        const error = await fails(() => domain.get())
        check.wrong.equal(error.responseStatusCode, 404, 'status')
        check.equal(error.id, 'not_found', 'id of the error', 'errors')
        const ofRecords = await fails(() => domain.records.get())
        check.wrong.equal(ofRecords.responseStatusCode, 404, 'status for its records', 'state')
      },
    },
  ],
}

/** Asks a few times for a value, and returns the record that was read last. */
async function waitFor(read, value, name = 'status') {
  let record = await read()
  for (let attempt = 0; attempt < 4 && record[name] !== value; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    record = await read()
  }
  return record
}

function pick(record, names) {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

function sortedIds(records) {
  return records.map(({ id }) => id).sort((a, b) => a - b)
}

function namesOf(records) {
  return records.map(({ name }) => name).sort()
}

function urnsOf(resources) {
  return resources.map(({ urn }) => urn).sort()
}

function isText(value) {
  return typeof value === 'string' && value !== ''
}

function isRecent(time) {
  return Math.abs(Number(time) - Date.now()) < dayMs
}
