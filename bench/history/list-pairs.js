/**
 * Writes pairs.json: pairs of consecutive versions of documents, with the hashes of both texts.
 *
 * `BENCH_REPOSITORIES=<folder of clones> node bench/history/list-pairs.js`
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom, pickSome } from '../documents/random.js'
import { cloneOf, hashOf, packages, parseText, readVersion } from './versions.js'

const greatestPerProvider = 40
const greatestBytes = { json: 3_000_000, yaml: 1_100_000 }
/** Pairs with a change that can concern a consumer are wanted: whatever only people read is left out. */
const forPeople = new Set(['description', 'summary', 'title', 'example', 'examples', 'info', 'externalDocs', 'tags'])
const ofServers = new Set(['servers', 'host', 'basePath', 'schemes'])
const withNames = new Set(['properties', 'paths', 'definitions', 'schemas', 'parameters', 'responses'])

/** Documents in repositories. `chain`: files of one commit are versions of one document. */
const repositories = [
  { provider: 'adyen.com', repository: 'Adyen/adyen-openapi', files: /^json\/.*\.json$/, perFile: 2, count: 20 },
  { provider: 'box.com', repository: 'box/box-openapi', files: /^openapi\.json$/, perFile: 16, count: 16 },
  { provider: 'bump.sh', repository: 'bump-sh-examples/train-travel-api', files: /^openapi\.yaml$/, perFile: 12 },
  { provider: 'cohere.com', repository: 'cohere-ai/cohere-developer-experience', files: /^cohere-openapi\.yaml$/ },
  { provider: 'docusign.net', repository: 'docusign/OpenAPI-Specifications', files: /^[^/]*\.json$/, perFile: 2 },
  {
    provider: 'intercom.io',
    repository: 'intercom/Intercom-OpenAPI',
    files: /^descriptions\/2\.\d+\/.*yaml$/,
    perFile: 3,
  },
  {
    provider: 'intercom.io',
    repository: 'intercom/Intercom-OpenAPI',
    files: /^descriptions\/2\.\d+\/.*yaml$/,
    isChain: true,
  },
  { provider: 'lob.com', repository: 'lob/lob-openapi', files: /^dist\/lob-api-bundled\.yml$/ },
  { provider: 'meilisearch.com', repository: 'meilisearch/open-api', files: /^open-api\.json$/ },
  { provider: 'mistral.ai', repository: 'mistralai/platform-docs-public', files: /^openapi\.yaml$/ },
  { provider: 'netlify.com', repository: 'netlify/open-api', files: /^swagger\.yml$/ },
  { provider: 'openai.com', repository: 'openai/openai-openapi', files: /^openapi\.(json|yaml)$/ },
  {
    provider: 'pagerduty.com',
    repository: 'PagerDuty/api-schema',
    files: /^reference\/.*openapiv3\.json$/,
    perFile: 5,
  },
  { provider: 'qdrant.tech', repository: 'qdrant/qdrant', files: /^docs\/redoc\/master\/openapi\.json$/ },
  {
    provider: 'qdrant.tech',
    repository: 'qdrant/qdrant',
    files: /^docs\/redoc\/v[\d.x]+\/openapi\.json$/,
    isChain: true,
  },
  { provider: 'realworld.io', repository: 'gothinkster/realworld', files: /^api\/openapi\.yml$/ },
  { provider: 'redocly.com', repository: 'Redocly/museum-openapi-example', files: /^openapi\.yaml$/ },
  { provider: 'resend.com', repository: 'resend/resend-openapi', files: /^resend\.yaml$/ },
  { provider: 'sentry.io', repository: 'getsentry/sentry-api-schema', files: /^openapi-derefed\.json$/ },
  { provider: 'slack.com', repository: 'slackapi/slack-api-specs', files: /^web-api\/slack_web_openapi_v2\.json$/ },
  { provider: 'squareup.com', repository: 'square/connect-api-specification', files: /^api\.json$/ },
  { provider: 'stripe.com', repository: 'stripe/openapi', files: /^openapi\/spec3\.json$/ },
  { provider: 'swagger.io', repository: 'swagger-api/swagger-petstore', files: /resources\/openapi\.yaml$/ },
  { provider: 'together.ai', repository: 'togethercomputer/openapi', files: /^openapi\.yaml$/ },
  { provider: 'twilio.com', repository: 'twilio/twilio-oai', files: /^spec\/json\/.*\.json$/, perFile: 1, count: 20 },
  { provider: 'typesense.org', repository: 'typesense/typesense-api-spec', files: /^openapi\.yml$/ },
  { provider: 'xero.com', repository: 'XeroAPI/Xero-OpenAPI', files: /^xero.*\.yaml$/, perFile: 3, count: 20 },
]

const pairs = new Map()
for (const pair of fromPackages()) add(pair)
for (const source of repositories) for (const pair of fromRepository(source)) add(pair)
const chosen = [...pairs].flatMap(([provider, all]) => pickSome(all, greatestPerProvider, createRandom(provider)))
writeFileSync(
  new URL('pairs.json', import.meta.url),
  `[\n${chosen.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`,
)
console.error(`${chosen.length} pairs of ${pairs.size} providers`)
for (const [provider, all] of pairs) if (all.length > 3) console.error(`${provider}: ${all.length}`)

function add(pair) {
  pairs.set(pair.provider, [...(pairs.get(pair.provider) ?? []), pair])
}

/** Each file of a package, and the same file of the next one. */
function* fromPackages() {
  const folders = Object.entries(packages).map(([id, name]) => ({
    id,
    folder: fileURLToPath(new URL(`node_modules/${name}/api/`, import.meta.url)),
  }))
  const files = folders.map(({ folder }) => new Set(filesIn(folder).map((file) => relative(folder, file))))
  for (const path of [...new Set(files.flatMap((each) => [...each]))].sort()) {
    const provider = path.split('/')[0].replace(/\.json$/, '')
    const versions = folders.flatMap(({ id }, index) =>
      files[index].has(path) ? [{ package: id, path: `api/${path}` }] : [],
    )
    yield* toPairs({ provider, name: path }, versions)
  }
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesIn(path) : entry.name.endsWith('.json') ? [path] : []
  })
}

/** Versions of each file, evenly over its history. */
function fromRepository({ provider, repository, files, perFile = 14, count = 14, isChain }) {
  const clone = cloneOf(repository, process.env.BENCH_REPOSITORIES)
  if (clone === undefined) throw new Error(`No clone of ${repository}`)
  const git = (...args) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  const commit = git('rev-parse', 'HEAD').trim()
  const paths = git('ls-tree', '-r', '--name-only', '-z', commit)
    .split('\0')
    .filter((path) => files.test(path))
  const inOrder = paths.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  if (isChain) {
    const versions = inOrder.map((path) => ({ repository, commit, path }))
    return [...toPairs({ provider, name: `${repository} versions` }, versions)]
  }
  const found = inOrder.flatMap((path) => {
    const log = git('log', '--format=%H', '--first-parent', commit, '--', path).split('\n').filter(Boolean).reverse()
    const versions = spread(log, perFile + 1).map((each) => ({ repository, commit: each, path }))
    return [...toPairs({ provider, name: path }, versions)]
  })
  return pickSome(found, count, createRandom(repository))
}

function spread(list, count) {
  if (list.length <= count) return list
  return Array.from({ length: count }, (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))])
}

/** @param versions `{ package | repository, commit, path }`, the oldest first */
function* toPairs(what, versions) {
  let last
  for (const version of versions) {
    const read = tryRead(version)
    if (read === undefined) continue
    if (last !== undefined && last.structure !== read.structure) yield { ...what, old: last.version, new: read.version }
    last = read
  }
}

function tryRead(version) {
  try {
    const bytes = readVersion(version, process.env.BENCH_REPOSITORIES)
    if (bytes.length > greatestBytes[version.path.endsWith('.json') ? 'json' : 'yaml']) return undefined
    const document = parseText(bytes.toString(), { isStrict: true })
    if (document?.openapi === undefined && document?.swagger === undefined) return undefined
    // Prism finds no operation whose path has a fragment.
    if (!Object.keys(document.paths ?? {}).some((path) => !path.includes('#'))) return undefined
    // Paths in other files are not among the versions.
    if (Object.values(document.paths).some((item) => /^[^#]/.test(item?.$ref ?? ''))) return undefined
    return { version: { ...version, sha256: hashOf(bytes) }, structure: JSON.stringify(toStructure(document)) }
  } catch {
    return undefined
  }
}

function toStructure(value, isOfNames = false) {
  if (Array.isArray(value)) return value.map((each) => toStructure(each))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([name]) => isOfNames || !(forPeople.has(name) || ofServers.has(name) || name.startsWith('x-')),
  )
  return Object.fromEntries(
    entries
      .map(([name, each]) => [name, toStructure(each, !isOfNames && withNames.has(name))])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}
