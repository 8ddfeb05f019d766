/**
 * Sites with build hooks, snippets, environment variables and a deploy.
 * The API has REST paths under /api/v1, bare records and arrays in the bodies, and pages by number. The library makes
 * its methods from the document itself.
 */
import { createHash } from 'node:crypto'
import { NetlifyAPI } from '@netlify/api'

const dayMs = 24 * 60 * 60 * 1000
const pageLimit = 20
const page = '<!doctype html><title>Terns</title><p>Forty terns on the cliff.</p>'
const pageSha = createHash('sha1').update(page).digest('hex')

export default {
  connect: ({ address }) => {
    const { protocol, host, pathname } = new URL(address('https://api.netlify.com/api/v1'))
    return new NetlifyAPI('nfp_integration', { scheme: protocol.replace(':', ''), host, pathPrefix: pathname })
  },
  steps: [
    {
      name: 'create a site',
      does: 'The site gets an id, is current, belongs to an account, has its name in its address, and no deploy.',
      source: 'POST /sites; definition site; https://docs.netlify.com/api/get-started/#create-site',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const site = await client.createSite({ body: { name: 'tern-gallery-harbour' } })
        kept.site = site
        check.equal(site.name, 'tern-gallery-harbour', 'name', 'values')
        check.wrong(isText(site.id), `an id (${site.id})`, 'keys')
        check(isText(site.account_id), `an account_id (${site.account_id})`, 'owners')
        check.equal(site.state, 'current', 'state')
        check.wrong.equal(site.published_deploy ?? null, null, 'published_deploy')
        check(site.ssl_url?.includes('tern-gallery-harbour'), `the name in ssl_url (${site.ssl_url})`, 'made-values')
        check(isRecent(site.created_at), `created_at is about now (${site.created_at})`, 'times')
      },
    },
    {
      name: 'retrieve the site',
      does: 'The id leads to the site that was created.',
      source: 'GET /sites/{site_id}',
      needs: 'document',
      class: 'keys',
      async run({ client, kept, check }) {
        const site = await client.getSite({ siteId: kept.site.id })
        compare(check.wrong, site, { id: kept.site.id, name: 'tern-gallery-harbour' })
        compare(check, site, { account_id: kept.site.account_id }, 'owners')
        check.equal(site.created_at, kept.site.created_at, 'created_at', 'times')
      },
    },
    {
      name: 'list the sites page by page',
      does: 'All pages together have each created site exactly once, and no site twice.',
      source: 'GET /sites: page, per_page; https://docs.netlify.com/api/get-started/#pagination',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const created = [kept.site]
        for (const place of ['cliff', 'beach', 'marsh', 'jetty']) {
          created.push(await client.createSite({ body: { name: `tern-gallery-${place}` } }))
        }
        kept.sites = created
        const seen = []
        for (let number = 1; number <= pageLimit; number++) {
          const sites = await client.listSites({ page: number, per_page: 2 })
          check.wrong(sites.length <= 2, `at most 2 on page ${number} (${sites.length})`)
          if (sites.length === 0) break
          seen.push(...sites.map(({ id }) => id))
        }
        for (const { id, name } of created) check.wrong.equal(countOf(seen, id), 1, `how often ${name} is listed`)
        check.wrong.equal(new Set(seen).size, seen.length, 'different sites')
        check.wrong.equal(new Set(created.map(({ id }) => id)).size, 5, 'different ids', 'keys')
      },
    },
    {
      name: 'list the sites of a name',
      does: 'The name selects the site that has it; the other created ones are not listed.',
      source: 'GET /sites: name, filter',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const listed = (await client.listSites({ name: 'tern-gallery-beach', filter: 'all' })).map(({ id }) => id)
        const [harbour, cliff, beach] = kept.sites
        check.wrong.equal(countOf(listed, beach.id), 1, 'how often the site of the name is listed')
        check.wrong.equal(countOf(listed, cliff.id), 0, 'how often another site is listed')
        check.wrong.equal(countOf(listed, harbour.id), 0, 'how often a third site is listed')
      },
    },
    {
      name: 'rename the site',
      does: 'Name and processing settings are changed; id, account and time of creation stay.',
      source: 'PATCH /sites/{site_id}: siteSetup name, processing_settings',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const settings = { html: { pretty_urls: false } }
        const body = { name: 'tern-gallery-lagoon', processing_settings: settings }
        const updated = await client.updateSite({ siteId: kept.site.id, body })
        check.wrong.equal(updated.id, kept.site.id, 'id', 'keys')
        const read = await client.getSite({ siteId: kept.site.id })
        check.wrong.equal(read.id, kept.site.id, 'id', 'keys')
        check.equal(read.name, 'tern-gallery-lagoon', 'name')
        check.equal(read.processing_settings?.html?.pretty_urls, false, 'pretty_urls')
        compare(check, read, { account_id: kept.site.account_id }, 'owners')
        check.equal(read.created_at, kept.site.created_at, 'created_at', 'times')
      },
    },
    {
      name: 'create build hooks',
      does: 'A build hook belongs to the site, and has a URL of its own. A new site has just the created ones.',
      source: 'POST and GET /sites/{site_id}/build_hooks; definition buildHook',
      needs: 'overlay',
      class: 'paths',
      async run({ client, kept, check }) {
        const siteId = kept.site.id
        const nightly = await client.createSiteBuildHook({ siteId, body: { title: 'Nightly', branch: 'dusk' } })
        const weekly = await client.createSiteBuildHook({ siteId, body: { title: 'Weekly', branch: 'dawn' } })
        kept.hook = nightly
        compare(check, nightly, { title: 'Nightly', branch: 'dusk' }, 'values')
        check.equal(nightly.site_id, siteId, 'site_id', 'owners')
        check(nightly.url?.includes(nightly.id), `its id in the URL (${nightly.url})`, 'made-values')
        check(isRecent(nightly.created_at), `created_at is about now (${nightly.created_at})`, 'times')
        const hooks = await client.listSiteBuildHooks({ siteId })
        check.wrong.equal(sortedIds(hooks), sortedIds([nightly, weekly]), 'hooks of the site')
        const ofOther = await client.listSiteBuildHooks({ siteId: kept.sites[1].id })
        check.wrong.equal(ofOther, [], 'hooks of another site')
      },
    },
    {
      name: 'change and delete a build hook',
      does: 'The change answers 204, and is read again. After deletion the hook is neither found nor listed.',
      source: 'PUT, GET and DELETE /sites/{site_id}/build_hooks/{id}',
      needs: 'leniency',
      class: 'put-as-update',
      async run({ client, kept, check, fails }) {
        const hook = { siteId: kept.site.id, id: kept.hook.id }
        await client.updateSiteBuildHook({ ...hook, body: { title: 'Each night', branch: 'midnight' } })
        const read = await client.getSiteBuildHook(hook)
        check.wrong.equal(read.id, kept.hook.id, 'id', 'keys')
        compare(check, read, { title: 'Each night', branch: 'midnight' })
        check.equal(read.created_at, kept.hook.created_at, 'created_at', 'times')
        await client.deleteSiteBuildHook(hook)
        const error = await fails(() => client.getSiteBuildHook(hook))
        check.wrong.equal(error.status, 404, 'status after the deletion', 'deletion')
        const left = await client.listSiteBuildHooks({ siteId: kept.site.id })
        check.wrong.equal(titlesOf(left), ['Weekly'], 'hooks that are left', 'deletion')
      },
    },
    {
      name: 'create and change a snippet',
      does: 'A snippet has an integer id, and belongs to the site. A change answers 204, and is read again.',
      source: 'POST, PUT and GET /sites/{site_id}/snippets[/{snippet_id}]; definition snippet',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const siteId = kept.site.id
        const sent = { title: 'Counter', general: '<script>count()</script>', general_position: 'footer' }
        const snippet = await client.createSiteSnippet({ siteId, body: sent })
        compare(check, snippet, sent, 'values')
        check(Number.isInteger(snippet.id), `an integer id (${snippet.id})`, 'keys')
        const one = { siteId, snippetId: String(snippet.id) }
        await client.updateSiteSnippet({ ...one, body: { ...sent, title: 'Bird counter' } })
        const read = await client.getSiteSnippet(one)
        compare(check, read, { ...sent, title: 'Bird counter' })
        check.wrong.equal(read.id, snippet.id, 'id', 'keys')
        const snippets = await client.listSiteSnippets({ siteId })
        check.wrong.equal(titlesOf(snippets), ['Bird counter'], 'snippets of the site', 'paths')
      },
    },
    {
      name: 'create environment variables',
      does: 'The variables are stored for the site, each value has an id and a context. All scopes are set.',
      source:
        'POST and GET /accounts/{account_id}/env: "If provided, create an environment variable on the site level"',
      needs: 'overlay',
      class: 'envelopes',
      async run({ client, kept, check }) {
        const { account_id, id: site_id } = kept.site
        const values = [
          { context: 'production', value: 'north' },
          { context: 'deploy-preview', value: 'south' },
        ]
        const body = [
          { key: 'TERN_REGION', values },
          { key: 'TERN_LIMIT', values: [{ context: 'all', value: '40' }] },
        ]
        const created = await client.createEnvVars({ account_id, site_id, body })
        check.wrong.equal(keysOf(created), ['TERN_LIMIT', 'TERN_REGION'], 'keys of the created variables')
        check.wrong.equal(keysOf(await client.getEnvVars({ account_id, site_id })), keysOf(body), 'keys of the site')
        const read = await client.getEnvVar({ account_id, site_id, key: 'TERN_REGION' })
        check.wrong.equal(read.key, 'TERN_REGION', 'key', 'keys')
        check.equal(valueIn(read, 'production'), 'north', 'value for production', 'values')
        check.equal(valueIn(read, 'deploy-preview'), 'south', 'value for previews', 'values')
        check(
          read.values.every(({ id }) => isText(id)),
          'an id for each value',
          'keys',
        )
        check.equal(sorted(read.scopes), ['builds', 'functions', 'post-processing', 'runtime'], 'scopes', 'first-state')
        const ofOther = await client.getEnvVars({ account_id, site_id: kept.sites[1].id })
        check.wrong(!keysOf(ofOther).includes('TERN_REGION'), 'another site does not have the variable', 'owners')
      },
    },
    {
      name: 'set and delete an environment variable',
      does: 'The value of one context is replaced, the other is kept. After deletion the variable is not found.',
      source: 'PATCH /accounts/{account_id}/env/{key}: "Updates or creates a new value"; DELETE: 204',
      needs: 'more',
      class: 'actions',
      async run({ client, kept, check, fails }) {
        const { account_id, id: site_id } = kept.site
        const one = { account_id, site_id, key: 'TERN_REGION' }
        await client.setEnvVarValue({ ...one, body: { context: 'production', value: 'west' } })
        const read = await client.getEnvVar(one)
        check.equal(valueIn(read, 'production'), 'west', 'value for production')
        check.equal(valueIn(read, 'deploy-preview'), 'south', 'value for previews')
        await client.deleteEnvVar(one)
        const error = await fails(() => client.getEnvVar(one))
        check.wrong.equal(error.status, 404, 'status after the deletion', 'deletion')
        const left = await client.getEnvVars({ account_id, site_id })
        check.wrong.equal(keysOf(left), ['TERN_LIMIT'], 'keys that are left', 'deletion')
      },
    },
    {
      name: 'deploy a file',
      does: 'The deploy asks for the file by its SHA1, is not ready before it is uploaded, and goes on after that.',
      source:
        'POST /sites/{site_id}/deploys: files "to SHA1 digests"; PUT /deploys/{deploy_id}/files/{path}; get-started',
      needs: 'more',
      class: 'uploads',
      async run({ client, kept, check }) {
        const siteId = kept.site.id
        const body = { files: { '/index.html': pageSha } }
        const deploy = await client.createSiteDeploy({ siteId, title: 'March terns', body })
        kept.deploy = deploy
        check.equal(deploy.site_id, siteId, 'site_id', 'owners')
        check.equal(deploy.required, [pageSha], 'required')
        check.wrong(deploy.state !== 'ready', `not ready before the upload (${deploy.state})`, 'first-state')
        const upload = { deployId: deploy.id, path: 'index.html', body: Buffer.from(page) }
        const file = await client.uploadDeployFile(upload)
        check.equal(file.path, '/index.html', 'path', 'keys')
        compare(check, file, { sha: pageSha, size: page.length, mime_type: 'text/html' }, 'made-values')
        const read = await waitForDeploy(client, deploy.id)
        check.wrong.equal(read.id, deploy.id, 'id', 'keys')
        check.equal(read.title, 'March terns', 'title', 'values')
        check(read.state !== deploy.state && read.state !== 'error', `goes on after the upload (${read.state})`, 'jobs')
        const deploys = await client.listSiteDeploys({ siteId })
        check.wrong.equal(sortedIds(deploys), [deploy.id], 'deploys of the new site', 'paths')
      },
    },
    {
      name: 'lock and unlock the deploy',
      does: 'The deploy is not locked before, locked in between, and not locked after.',
      source: 'POST /deploys/{deploy_id}/lock and /unlock: deploy.locked',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const deployId = kept.deploy.id
        const before = await waitForDeploy(client, deployId)
        check.wrong(!before.locked, 'not locked before', 'first-state')
        const locked = await client.lockDeploy({ deployId })
        check.wrong.equal(locked.id, deployId, 'id', 'keys')
        check.equal(locked.locked, true, 'locked')
        check.equal((await client.getDeploy({ deployId })).locked, true, 'locked, when it is read')
        await client.unlockDeploy({ deployId })
        const unlocked = await client.getDeploy({ deployId })
        check.wrong.equal(unlocked.id, deployId, 'id', 'keys')
        check.equal(unlocked.locked, false, 'locked after unlocking')
      },
    },
    {
      name: 'create a site with a name that is taken',
      does: 'Names are unique. Answers 422; the library throws its JSONHTTPError with the parsed body.',
      source: 'POST /sites: default "error"; https://docs.netlify.com/api/get-started/#create-site',
      needs: 'overlay',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const error = await fails(() => client.createSite({ body: { name: kept.sites[1].name } }))
        check.wrong.equal(error.status, 422, 'status')
        check.equal(error.name, 'JSONHTTPError', 'name of the error', 'errors')
        check(error.json !== null && typeof error.json === 'object', `a parsed body (${error.json})`, 'errors')
      },
    },
    {
      name: 'delete the site',
      does: 'The site is found before. After deletion it is neither found nor listed, another one still is.',
      source: 'DELETE /sites/{site_id}: 204; GET /sites/{site_id}: default "error"',
      needs: 'leniency',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const siteId = kept.site.id
        check.wrong.equal((await client.getSite({ siteId })).id, siteId, 'id before', 'state')
        await client.deleteSite({ siteId })
        const error = await fails(() => client.getSite({ siteId }))
        check.wrong.equal(error.status, 404, 'status')
        check.equal(error.name, 'JSONHTTPError', 'name of the error', 'errors')
        const listed = await client.listSites({ name: 'tern-gallery-lagoon' })
        check.wrong(!listed.some(({ id }) => id === siteId), 'it is not listed')
        const other = await client.getSite({ siteId: kept.sites[1].id })
        check.wrong.equal(other.name, 'tern-gallery-cliff', 'name of another site', 'state')
      },
    },
  ],
}

/** Asks a few times whether the deploy is ready, and returns what was read last. */
async function waitForDeploy(client, deployId) {
  let deploy = await client.getDeploy({ deployId })
  for (let attempt = 0; attempt < 4 && deploy.state !== 'ready'; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    deploy = await client.getDeploy({ deployId })
  }
  return deploy
}

function compare(check, record, expected, ofClass) {
  for (const [name, value] of Object.entries(expected)) check.equal(record[name], value, name, ofClass)
}

function countOf(values, value) {
  return values.filter((each) => each === value).length
}

function sorted(values) {
  return [...values].sort()
}

function sortedIds(records) {
  return sorted(records.map(({ id }) => id))
}

function titlesOf(records) {
  return records.map(({ title }) => title)
}

function keysOf(variables) {
  return sorted(variables.map(({ key }) => key))
}

function valueIn(variable, context) {
  return variable.values.find((each) => each.context === context)?.value
}

function isText(value) {
  return typeof value === 'string' && value !== ''
}

function isRecent(time) {
  return Math.abs(Date.parse(time) - Date.now()) < dayMs
}
