/** Checks the address and the key before everything else, as a wrong one would make every probe fail. */
import { SandboxError } from '../../contract/sandbox-error.js'
import type { CheckPlan } from './plan-check.js'
import { isSafe } from './probes/probe-parameters.js'
import { toProviderRequest } from './request-draft.js'

/**
 * Sends every request that only reads, until they differ in status.
 * @throws SandboxError `CANNOT_REACH` if the connection is refused or everything is 404, `INVALID_OPTION` if everything
 * is 401
 */
export async function checkReachable({ subjects, caller, client, keyVariable }: CheckPlan): Promise<void> {
  const { baseUrl } = caller
  const drafts = subjects.flatMap(({ draft }) => (draft && isSafe(draft) ? [draft] : []))
  const requests = drafts.map((draft) => toProviderRequest(draft, caller))
  const statuses = new Set<number>()
  for (const request of requests.length > 0
    ? requests
    : [{ method: 'HEAD', url: baseUrl, headers: [], credentials: 'none' as const }]) {
    const response = await client.send(request)
    if ('why' in response && response.why === 'refused') {
      const message = `${baseUrl} ${response.message}; is the provider running, and is this its address?`
      throw new SandboxError('CANNOT_REACH', message)
    }
    if ('why' in response) return
    statuses.add(response.status)
  }
  const [status] = statuses
  if (requests.length === 0 || statuses.size !== 1) return
  if (status === 404 && drafts.some(({ operation }) => operation.parameters.every((each) => each.in !== 'path'))) {
    const message = `${baseUrl} answers 404 to every read request, such as ${requests[0]?.url.split('?')[0]}; is the base path right?`
    throw new SandboxError('CANNOT_REACH', message)
  }
  if (status !== 401) return
  const message = `${baseUrl} refuses the key: 401 to every read request; set a valid one with --api-key or ${keyVariable}`
  throw new SandboxError('INVALID_OPTION', message)
}
