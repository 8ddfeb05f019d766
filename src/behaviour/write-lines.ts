/** Writes lines in the vocabulary, as a person would. */
import { isObject } from '../json/own-value.js'
import type { Author, Line, Said } from './line.js'
import { effectVocabulary, resourceVocabulary, serviceVocabulary, type Vocabulary } from './vocabulary.js'

/** @param author whose lines. @returns the members of `x-sandbox-resource` */
export function writeResource<Members>(lines: Said<Members>, author: Author): Record<string, unknown> {
  return write(lines, author, resourceVocabulary)
}

/** @param author whose lines. @returns the members of `x-sandbox-service` */
export function writeService<Members>(lines: Said<Members>, author: Author): Record<string, unknown> {
  return write(lines, author, serviceVocabulary)
}

/** @param author whose lines. @returns the members of `x-sandbox-effect` */
export function writeEffect<Members>(lines: Said<Members>, author: Author): Record<string, unknown> {
  const [, members = {}] = effectVocabulary.anyOf ?? []
  return write(lines, author, members)
}

function write<Members>(
  lines: Said<Members>,
  author: Author,
  { properties = {} }: Vocabulary,
): Record<string, unknown> {
  const written = Object.entries(properties).flatMap(([name, { type }]): [string, unknown][] => {
    const member = name as keyof Members
    const own = lines.all(member).filter(({ evidence }) => evidence.author === author)
    if (own.length === 0 && !(author === 'person' && lines.isComplete(member))) return []
    if (type === 'array') return [[name, own.map(({ about }) => about)]]
    if (own.length === 1 && own[0]?.about === '') return [[name, own[0].says]]
    return [[name, Object.fromEntries(own.map((line) => [line.about, writeOne(line)]))]]
  })
  return Object.fromEntries(written)
}

/** A reference without settings is a path. */
function writeOne({ says }: Line): unknown {
  return isObject(says) && Object.keys(says).join() === 'to' ? says['to'] : says
}
