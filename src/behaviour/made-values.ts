/** Reads and writes what is made of other values of its record: a template of a text, the length of a list, the words of a name, or a number of changes. */
import type { MadeValue } from '../contract/contract.js'
import { fromAbout, toAbout } from './line.js'

export type Made = Omit<MadeValue, 'pointer'>

/** @example fromMade('{first} {/address/city}') // { parts: [['first'], ' ', ['address', 'city']] } */
export function fromMade(written: string | MadeValue['parts']): Made {
  if (typeof written !== 'string') return { parts: written }
  if (written === '$version') return { parts: [], isVersion: true }
  const [, counts] = /^\$count\.(.+)$/.exec(written) ?? []
  if (counts !== undefined) return { parts: [], counts }
  const [, slugOf] = /^\$slug\.(.+)$/.exec(written) ?? []
  if (slugOf !== undefined) return { parts: [], slugOf }
  const parts = written.split(/(\{\{[^{}]+\}\}|\{[^{}]+\})/).filter((part) => part !== '')
  return { parts: parts.map((part) => (/^\{.*\}$/.test(part) ? fromAbout(part.slice(1, -1)) : part)) }
}

/** @returns the parts of a text that no template can have, because of its braces */
export function toMade({ parts, counts, slugOf, isVersion }: Made): string | MadeValue['parts'] {
  if (isVersion) return '$version'
  if (counts !== undefined) return `$count.${counts}`
  if (slugOf !== undefined) return `$slug.${slugOf}`
  const template = parts.map((part) => (typeof part === 'string' ? part : `{${toAbout(part)}}`)).join('')
  const isWritable = parts.every((part) => typeof part !== 'string' || !/[{}]/.test(part)) && !template.startsWith('$')
  return isWritable ? template : parts
}
