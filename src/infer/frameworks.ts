/** Recognizes the framework that has generated a document. */
import type { OpenApiDocument } from '../document/document.js'
import { oncePer } from '../document/once.js'
import { isObject } from '../json/own-value.js'
import { type Framework, frameworks, type SignPlace } from '../lexicon/frameworks.js'
import { describeOperations } from '../schemas/operations/describe-operations.js'

/** So many signs tell a framework. */
const enough = 2
/** Schemas with more properties are no pages. */
const maxPage = 20

/** @returns undefined if no framework has enough signs, or several have */
export const frameworkOf: (document: OpenApiDocument) => Framework | undefined = oncePer((document) => {
  const names = namesIn(document)
  const counted = frameworks.map((framework) => {
    const found = framework.signs.filter(({ in: place, like, share = 0 }) => {
      const matching = names[place].filter((name) => like.test(name)).length
      return matching > 0 && matching >= names[place].length * share
    })
    return { framework, count: found.length }
  })
  const [first, second] = counted.toSorted((one, other) => other.count - one.count)
  return first && first.count >= enough && first.count > (second?.count ?? 0) ? first.framework : undefined
})

function namesIn(document: OpenApiDocument): Record<SignPlace, string[]> {
  const { schemas = {}, responses = {} } = document.components ?? {}
  const operations = describeOperations(document)
  const contents = operations.flatMap(({ body, responses: all }) => [
    ...(body ? [body.value.content] : []),
    ...[...all.values()].map(({ value }) => value.content),
  ])
  const objects: object[] = [...Object.values(schemas), ...operations.map(({ value }) => value)].filter(isObject)
  return {
    schema: Object.keys(schemas),
    response: Object.keys(isObject(responses) ? responses : {}),
    description: operations.flatMap(({ responses: all }) =>
      [...all.values()].map(({ value }) => String(value.description)),
    ),
    parameter: operations.flatMap(({ parameters }) =>
      parameters.filter(({ value }) => value.required).map(({ value }) => value.name),
    ),
    path: operations.map(({ path }) => path),
    server: (document.servers ?? []).map(({ url }) => url),
    operation: operations.flatMap(({ value }) => value.operationId ?? []),
    tag: operations.flatMap(({ value }) => tagsOf(value)),
    media: contents.flatMap((content = {}) => Object.keys(content).toSorted().join(' ')),
    extension: objects.flatMap((each) => Object.keys(each).filter((name) => name.startsWith('x-'))),
    properties: Object.values(schemas).flatMap((schema) => {
      const names = isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : []
      return names.length > 0 && names.length <= maxPage ? names.toSorted().join(' ') : []
    }),
  }
}

function tagsOf(operation: object): string[] {
  const tags: unknown = 'tags' in operation ? operation.tags : undefined
  return Array.isArray(tags) ? tags.map(String) : []
}
