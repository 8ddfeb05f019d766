/** Finds operations that never change the state although their method could. */
import type { Operation, RequestContract } from '../contract.js'

export function isUnchanging(operation: Operation, { shapes }: Pick<RequestContract, 'shapes'>): boolean {
  const { method, effect, extras, body } = operation
  const use = extras?.kind === 'http' ? extras.extras : extras
  if ((use && use.kind !== 'values') || ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].includes(method)) return false
  const isKeyed = effect.kind === 'action' || effect.kind === 'update'
  if (isKeyed && (effect.changes ?? effect.related ?? effect.takes ?? effect.copies)) return false
  if (effect.kind === 'action') return effect.sets?.length === 0
  if (effect.kind !== 'update' || effect.given || effect.givenAliases || effect.creates)
    return effect.kind === 'example' && !effect.starts
  // The body has nothing that the record has.
  const record = shapes[effect.writable ?? 0]
  const isForeign = (shape: number) => {
    const { properties, open } = shapes[shape] ?? {}
    return properties?.some(([name]) => record?.properties?.some(([known]) => known === name)) === false && !open
  }
  const isOpen = !record?.properties || record.open || effect.serviceWritten.some(({ again }) => again)
  return !isOpen && body?.content.every(({ codec, shape }) => codec === 'json' && isForeign(shape)) === true
}
