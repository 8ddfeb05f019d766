/** A sandbox behind its control API: what tests call on a sandbox, each as a request over HTTP. */
import { type Collection, type Sandbox, SandboxError, type World } from 'petstore-sandbox'

/** @param sandbox for what the control API does not have: the document and requests */
export function controlled(sandbox: Sandbox, origin: string): Sandbox {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${origin}/_sandbox${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body, (_, each) => (typeof each === 'bigint' ? Number(each) : each)) }),
    })
    const text = await response.text()
    const answer = text === '' ? undefined : JSON.parse(text)
    if (response.ok) return answer
    const codes: Record<number, 'TIMED_OUT' | 'DUPLICATE_KEY'> = { 408: 'TIMED_OUT', 409: 'DUPLICATE_KEY' }
    throw new SandboxError(codes[response.status] ?? 'INVALID_OPTION', answer.message)
  }
  const nowOf = async (path: string) => Date.parse(((await call('GET', path)) as { now: string }).now)

  function clockAt(path: string): Sandbox['clock'] {
    const change = async (body: object) => void (await call('PATCH', path, body))
    return {
      now: () => nowOf(path),
      travelTo: (time) => change({ travelTo: new Date(time).toISOString() }),
      advance: (milliseconds) => change({ advance: milliseconds }),
      freeze: () => change({ frozen: true }),
      resume: () => change({ frozen: false }),
      reset: () => change({ reset: true }),
    }
  }

  function collectionAt(key: string, name: string): Collection {
    const records = `/worlds/${key}/collections/${name}/records`
    const list = async () =>
      ((await call('GET', `${records}?limit=1000`)) as { records: { values: Record<string, unknown> }[] }).records
    return {
      ...sandbox.world(key).collection(name),
      add: async (values) => ((await call('POST', records, values)) as { values: Record<string, unknown> }).values,
      list: async ({ limit } = {}) => (await list()).slice(0, limit).map(({ values }) => values),
      size: async () => (await list()).length,
      clear: async () => void (await call('DELETE', records)),
    }
  }

  function worldAt(key: string = sandbox.defaultKey): World {
    return {
      ...sandbox.world(key),
      clock: clockAt(`/worlds/${key}/clock`),
      collection: (name: string) => collectionAt(key, name),
      async fork(to) {
        await call('POST', `/worlds/${key}/fork`, { to })
        return worldAt(to)
      },
      reset: async () => void (await call('POST', `/worlds/${key}/reset`)),
    }
  }

  const faults: Sandbox['faults'] = {
    add: async (rule) => (await call('POST', '/faults', rule)) as never,
    list: async () => (await call('GET', '/faults')) as never,
    remove: (id) =>
      call('DELETE', `/faults/${id}`).then(
        () => true,
        () => false,
      ),
    clear: async () => void (await call('DELETE', '/faults')),
  }
  const exchanges: Sandbox['exchanges'] = {
    list: async (filter = {}) =>
      (await call('GET', `/exchanges?${new URLSearchParams(JSON.parse(JSON.stringify(filter)))}`)) as never,
    wait: async (filter = {}, options = {}) =>
      (await call('POST', '/exchanges/wait', { ...filter, ...options })) as never,
  }
  return { ...sandbox, clock: clockAt('/clock'), world: worldAt as never, faults, exchanges }
}
