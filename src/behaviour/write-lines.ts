/** Writes lines in the vocabulary, as a person would. */
import { isObject } from '../json/own-value.js'
import { isWritten, type Line, type Said, toRecorded } from './line.js'
import { effectVocabulary, resourceVocabulary, serviceVocabulary, type Vocabulary } from './vocabulary.js'

/** Which lines: those in extensions, or guesses. */
type Which = 'written' | 'guess'

/** @returns the members of `x-sandbox-resource` */
export function writeResource<Members>(lines: Said<Members>, which: Which): Record<string, unknown> {
  return write(lines, which, resourceVocabulary)
}

/** @returns the members of `x-sandbox-service` */
export function writeService<Members>(lines: Said<Members>, which: Which): Record<string, unknown> {
  return write(lines, which, serviceVocabulary)
}

/** @returns the members of `x-sandbox-effect` */
export function writeEffect<Members>(lines: Said<Members>, which: Which): Record<string, unknown> {
  const [, members = {}] = effectVocabulary.anyOf ?? []
  return write(lines, which, members)
}

function write<Members>(lines: Said<Members>, which: Which, { properties = {} }: Vocabulary): Record<string, unknown> {
  const recorded: [string, string][] = []
  const written = Object.entries(properties).flatMap(([name, { type }]): [string, unknown][] => {
    const member = name as keyof Members
    const isOwn = ({ evidence }: Line) => (which === 'guess' ? evidence.author === 'guess' : isWritten(evidence))
    const own = lines.all(member).filter(isOwn)
    if (own.length === 0 && !(which === 'written' && lines.isComplete(member))) return []
    for (const { about, evidence } of own)
      if (evidence.author === 'recording') recorded.push([toRecorded(name, about), evidence.why])
    if (type === 'array') return [[name, own.map(({ about }) => about)]]
    if (own.length === 1 && own[0]?.about === '') return [[name, own[0].says]]
    return [[name, Object.fromEntries(own.map((line) => [line.about, writeOne(line)]))]]
  })
  return Object.fromEntries([...written, ...(recorded.length > 0 ? [['recorded', Object.fromEntries(recorded)]] : [])])
}

/** A reference without settings is a path. */
function writeOne({ says }: Line): unknown {
  return isObject(says) && Object.keys(says).join() === 'to' ? says['to'] : says
}
