/** Finds the habits of a service: a person says them, the framework that its document is from has them, or most services do. */
import { findWrong } from '../behaviour/check-value.js'
import { findNoFact } from '../behaviour/error-template.js'
import { guess, Lines, saidBy } from '../behaviour/line.js'
import type { ServiceLines, ServiceMembers, ServiceSaid } from '../behaviour/members.js'
import { serviceVocabulary } from '../behaviour/vocabulary.js'
import { DocumentProblem, type OpenApiDocument } from '../document/document.js'
import { oncePer } from '../document/once.js'
import { serviceName } from '../document/refuse-unknown.js'
import { frameworkOf } from './frameworks.js'

/** The habits of a document: nobody adds others. @throws DocumentProblem for an invalid line of a person */
export const habitsOf: (document: OpenApiDocument) => ServiceSaid = oncePer(findHabits)

/** @throws DocumentProblem for an invalid line of a person */
export function findHabits(document: OpenApiDocument): ServiceLines {
  const lines: ServiceLines = new Lines()
  addWritten(document, lines)
  const framework = frameworkOf(document)
  if (framework) {
    const why = guess('habit', `${framework.name} does so, and the document has its signs`)
    lines.add('errors', '', framework.errors, why)
    if (framework.optional) lines.add('optional', '', framework.optional, why)
  }
  const usual = { ...guess('habit', 'most services do so'), isMajority: true as const }
  lines.add('optional', '', 'empty', usual)
  lines.add('order', '', 'oldest', usual)
  return lines
}

function addWritten(document: OpenApiDocument, lines: ServiceLines): void {
  const written: unknown = Object.entries(document).find(([name]) => name === serviceName)?.[1]
  if (written === undefined) return
  const wrong = findWrong(serviceName, written, serviceVocabulary)
  if (wrong) throw new DocumentProblem(wrong.message, [serviceName, ...wrong.at])
  const { recorded = {}, ...members } = written as Partial<ServiceMembers> & { recorded?: Record<string, string> }
  for (const [member, says] of Object.entries(members)) {
    const place = [serviceName, member]
    const noFact = member === 'errors' ? findNoFact(says) : undefined
    if (noFact !== undefined) throw new DocumentProblem(`${serviceName}.errors: there is no fact "${noFact}"`, place)
    const said = saidBy(recorded, member, '', `${serviceName} says so`)
    lines.add(member as keyof ServiceMembers, '', says, { ...said, from: 'extension', place })
  }
}
