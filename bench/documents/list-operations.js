/** Lists the operations of a document: what a request needs, and what may come back. */

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
/** Header parameters that OpenAPI ignores: other parts of the document describe them. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns operations in the order of the document; `atAddress` are those that a request for this one may be meant for */
export function listOperations({ document, resolve }) {
  const toObject = (value) => {
    const resolved = resolve(value)
    return isObject(resolved) ? resolved : {}
  }
  const entriesOf = (value) => Object.entries(isObject(value) ? value : {})
  const schemes = toObject(document.components).securitySchemes

  const operations = entriesOf(document.paths).flatMap(([path, written]) => {
    if (!path.startsWith('/')) return []
    const item = toObject(written)
    return methods.filter((method) => isObject(item[method])).map((method) => toOperation(path, method, item))
  })
  const atAddress = new Map()
  for (const operation of operations) {
    const { method, path } = operation
    const address = `${method} ${path.replace(/[?#].*$/, '')}`
    operation.atAddress = atAddress.get(address) ?? []
    operation.atAddress.push(operation)
    atAddress.set(address, operation.atAddress)
  }
  return operations

  function toOperation(path, method, item) {
    const own = item[method]
    return {
      id: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operationId: own.operationId,
      summary: own.summary,
      server: [own.servers, item.servers, document.servers].find((servers) => servers?.length > 0)?.[0],
      parameters: toParameters(path, [...listOf(item.parameters), ...listOf(own.parameters)]),
      body: toBody(own.requestBody),
      responses: toResponses(own.responses),
      credentials: toCredentials(own.security ?? document.security),
    }
  }

  function toParameters(path, written) {
    const all = new Map()
    for (const each of written.map(toObject)) {
      const { in: place, name } = each
      if (typeof name !== 'string' || name === '' || (place === 'path' && !path.includes(`{${name}}`))) continue
      if (place === 'header' && ignoredHeaders.has(name.toLowerCase())) continue
      const [[mediaType, media] = []] = entriesOf(each.content)
      const schema = mediaType === undefined ? each.schema : toObject(media).schema
      const style = each.style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple')
      all.set(`${place} ${name}`, {
        name,
        in: place,
        isRequired: each.required === true || place === 'path',
        schema,
        mediaType,
        style,
        explode: each.explode ?? style === 'form',
        examples: examplesOf(each),
        description: each.description,
      })
    }
    for (const [, name] of path.matchAll(/\{([^{}]+)\}/g)) {
      const key = `path ${name}`
      // A parameter that is not described is any text.
      if (!all.has(key)) {
        const schema = { type: 'string', minLength: 1 }
        all.set(key, { name, in: 'path', isRequired: true, schema, style: 'simple', explode: false, examples: [] })
      }
    }
    return [...all.values()]
  }

  function toBody(written) {
    if (written === undefined) return undefined
    const { required, content } = toObject(written)
    const media = toMedia(content)
    return media.length === 0 ? undefined : { isRequired: required === true, media }
  }

  function toMedia(content) {
    return entriesOf(content).map(([type, written]) => {
      const media = toObject(written)
      return { type, schema: media.schema, encoding: toObject(media.encoding), examples: examplesOf(media) }
    })
  }

  function toResponses(written) {
    return entriesOf(written)
      .filter(([status]) => /^([1-5]([0-9]{2}|XX)|default)$/i.test(status))
      .map(([status, each]) => {
        const response = toObject(each)
        const headers = entriesOf(response.headers).map(([name, header]) => {
          const { required, schema } = toObject(header)
          return { name, isRequired: required === true, schema }
        })
        return { status: status.toUpperCase(), media: toMedia(response.content), headers }
      })
  }

  /** The first alternative that asks for something; all its schemes. */
  function toCredentials(security) {
    const alternative = listOf(security).find((each) => isObject(each) && Object.keys(each).length > 0) ?? {}
    return Object.keys(alternative)
      .map((name) => toObject(schemes?.[name]))
      .filter(({ type }) => type !== undefined)
  }

  function examplesOf({ example, examples }) {
    const named = isObject(examples) ? Object.values(examples).map((each) => toObject(each).value) : []
    return [example, ...named].filter((each) => each !== undefined)
  }
}

function listOf(value) {
  return Array.isArray(value) ? value : []
}
