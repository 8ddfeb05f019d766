/** Judges the end state of a world. Loaded on first use, as few tests need it. */
import { type EndStateObserver, observeEndState } from '../checks/consumer/end-state.js'
import { type ReadEndState, readEndState } from '../checks/consumer/read-end-state.js'
import { createShow, type LineVariables } from '../checks/consumer/show-exchange.js'
import type { Finding } from '../checks/finding.js'
import type { RequestContract } from '../contract/contract.js'
import type { World } from '../sandbox/facade/world.js'
import type { Exchange } from '../state/journal.js'
import type { WorldState } from '../state/snapshots/world-state.js'

/** An expectation with the requests so far. */
export interface OpenEndState extends Omit<EndStateObserver, 'judge'>, Pick<ReadEndState, 'world'> {
  /** @param since the state before. @default the scenario */
  judge(world: World, since?: WorldState): Promise<Finding[]>
}

/** @throws SandboxError `INVALID_OPTION` for an expectation that does not fit the document */
export function openEndState(
  given: unknown,
  contract: RequestContract,
  variables: LineVariables = { key: 'API_KEY' },
): OpenEndState {
  const expected = readEndState(given, contract)
  const observer = observeEndState(expected, contract, createShow(contract, variables))
  return {
    ...observer,
    world: expected.world,
    judge: async (world, since) =>
      observer.judge({
        changes: await world.changes(since),
        list: (name, property, values) =>
          world.collection(name).list(property === undefined ? {} : { filter: { [property]: values } }),
      }),
  }
}

/** @param exchanges those of the world, oldest first */
export function judgeEndState(
  given: unknown,
  contract: RequestContract,
  { world, exchanges, since }: { world: World; exchanges: readonly Exchange[]; since?: WorldState | undefined },
): Promise<Finding[]> {
  const open = openEndState(given, contract)
  for (const exchange of exchanges) open.add(exchange)
  return open.judge(world, since)
}
