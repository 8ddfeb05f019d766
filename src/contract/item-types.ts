/** The types of the texts of a parameter. */

import type { RequestContract } from './contract.js'
import type { JsonType, Parameter } from './request-model.js'

/** The JSON types of the items of a list, else those of the value. */
export function itemTypesOf({ textTypes }: RequestContract, { types, style }: Parameter): readonly JsonType[] {
  if (!style || !types.includes('array')) return types
  const { items } = textTypes[style.type] ?? {}
  return textTypes[items ?? -1]?.types ?? []
}

/** The separators of styles that have another one than a comma. `tabDelimited` is that of Swagger 2.0. */
export const separators: { readonly [style: string]: string } = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
}

/** The separator of the items of a list, if its items are in one text. */
export function separatorOf({ types, style }: Parameter): string | undefined {
  if (!style || !types.includes('array')) return undefined
  const own = separators[style.name]
  if (own !== undefined) return style.explode ? undefined : own
  if (style.name === 'label' && style.explode) return '.'
  if (style.name === 'matrix' && style.explode) return ';'
  const isSplit = style.name === 'form' || style.name === 'cookie' ? !style.explode : style.name !== 'deepObject'
  return isSplit ? ',' : undefined
}
