/** Finds which names the body of a request may have, whatever their spelling. */
import type { Operation, RequestContract } from '../contract.js'

/** The names that the body of a request may have, at any depth. */
export function namesOfBody({ shapes }: Pick<RequestContract, 'shapes'>, { body }: Operation): ReadonlySet<string> {
  const names = new Set<string>()
  const seen = new Set<number>()
  const add = (shape: number | undefined) => {
    if (shape === undefined || seen.has(shape)) return
    seen.add(shape)
    const { properties, items } = shapes[shape] ?? {}
    for (const [name, of] of properties ?? []) {
      names.add(toPlainName(name))
      add(of)
    }
    add(items)
  }
  for (const { shape } of body?.content ?? []) add(shape)
  return names
}

/** A name without its spelling: forms have others than answers. */
export function toPlainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
