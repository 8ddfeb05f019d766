/** Gives records their entity tags, where a property shows one. */
import type { CollectionModel, RequestContract } from '../../contract/contract.js'
import type { TagForm } from '../../contract/http-care.js'
import type { Values } from '../../state/stored-record.js'
import { hashOf } from './hash.js'

/** @returns the values with a tag that each other state of the record has not */
export function stamp(contract: RequestContract, { tag }: CollectionModel, values: Values): Values {
  if (!tag) return values
  const { [tag.property]: _, ...others } = values
  return { ...values, [tag.property]: write(tag.form, hashOf(contract, others)) }
}

function write(form: TagForm, hash: string): string {
  if (form === 'quoted') return `"${hash}"`
  if (form === 'plain') return hash
  const long = hash + hash
  if (form === 'long') return long
  return long.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
