/** What somebody needs who begins to use the sandbox: its addresses, keys and a first request. */
import { describe } from '../sandbox/describe-sandbox.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { ControlHandlers } from './control-api.js'
import type { ControlOptions } from './control-options.js'
import { toWorldId } from './world-ids.js'

export function aboutRoutes(
  sandbox: Sandbox,
  { version, writeCurl }: Pick<ControlOptions, 'version' | 'writeCurl'>,
): ControlHandlers {
  const { apiKeys, defaultKey, contract } = sandbox
  return {
    async getAbout(_, request) {
      const origin = `http://${request.header('host') ?? 'localhost'}`
      const { title, servers, keys, tokens } = describe(sandbox, origin)
      const mounts = new Map(contract.servers.map(({ name, mount }) => [name, mount]))
      return [
        200,
        {
          title,
          version,
          environments: servers.map(({ name, url }) => ({ name, url, mount: mounts.get(name) ?? '' })),
          about: keys,
          keys: (apiKeys ?? [defaultKey]).map((key) => ({ id: toWorldId(key), key })),
          credentialCookies: Object.values(contract.schemes).flatMap((scheme) =>
            scheme.kind === 'apiKey' && scheme.in === 'cookie' ? scheme.name : [],
          ),
          ...(tokens !== undefined && { tokens }),
          curl: await writeCurl(origin),
        },
      ]
    },
  }
}
