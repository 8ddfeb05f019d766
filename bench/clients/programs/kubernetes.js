/**
 * A namespace with ConfigMaps, a Deployment with its scale, and a Pod with its status.
 * The API has REST paths by namespace and name, records with metadata, spec and status, lists with limit and continue,
 * label selectors, and patches in several media types. The library answers `{ response, body }`.
 */
import k8s from '@kubernetes/client-node'

const dayMs = 24 * 60 * 60 * 1000
const space = 'otter-bay'
const jsonPatch = k8s.PatchUtils.PATCH_FORMAT_JSON_PATCH
const mergePatch = k8s.PatchUtils.PATCH_FORMAT_JSON_MERGE_PATCH
const strategicPatch = k8s.PatchUtils.PATCH_FORMAT_STRATEGIC_MERGE_PATCH

export default {
  connect: ({ address }) => {
    const config = new k8s.KubeConfig()
    config.loadFromClusterAndUser({ name: 'bay', server: address() }, { name: 'keeper', token: 'integration' })
    return { core: config.makeApiClient(k8s.CoreV1Api), apps: config.makeApiClient(k8s.AppsV1Api) }
  },
  steps: [
    {
      name: 'create a namespace',
      does: 'The namespace is active, has a uid, a version and a label with its name, and the finalizer kubernetes.',
      source: 'POST /api/v1/namespaces; ObjectMeta "Populated by the system"; https://kubernetes.io/docs/concepts',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const metadata = { name: space, labels: { team: 'otters' } }
        const { response, body } = await client.core.createNamespace({ metadata })
        kept.namespace = body
        check.equal(response.statusCode, 201, 'status code')
        check.equal(body.metadata.name, space, 'name', 'values')
        check.equal(body.metadata.labels?.team, 'otters', 'label team', 'values')
        check.equal(body.metadata.labels?.['kubernetes.io/metadata.name'], space, 'label of the name', 'made-values')
        compare(check, body, { kind: 'Namespace', apiVersion: 'v1' })
        checkSystemFields(check, body.metadata)
        check.equal(body.spec?.finalizers, ['kubernetes'], 'finalizers')
        check.equal(body.status?.phase, 'Active', 'phase')
      },
    },
    {
      name: 'read the namespace',
      does: 'The name leads to the namespace that was created. Namespaces are listed with it once.',
      source: 'GET /api/v1/namespaces/{name}, GET /api/v1/namespaces: labelSelector',
      needs: 'document',
      class: 'keys',
      async run({ client, kept, check }) {
        const { body } = await client.core.readNamespace(space)
        compare(check.wrong, body.metadata, { name: space, uid: kept.namespace.metadata.uid })
        check.equal(body.metadata.labels?.team, 'otters', 'label team', 'values')
        const { body: list } = await client.core.listNamespace(...listOptions({ labelSelector: 'team=otters' }))
        check.wrong.equal(namesOf(list).filter((name) => name === space).length, 1, 'how often it is listed', 'state')
        check.equal(list.kind, 'NamespaceList', 'kind of the list', 'first-state')
      },
    },
    {
      name: 'create a ConfigMap',
      does: 'The ConfigMap belongs to the namespace of the path, though the body does not say so.',
      source: 'POST and GET /api/v1/namespaces/{namespace}/configmaps; ObjectMeta.namespace',
      needs: 'document',
      class: 'owners',
      async run({ client, kept, check }) {
        const data = { depth: '7', shore: 'rocky' }
        const metadata = { name: 'bay-map', labels: { use: 'chart' } }
        const { body } = await client.core.createNamespacedConfigMap(space, { metadata, data })
        kept.map = body
        check.equal(body.metadata.name, 'bay-map', 'name', 'values')
        check.equal(body.metadata.namespace, space, 'namespace')
        check.equal(body.data, data, 'data', 'values')
        compare(check, body, { kind: 'ConfigMap', apiVersion: 'v1' }, 'first-state')
        checkSystemFields(check, body.metadata)
        const { body: read } = await client.core.readNamespacedConfigMap('bay-map', space)
        compare(check.wrong, read.metadata, { name: 'bay-map', uid: body.metadata.uid }, 'keys')
        check.equal(read.data, data, 'data that is read', 'values')
      },
    },
    {
      name: 'list ConfigMaps in chunks',
      does: 'The list of five ConfigMaps with a label goes on with the token of the chunk before, each exactly once.',
      source: 'GET configmaps: limit, continue "to retrieve the next set of results", labelSelector; generateName',
      needs: 'overlay',
      class: 'pages',
      async run({ client, check }) {
        const created = []
        for (const [name, tier] of [['north', 'gold'], ['east', 'silver'], ['south', 'gold'], ['west']]) {
          const labels = { kind: 'holt', ...(tier && { tier }) }
          const holt = { metadata: { name: `holt-${name}`, labels }, data: { side: name } }
          created.push((await client.core.createNamespacedConfigMap(space, holt)).body)
        }
        const generated = { metadata: { generateName: 'holt-extra-', labels: { kind: 'holt' } } }
        created.push((await client.core.createNamespacedConfigMap(space, generated)).body)
        const made = created[4].metadata.name
        check(/^holt-extra-.+/.test(made), `a name that begins with holt-extra- (${made})`, 'made-values')
        const seen = []
        let token
        for (let chunk = 1; chunk <= 20; chunk++) {
          const options = listOptions({ labelSelector: 'kind=holt', limit: 2, token })
          const { body } = await client.core.listNamespacedConfigMap(space, ...options)
          check.wrong(body.items.length <= 2, `at most 2 in chunk ${chunk} (${body.items.length})`)
          seen.push(...namesOf(body))
          token = body.metadata?._continue
          if (!token) break
        }
        check.wrong.equal(seen.sort(), created.map(({ metadata }) => metadata.name).sort(), 'names in all chunks')
      },
    },
    {
      name: 'select ConfigMaps by labels and fields',
      does: 'Selectors compare by equality, inequality, sets and absence. A field selector finds the name.',
      source: 'GET configmaps: labelSelector, fieldSelector; https://kubernetes.io/docs/concepts/overview',
      needs: 'more',
      class: 'filters',
      follows: ['list ConfigMaps in chunks'],
      async run({ client, check }) {
        const select = async (query) => {
          const { body } = await client.core.listNamespacedConfigMap(space, ...listOptions(query))
          return namesOf(body).map((name) => name.replace(/^holt-extra-.+/, 'holt-extra'))
        }
        const gold = await select({ labelSelector: 'kind=holt,tier=gold' })
        check.wrong.equal(gold, ['holt-north', 'holt-south'], 'kind=holt,tier=gold')
        const inSet = await select({ labelSelector: 'tier in (silver, bronze)' })
        check.wrong.equal(inSet, ['holt-east'], 'tier in (silver, bronze)')
        const without = await select({ labelSelector: 'kind=holt,!tier' })
        check.wrong.equal(without, ['holt-extra', 'holt-west'], 'kind=holt,!tier')
        const unequal = await select({ labelSelector: 'kind=holt,tier!=gold' })
        check.wrong.equal(unequal, ['holt-east', 'holt-extra', 'holt-west'], 'kind=holt,tier!=gold')
        check.wrong.equal(await select({ fieldSelector: 'metadata.name=holt-west' }), ['holt-west'], 'by the name')
      },
    },
    {
      name: 'change a ConfigMap by merge patch',
      does: 'Sent keys are changed or added, null removes a key, the others stay. The resourceVersion is another one.',
      source: 'PATCH configmaps/{name}: application/merge-patch+json; ObjectMeta.resourceVersion "change detection"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const patch = { data: { depth: '9', shore: null, tide: 'low' }, metadata: { labels: { reviewed: 'yes' } } }
        await client.core.patchNamespacedConfigMap('bay-map', space, patch, ...patchOptions(mergePatch))
        const { body } = await client.core.readNamespacedConfigMap('bay-map', space)
        check.equal(body.data, { depth: '9', tide: 'low' }, 'data')
        check.equal(body.metadata.labels, { use: 'chart', reviewed: 'yes' }, 'labels')
        check.wrong.equal(body.metadata.uid, kept.map.metadata.uid, 'uid', 'keys')
        const { resourceVersion } = body.metadata
        check(
          Boolean(resourceVersion) && resourceVersion !== kept.map.metadata.resourceVersion,
          `another version (${resourceVersion})`,
          'made-values',
        )
      },
    },
    {
      name: 'change a ConfigMap by JSON patch',
      does: 'The operations test, replace, add and remove are applied in order, to keys with a slash as well.',
      source: 'PATCH configmaps/{name}: application/json-patch+json; RFC 6902',
      needs: 'document',
      class: 'media-types',
      follows: ['change a ConfigMap by merge patch'],
      async run({ client, check }) {
        const patch = [
          { op: 'test', path: '/data/depth', value: '9' },
          { op: 'replace', path: '/data/depth', value: '12' },
          { op: 'add', path: '/metadata/labels/bay.example~1zone', value: 'outer' },
          { op: 'remove', path: '/data/tide' },
        ]
        await client.core.patchNamespacedConfigMap('bay-map', space, patch, ...patchOptions(jsonPatch))
        const { body } = await client.core.readNamespacedConfigMap('bay-map', space)
        check.equal(body.data, { depth: '12' }, 'data')
        check.equal(body.metadata.labels?.['bay.example/zone'], 'outer', 'label with a slash')
        check.equal(body.metadata.labels?.use, 'chart', 'label use')
      },
    },
    {
      name: 'replace a ConfigMap, once',
      does: 'PUT replaces data and labels; uid and time of creation stay. With the version from before it answers 409.',
      source: 'PUT configmaps/{name}; uid "not allowed to change on PUT"; resourceVersion "optimistic concurrency"',
      needs: 'overlay',
      class: 'state',
      async run({ client, kept, check, fails }) {
        const { body: before } = await client.core.readNamespacedConfigMap('bay-map', space)
        const { resourceVersion } = before.metadata
        const metadata = { name: 'bay-map', resourceVersion, labels: { use: 'survey' } }
        const map = { metadata, data: { current: 'strong' } }
        await client.core.replaceNamespacedConfigMap('bay-map', space, map)
        const { body: after } = await client.core.readNamespacedConfigMap('bay-map', space)
        check.equal(after.data, { current: 'strong' }, 'data', 'put-as-update')
        check.equal(after.metadata.labels, { use: 'survey' }, 'labels', 'put-as-update')
        check.wrong.equal(after.metadata.uid, kept.map.metadata.uid, 'uid', 'keys')
        const { creationTimestamp } = after.metadata
        check.equal(Number(creationTimestamp), Number(before.metadata.creationTimestamp), 'creationTimestamp', 'times')
        const error = await fails(() => client.core.replaceNamespacedConfigMap('bay-map', space, map))
        check(isHttpError(error, 409), `an HttpError with 409 (${error})`)
        check.equal(error.body?.reason, 'Conflict', 'reason', 'errors')
      },
    },
    {
      name: 'create a Deployment',
      does: 'The service adds the defaults of the specification. No replica is available yet.',
      source: 'POST deployments; "Defaults to 600s", "Defaults to 10", "Default is RollingUpdate", "Default to Always"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const labels = { app: 'otter-cam' }
        const containers = [{ name: 'cam', image: 'registry.k8s.io/pause:3.9' }]
        const template = { metadata: { labels }, spec: { containers } }
        const spec = { replicas: 2, selector: { matchLabels: labels }, template }
        const { body } = await client.apps.createNamespacedDeployment(space, { metadata: { name: 'otter-cam' }, spec })
        kept.deployment = body
        check.equal(body.metadata.namespace, space, 'namespace', 'owners')
        compare(check, body, { kind: 'Deployment', apiVersion: 'apps/v1' })
        checkSystemFields(check, body.metadata)
        check.equal(body.spec.replicas, 2, 'replicas', 'values')
        check.equal(body.spec.template.spec.containers[0]?.image, containers[0].image, 'image', 'values')
        compare(check, body.spec, { progressDeadlineSeconds: 600, revisionHistoryLimit: 10 })
        check.equal(body.spec.strategy?.type, 'RollingUpdate', 'strategy')
        check.equal(body.spec.template.spec.restartPolicy, 'Always', 'restartPolicy')
        check.wrong.equal(body.status?.availableReplicas ?? 0, 0, 'availableReplicas')
      },
    },
    {
      name: 'scale the Deployment',
      does: 'The scale shows the replicas of the Deployment. A new number of replicas is the one of the Deployment.',
      source: 'GET and PUT deployments/{name}/scale; Scale, ScaleStatus.selector "in the string format"; generation',
      needs: 'more',
      class: 'actions',
      async run({ client, kept, check }) {
        const { body: scale } = await client.apps.readNamespacedDeploymentScale('otter-cam', space)
        compare(check, scale, { kind: 'Scale', apiVersion: 'autoscaling/v1' }, 'first-state')
        check.wrong.equal(scale.metadata?.name, 'otter-cam', 'name of the scale', 'paths')
        check.equal(scale.spec?.replicas, 2, 'replicas before')
        check.equal(scale.status?.selector, 'app=otter-cam', 'selector', 'made-values')
        const wanted = { metadata: { name: 'otter-cam', namespace: space }, spec: { replicas: 5 } }
        const { body: scaled } = await client.apps.replaceNamespacedDeploymentScale('otter-cam', space, wanted)
        check.equal(scaled.spec?.replicas, 5, 'replicas that the scale answers', 'values')
        const { body } = await client.apps.readNamespacedDeployment('otter-cam', space)
        check.wrong.equal(body.metadata.uid, kept.deployment.metadata.uid, 'uid', 'keys')
        check.equal(body.spec.replicas, 5, 'replicas of the Deployment')
        check.equal(body.spec.selector?.matchLabels, { app: 'otter-cam' }, 'selector of the Deployment', 'state')
        check.equal(body.metadata.generation, 2, 'generation', 'made-values')
      },
    },
    {
      name: 'create a Pod and set a condition of its status',
      does: 'A new Pod is pending. A patch of its status adds the condition, which the Pod shows; its spec stays.',
      source: 'POST pods: PodStatus.phase "Pending: The pod has been accepted"; PATCH pods/{name}/status; dnsPolicy',
      needs: 'more',
      class: 'actions',
      async run({ client, check }) {
        const metadata = { name: 'otter-probe', labels: { app: 'otter-probe' } }
        const containers = [{ name: 'probe', image: 'registry.k8s.io/pause:3.9' }]
        const { body } = await client.core.createNamespacedPod(space, {
          metadata,
          spec: { containers, restartPolicy: 'Never' },
        })
        check.equal(body.status?.phase, 'Pending', 'phase', 'first-state')
        check.wrong(!['Succeeded', 'Failed'].includes(body.status?.phase), 'the Pod has not ended', 'first-state')
        compare(check, body.spec, { restartPolicy: 'Never', dnsPolicy: 'ClusterFirst' }, 'first-state')
        const patch = { status: { conditions: [{ type: 'bay.example/seen', status: 'True' }] } }
        await client.core.patchNamespacedPodStatus('otter-probe', space, patch, ...patchOptions(strategicPatch))
        const { body: read } = await client.core.readNamespacedPod('otter-probe', space)
        check.wrong.equal(read.metadata.uid, body.metadata.uid, 'uid', 'keys')
        const condition = read.status?.conditions?.find(({ type }) => type === 'bay.example/seen')
        check.equal(condition?.status, 'True', 'condition of the Pod')
        check.equal(read.spec.containers[0]?.image, containers[0].image, 'image', 'values')
        const options = listOptions({ labelSelector: 'app=otter-probe' })
        const { body: list } = await client.core.listNamespacedPod(space, ...options)
        check.wrong.equal(namesOf(list), ['otter-probe'], 'Pods with the label', 'filters')
      },
    },
    {
      name: 'create a Deployment without a selector',
      does: 'Answers 422 with a Status of reason Invalid; the library throws its HttpError.',
      source: 'POST deployments: DeploymentSpec requires selector; https://kubernetes.io/docs/reference (Status)',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'x', image: 'x' }] } }
        const invalid = { metadata: { name: 'otter-x' }, spec: { replicas: 1, template } }
        const error = await fails(() => client.apps.createNamespacedDeployment(space, invalid))
        check.wrong(error instanceof k8s.HttpError && error.statusCode >= 400, `an HttpError with 4xx (${error})`)
        check.equal(error.statusCode, 422, 'status code', 'errors')
        compare(check, error.body ?? {}, { kind: 'Status', reason: 'Invalid', code: 422 }, 'errors')
      },
    },
    {
      name: 'delete a ConfigMap',
      does: 'It is found before. The deletion answers a Status of success; after it, it is not found. Others stay.',
      source: 'DELETE configmaps/{name}: Status; GET: 404 with reason NotFound',
      needs: 'overlay',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const { body: before } = await client.core.readNamespacedConfigMap('bay-map', space)
        check.wrong.equal(before.metadata.uid, kept.map.metadata.uid, 'uid before', 'state')
        const { body: status } = await client.core.deleteNamespacedConfigMap('bay-map', space)
        compare(check, status, { kind: 'Status', status: 'Success' })
        const error = await fails(() => client.core.readNamespacedConfigMap('bay-map', space))
        check.wrong(isHttpError(error, 404), `an HttpError with 404 (${error})`, 'errors')
        compare(check, error.body ?? {}, { kind: 'Status', reason: 'NotFound', code: 404 }, 'errors')
        const { body: list } = await client.core.listNamespacedConfigMap(space)
        check.wrong(!namesOf(list).includes('bay-map'), 'it is not listed')
        check.wrong(namesOf(list).includes('holt-west'), 'another one is listed', 'state')
      },
    },
    {
      name: 'delete the namespace',
      does: 'It is active before. After the deletion it is not found, or is terminating.',
      source: 'DELETE /api/v1/namespaces/{name}; NamespaceStatus.phase; https://kubernetes.io/docs/concepts',
      needs: 'overlay',
      class: 'deletion',
      async run({ client, kept, check }) {
        const { body: before } = await client.core.readNamespace(space)
        check.wrong.equal(before.metadata.uid, kept.namespace.metadata.uid, 'uid before', 'state')
        check.wrong.equal(before.status?.phase ?? 'Active', 'Active', 'phase before', 'state')
        await client.core.deleteNamespace(space)
        const after = await client.core.readNamespace(space).catch((error) => error)
        const isGone = isHttpError(after, 404) || after.body?.status?.phase === 'Terminating'
        check.wrong(isGone, 'it is not found, or is terminating')
      },
    },
  ],
}

/** The arguments of a list after the namespace, in the order of the library. */
function listOptions({ token, fieldSelector, labelSelector, limit }) {
  return [undefined, undefined, token, fieldSelector, labelSelector, limit]
}

/** The arguments of a patch after the body. */
function patchOptions(mediaType) {
  return [undefined, undefined, undefined, undefined, undefined, { headers: { 'Content-type': mediaType } }]
}

function compare(check, record, expected, ofClass) {
  for (const [name, value] of Object.entries(expected)) check.equal(record[name], value, name, ofClass)
}

function checkSystemFields(check, { uid, resourceVersion, creationTimestamp }) {
  check(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uid), `a UUID as uid (${uid})`, 'keys')
  check(Boolean(resourceVersion), `a resourceVersion (${resourceVersion})`, 'first-state')
  const isRecent = Math.abs(Number(creationTimestamp) - Date.now()) < dayMs
  check(isRecent, `creationTimestamp is about now (${creationTimestamp})`, 'times')
}

function namesOf({ items }) {
  return items.map(({ metadata }) => metadata.name).sort()
}

function isHttpError(error, statusCode) {
  return error instanceof k8s.HttpError && error.statusCode === statusCode
}
