/** Operations on faults. In them the id of a world stands for its key. */
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Fault, FaultRule } from '../state/faults.js'
import { type ControlHandlers, NotFound } from './control-api.js'
import { toWorldId } from './world-ids.js'
import type { WorldsOfControl } from './world-routes.js'

export function faultRoutes({ faults }: Sandbox, { keyOf }: Pick<WorldsOfControl, 'keyOf'>): ControlHandlers {
  async function find(id: unknown): Promise<Fault> {
    const found = (await faults.list()).find((each) => each.id === id)
    if (!found) throw new NotFound(`There is no fault "${id}"`)
    return found
  }

  return {
    listFaults: async () => [200, (await faults.list()).map(toShown)],
    async addFault({ body }) {
      const { key: id, ...rule } = body.value as FaultRule
      const added = await faults.add(id === undefined ? rule : { ...rule, key: keyOf(id) })
      return [201, toShown(added)]
    },
    async clearFaults() {
      await faults.clear()
      return [204]
    },
    getFault: async ({ path }) => [200, toShown(await find(path['fault']))],
    async removeFault({ path }) {
      const { id } = await find(path['fault'])
      await faults.remove(id)
      return [204]
    },
  }
}

function toShown({ key, ...fault }: Fault): object {
  return key === undefined ? fault : { ...fault, key: toWorldId(key) }
}
