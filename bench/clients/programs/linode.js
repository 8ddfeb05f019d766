/**
 * Domains with records, a volume, a Linode instance that boots and shuts down, a firewall, and tags.
 * The API has REST paths, updates by PUT, actions by POST below the record, pages of at least 25, and filters as JSON
 * in the header X-Filter. The library has fixed addresses and one axios instance, baseRequest, with interceptors.
 */
import { createRequire } from 'node:module'

// Its ES modules need names that newer versions of @linode/validation do not export.
const linode = createRequire(import.meta.url)('@linode/api-v4')

const dayMs = 24 * 60 * 60 * 1000
const pathStart = '/dev/disk/by-id/scsi-0Linode_Volume_'
const soaEmail = 'keeper@pelican-harbour.net'

export default {
  connect: ({ address }) => {
    const servers = ['https://api.linode.com/v4beta', 'https://api.linode.com/v4']
    linode.setToken('integration')
    linode.baseRequest.interceptors.request.use((config) => {
      const server = servers.find((each) => config.url.startsWith(each))
      const url = server === undefined ? config.url : `${address(server)}${config.url.slice(server.length)}`
      return { ...config, url, timeout: 5000 }
    })
    return linode
  },
  steps: [
    {
      name: 'create a domain',
      does: 'The domain is active, has no masters and no transfers, and the times that were not sent are 0.',
      source: 'POST /domains: status default active, expire_sec default 0, master_ips, axfr_ips',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = { domain: 'pelican-harbour.net', type: 'master', soa_email: soaEmail, ttl_sec: 3600 }
        const domain = await client.createDomain({ ...sent, tags: ['pelican'] })
        kept.domain = domain
        compare(check, domain, { ...sent, tags: ['pelican'] }, 'values')
        check.wrong(Number.isInteger(domain.id), `an integer id (${domain.id})`, 'keys')
        compare(check, domain, { status: 'active', expire_sec: 0, retry_sec: 0, refresh_sec: 0 })
        check.wrong.equal(domain.master_ips ?? [], [], 'master_ips')
        check.wrong.equal(domain.axfr_ips ?? [], [], 'axfr_ips')
        const read = await client.getDomain(domain.id)
        compare(check.wrong, read, { id: domain.id, domain: 'pelican-harbour.net' }, 'keys')
        compare(check, read, { soa_email: soaEmail, ttl_sec: 3600, tags: ['pelican'] }, 'values')
      },
    },
    {
      name: 'list the records of the domain, and change one',
      does: 'A new domain has just the 55 records that are created: pages of 25, 25 and 5, each record exactly once.',
      source: 'GET /domains/{domainId}/records: page, page_size "minimum: 25"; PaginationEnvelope page, pages, results',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const domainId = kept.domain.id
        const created = []
        for (let round = 0; round < 5; round++) {
          const numbers = Array.from({ length: 11 }, (_, index) => round * 11 + index + 1)
          const ofNumber = (number) =>
            client.createDomainRecord(domainId, { type: 'A', name: `nest-${number}`, target: `198.51.100.${number}` })
          created.push(...(await Promise.all(numbers.map(ofNumber))))
        }
        kept.records = created
        const seen = []
        let pages = 1
        for (let page = 1; page <= Math.min(pages, 20); page++) {
          const listed = await client.getDomainRecords(domainId, { page, page_size: 25 })
          check.wrong(listed.data.length <= 25, `at most 25 on page ${page} (${listed.data.length})`)
          compare(check, listed, { page, pages: 3, results: 55 })
          pages = listed.pages
          seen.push(...listed.data)
        }
        check.wrong.equal(sortedIds(seen), sortedIds(created), 'ids on all pages')
        check.equal(namesOf(seen), namesOf(created), 'names on all pages', 'values')
        const [first] = created
        check.equal(first.target, '198.51.100.1', 'target', 'values')
        check(isRecent(first.created), `created is about now (${first.created})`, 'times')
        await client.updateDomainRecord(domainId, first.id, { target: '203.0.113.77', ttl_sec: 7200 })
        const read = await client.getDomainRecord(domainId, first.id)
        check.wrong.equal(read.id, first.id, 'id', 'keys')
        compare(check, read, { target: '203.0.113.77', ttl_sec: 7200, name: 'nest-1' }, 'put-as-update')
      },
    },
    {
      name: 'filter and sort the domains',
      does: 'X-Filter selects by the name, a part of it, or a tag, and sorts by an attribute.',
      source: 'GET /domains; info "Filtering and Sorting": X-Filter, +contains, +order_by, +order',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const type = 'master'
        const soa_email = soaEmail
        const marsh = await client.createDomain({ domain: 'pelican-marsh.net', type, soa_email, tags: ['wetland'] })
        await client.createDomain({ domain: 'heron-harbour.net', type, soa_email })
        const list = async (filter) => idsOf((await client.getDomains({ page: 1, page_size: 25 }, filter)).data)
        const { id } = kept.domain
        check.wrong.equal(await list({ domain: 'pelican-harbour.net' }), [id], 'domains of the name')
        const byPart = { domain: { '+contains': 'pelican-' }, '+order_by': 'domain', '+order': 'desc' }
        check.wrong.equal(await list(byPart), [marsh.id, id], 'domains with the part, sorted')
        check.wrong.equal(await list({ tags: 'wetland' }), [marsh.id], 'domains with the tag')
      },
    },
    {
      name: 'change the domain',
      does: 'What is sent is changed, what is not sent stays.',
      source: 'PUT /domains/{domainId}: status "Used to control whether this Domain is currently being rendered"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const before = await client.getDomain(kept.domain.id)
        check.equal(before.status, 'active', 'status before', 'first-state')
        await client.updateDomain(kept.domain.id, { status: 'disabled', description: 'Winter roost', ttl_sec: 14400 })
        const after = await client.getDomain(kept.domain.id)
        compare(check.wrong, after, { id: kept.domain.id, domain: 'pelican-harbour.net' })
        compare(check, after, { status: 'disabled', description: 'Winter roost', ttl_sec: 14400 })
        compare(check, after, { soa_email: soaEmail, type: 'master', tags: ['pelican'] })
      },
    },
    {
      name: 'clone the domain',
      does: 'Makes another domain with copies of all records.',
      source: 'POST /domains/{domainId}/clone: "Clones a Domain and all associated DNS records"',
      needs: 'more',
      class: 'actions',
      async run({ client, kept, check }) {
        const clone = await client.cloneDomain(kept.domain.id, { domain: 'pelican-island.net' })
        check.wrong(clone.id !== kept.domain.id, `another id (${clone.id})`, 'keys')
        compare(check, clone, { domain: 'pelican-island.net', type: 'master', soa_email: soaEmail })
        const read = await client.getDomain(clone.id)
        check.wrong.equal(read.domain, 'pelican-island.net', 'domain', 'keys')
        const { data, results } = await client.getDomainRecords(clone.id, { page_size: 100 })
        check.equal(results, 55, 'records of the clone')
        check.equal(namesOf(data), namesOf(kept.records), 'names of the records')
        const own = new Set(idsOf(kept.records))
        check.wrong(!data.some(({ id }) => own.has(id)), 'records with ids of their own', 'keys')
      },
    },
    {
      name: 'create a volume',
      does: 'The volume is being created or active, is not attached, and its path is made of its label.',
      source: 'POST /volumes; Volume status, linode_id, filesystem_path "scsi-0Linode_Volume_ + Volume label"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = { region: 'eu-west', label: 'pelican-data', size: 37, tags: ['pelican'] }
        const volume = await client.createVolume(sent)
        kept.volume = volume
        compare(check, volume, sent, 'values')
        check(['creating', 'active'].includes(volume.status), `a status of a new volume (${volume.status})`)
        check.wrong.equal(volume.linode_id ?? null, null, 'linode_id')
        check.wrong.equal(volume.linode_label ?? null, null, 'linode_label')
        check.equal(volume.filesystem_path, `${pathStart}pelican-data`, 'filesystem_path', 'made-values')
        check(isRecent(volume.created), `created is about now (${volume.created})`, 'times')
        const { data } = await client.getVolumes({ page_size: 25 }, { label: 'pelican-data' })
        check.wrong.equal(idsOf(data), [volume.id], 'volumes of the label', 'filters')
      },
    },
    {
      name: 'resize the volume',
      does: 'An active volume gets the new size; label and region stay.',
      source: 'POST /volumes/{volumeId}/resize: "can only be resized up", "status of \\"active\\""',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const before = await waitFor(() => client.getVolume(kept.volume.id), 'active')
        check.equal(before.status, 'active', 'status before', 'jobs')
        check.equal(before.size, 37, 'size before', 'values')
        await client.resizeVolume(kept.volume.id, { size: 64 })
        const after = await client.getVolume(kept.volume.id)
        check.wrong.equal(after.id, kept.volume.id, 'id', 'keys')
        compare(check, after, { size: 64, label: 'pelican-data', region: 'eu-west' })
        check(['resizing', 'active'].includes(after.status), `a status after it (${after.status})`, 'state')
      },
    },
    {
      name: 'create a Linode',
      does: 'The Linode is not running yet, has an address, and the password is not shown.',
      source: 'POST /linode/instances: booted "remain `offline`", label minLength 3 (but its pattern refuses that)',
      needs: 'leniency',
      class: 'refusals',
      async run({ client, kept, check }) {
        const sent = { region: 'eu-west', type: 'g6-nanode-1', label: 'pelican-web', image: 'linode/debian11' }
        const secret = { root_pass: 'Kz7!pelican-Harbour-1874', booted: false }
        const created = await client.createLinode({ ...sent, ...secret, tags: ['pelican'] })
        kept.linode = created
        compare(check, created, { ...sent, tags: ['pelican'] }, 'values')
        const isNew = ['provisioning', 'offline'].includes(created.status)
        check(isNew, `a status of a new Linode (${created.status})`, 'first-state')
        check(created.ipv4?.length > 0, `an address (${created.ipv4})`, 'first-state')
        check.equal(created.hypervisor, 'kvm', 'hypervisor', 'first-state')
        check.wrong(!('root_pass' in created), 'the password is not in the answer', 'first-state')
        check(isRecent(created.created), `created is about now (${created.created})`, 'times')
      },
    },
    {
      name: 'list the Linodes of a label',
      does: 'The list is found with a slash at the end, too. A label is of one Linode only.',
      source: 'GET /linode/instances: label filterable; https://techdocs.akamai.com/linode-api',
      needs: 'leniency',
      class: 'trailing-slash',
      async run({ client, kept, check }) {
        const { data, results } = await client.getLinodes({ page: 1, page_size: 25 }, { label: 'pelican-web' })
        check.wrong.equal(idsOf(data), [kept.linode.id], 'Linodes of the label', 'filters')
        check.equal(data[0]?.label, 'pelican-web', 'label', 'values')
        check.equal(results, 1, 'results', 'filters')
      },
    },
    {
      name: 'boot the Linode and shut it down',
      does: 'The Linode is off before, boots or runs after booting, and goes off or is off after shutting down.',
      source: 'POST /linode/instances/{linodeId}/boot "Boot started", /shutdown "Shutdown started"; Linode status',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const read = () => client.getLinode(kept.linode.id)
        const before = await waitFor(read, 'offline')
        check.wrong.equal(before.id, kept.linode.id, 'id', 'keys')
        check.wrong(!['booting', 'running'].includes(before.status), `off before (${before.status})`, 'first-state')
        await client.linodeBoot(kept.linode.id)
        const booted = await waitFor(read, 'running')
        check(['booting', 'running'].includes(booted.status), `on after booting (${booted.status})`)
        await client.linodeShutdown(kept.linode.id)
        const off = await waitFor(read, 'offline')
        check(['shutting_down', 'offline'].includes(off.status), `off after shutting down (${off.status})`)
        compare(check, off, { label: 'pelican-web', region: 'eu-west' }, 'values')
      },
    },
    {
      name: 'protect the Linode with a firewall',
      does: 'A new firewall is enabled. Its device shows id, label and address of the Linode. It can be disabled.',
      source: 'POST /networking/firewalls "first created its status is `enabled`", /devices: entity; PUT: status',
      needs: 'overlay',
      class: 'servers',
      async run({ client, kept, check }) {
        const addresses = { ipv4: ['198.51.100.0/24'] }
        const rule = { action: 'ACCEPT', protocol: 'TCP', ports: '8443', label: 'nest-web', addresses }
        const rules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: [rule], outbound: [] }
        const firewall = await client.createFirewall({ label: 'pelican-wall', rules })
        check.equal(firewall.label, 'pelican-wall', 'label', 'values')
        check.equal(firewall.status, 'enabled', 'status', 'first-state')
        compare(check, firewall.rules, { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' }, 'values')
        check.equal(firewall.rules.inbound[0]?.ports, '8443', 'ports of the rule', 'values')
        const device = await client.addFirewallDevice(firewall.id, { id: kept.linode.id, type: 'linode' })
        compare(check, device.entity, { id: kept.linode.id, type: 'linode' }, 'links')
        const address = `/v4/linode/instances/${kept.linode.id}`
        compare(check, device.entity, { label: 'pelican-web', url: address }, 'references')
        const { data } = await client.getFirewallDevices(firewall.id, { page: 1, page_size: 25 })
        check.wrong.equal(idsOf(data), [device.id], 'devices of the firewall', 'paths')
        await client.disableFirewall(firewall.id)
        const disabled = await client.getFirewall(firewall.id)
        check.wrong.equal(disabled.id, firewall.id, 'id', 'keys')
        compare(check, disabled, { status: 'disabled', label: 'pelican-wall' }, 'put-as-update')
      },
    },
    {
      name: 'tag the domain',
      does: 'A new tag is applied to the domain at once. When it is deleted, the domain does not have it any more.',
      source:
        'POST /tags: "optionally tags requested objects with it immediately"; DELETE /tags/{label}: "from all objects"',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const labels = async () => (await client.getTags({ page_size: 500 })).data.map(({ label }) => label)
        check.wrong(!(await labels()).includes('migratory'), 'the tag is not listed before', 'state')
        const tag = await client.createTag({ label: 'migratory', domains: [kept.domain.id] })
        check.equal(tag.label, 'migratory', 'label', 'values')
        check.wrong((await labels()).includes('migratory'), 'the tag is listed', 'state')
        const tagged = await client.getDomain(kept.domain.id)
        check.equal([...tagged.tags].sort(), ['migratory', 'pelican'], 'tags of the domain')
        await client.deleteTag('migratory')
        check.wrong(!(await labels()).includes('migratory'), 'the deleted tag is not listed', 'deletion')
        check.equal((await client.getDomain(kept.domain.id)).tags, ['pelican'], 'tags that are left')
      },
    },
    {
      name: 'create a volume with an invalid label',
      does: 'Two dashes in a row are not allowed. Answers 400 with the reason and the field.',
      source: 'POST /volumes: label pattern "^[a-zA-Z]((?!--|__)[a-zA-Z0-9-_])+$"; ErrorObject',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.createVolume({ region: 'eu-west', label: 'pelican--data', size: 37 }))
        check.wrong(error.isAxiosError && error.response?.status === 400, `an AxiosError with 400 (${error})`)
        const [first] = error.response?.data?.errors ?? []
        check.equal(first?.field, 'label', 'field', 'errors')
        check.equal(typeof first?.reason, 'string', 'type of the reason', 'errors')
      },
    },
    {
      name: 'delete a record and the domain',
      does: 'Both are found before. After deletion they answer 404, and are not listed. Other records stay.',
      source: 'DELETE /domains/{domainId}[/records/{recordId}]: 200; info "Errors": 4xx',
      needs: 'document',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const domainId = kept.domain.id
        const { id } = kept.records[9]
        check.wrong.equal((await client.getDomainRecord(domainId, id)).id, id, 'id of the record before', 'state')
        await client.deleteDomainRecord(domainId, id)
        const ofRecord = await fails(() => client.getDomainRecord(domainId, id))
        check.wrong.equal(ofRecord.response?.status, 404, 'status for the record')
        check.equal((await client.getDomainRecords(domainId, { page_size: 25 })).results, 54, 'records that are left')
        await client.deleteDomain(domainId)
        const error = await fails(() => client.getDomain(domainId))
        check.wrong(error.isAxiosError && error.response?.status === 404, `an AxiosError with 404 (${error})`)
        check.equal(typeof error.response?.data?.errors?.[0]?.reason, 'string', 'type of the reason', 'errors')
        const { data } = await client.getDomains({ page_size: 25 }, { domain: 'pelican-harbour.net' })
        check.wrong.equal(data, [], 'domains of the name')
      },
    },
  ],
}

/** Asks a few times for a status, and returns what was read last. */
async function waitFor(read, status) {
  let record = await read()
  for (let attempt = 0; attempt < 4 && record.status !== status; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    record = await read()
  }
  return record
}

function compare(check, record, expected, ofClass) {
  for (const [name, value] of Object.entries(expected)) check.equal(record[name], value, name, ofClass)
}

function idsOf(records) {
  return records.map(({ id }) => id)
}

function sortedIds(records) {
  return idsOf(records).sort((a, b) => a - b)
}

function namesOf(records) {
  return records.map(({ name }) => name).sort()
}

function isRecent(time) {
  return Math.abs(Date.parse(time) - Date.now()) < dayMs
}
