/** The memory limit of a server for pending data. */
import { totalmem } from 'node:os'

const mostBytes = 512 * 1024 * 1024

/** The smaller of 512 MiB and a quarter of the memory of this container or machine, in bytes. */
export function defaultMemoryBytes(): number {
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(mostBytes, Math.floor(Math.min(constrained, totalmem()) / 4))
}
