/** What a path has in common with the record or singleton above. */

import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import { operationAt, type PathNode } from '../../paths/path-tree.js'
import type { Resource } from '../../paths/resource.js'
import type { RuleInput } from '../rule.js'

/** The resource of the record that a path is directly below: `/books/{id}/label` */
export function recordAbove({ node, owner, resources }: RuleInput): Resource | undefined {
  return node.parent && resources.byItem.get(node.parent) === owner ? owner : undefined
}

/** The properties that a record has with the same types. */
export function sharedWith(document: OpenApiDocument, { properties }: FlatSchema, record: Located<Schema>): string[] {
  const known = flattenSchema(document, record).properties
  const shared = [...properties].filter(([name, schema]) => {
    const [one, two] = [schema, known.get(name)].map((each) => each && flattenSchema(document, each).types)
    return two && [...(one ?? [])].every((type) => two.has(type))
  })
  return shared.map(([name]) => name)
}

/** The singleton of a path, or the one that contains it. */
export function singletonAbove({ node, resources, owner }: RuleInput): Resource | undefined {
  for (let above: PathNode | undefined = node.parent; above; above = above.parent) {
    const found = resources.at.get(above)
    if (found?.kind === 'singleton' && found.parent === owner && operationAt(above, 'GET')) return found
  }
  return undefined
}
