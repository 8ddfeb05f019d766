/** Describes the machine. */
import { arch, availableParallelism, cpus, platform, release } from 'node:os'

export function describeMachine() {
  return {
    processor: `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? arch()}`,
    system: `${platform()} ${release().split('-')[0]} ${arch()}`,
    node: `Node.js ${process.versions.node}`,
  }
}
