/** Fourth step: what the operation does to the world, and what it answers. */
import type { Contract, Effect, Operation } from '../contract/contract.js'
import type { World } from '../state/world.js'
import { create, read, remove, replace, update } from './apply-keyed.js'
import { list } from './apply-list.js'
import type { Refusal } from './refusal.js'
import type { ValidRequest } from './validate.js'

/** A success, not yet a response. */
export interface Answer {
  status: number
  mediaType?: string | undefined
  body?: string | undefined
  headers?: Record<string, string>
}

/** What an effect works on. */
export interface Applied<E extends Effect = Effect> {
  contract: Contract
  operation: Operation
  effect: E
  world: World
  /** Name of the server, whose collections these are. */
  server: string
  request: ValidRequest
}

export function apply({ effect, ...rest }: Applied): Answer | Refusal {
  switch (effect.kind) {
    case 'list':
      return list({ effect, ...rest })
    case 'create':
      return create({ effect, ...rest })
    case 'read':
      return read({ effect, ...rest })
    case 'replace':
      return replace({ effect, ...rest })
    case 'update':
      return update({ effect, ...rest })
    case 'remove':
      return remove({ effect, ...rest })
    case 'example':
      return effect
    case 'undescribed': {
      const { method, path } = rest.operation
      return { reason: 'not_described', message: `The document does not say what ${method} ${path} answers` }
    }
  }
}
