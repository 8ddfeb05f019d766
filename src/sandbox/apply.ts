/** Fourth step: what the operation does to the world, and what it answers. */
import type { Answer, Applied } from './applied.js'
import { create, read, remove, replace, update } from './apply-keyed.js'
import { list } from './apply-list.js'
import type { Refusal } from './refusal.js'

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
