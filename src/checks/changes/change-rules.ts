/** All rules about changes between two versions, in the order in which they are listed. */
import type { Rule } from '../rule.js'

/** An `error` breaks consumers, a `warning` needs attention, an `info` is harmless. */
export const changeRuleSet = {
  'operation-removed': {
    severity: 'error',
    looksAt: 'an operation that the next version does not have',
    help: 'Call another operation before you move to the next version',
  },
  'operation-deprecated': {
    severity: 'warning',
    looksAt: 'an operation that the next version deprecates or ends earlier (an error with --sunset-within)',
    help: 'Stop calling it before it ends',
  },
  'credentials-changed': {
    severity: 'error',
    looksAt: 'credentials that were accepted, and are not in the next version',
    help: 'Send credentials that the next version accepts',
  },
  'scope-added': {
    severity: 'warning',
    looksAt: 'a scope that only the next version requires of a token',
    help: 'Request tokens with this scope',
  },
  'server-changed': {
    severity: 'warning',
    looksAt: 'an address of the service that the next version does not have',
    help: 'Configure the new address',
  },
  'operation-added': {
    severity: 'info',
    looksAt: 'an operation that only the next version has',
    help: 'Nothing needs to be done',
  },
  'parameter-required': {
    severity: 'error',
    looksAt: 'a parameter that only the next version requires',
    help: 'Send it',
  },
  'parameter-removed': {
    severity: 'warning',
    looksAt: 'a parameter that the next version does not have',
    help: 'Do not send it: the service ignores it, or refuses it',
  },
  'parameter-style-changed': {
    severity: 'error',
    looksAt: 'a parameter that is written in another way in the next version',
    help: 'Write the value as the next version documents it',
  },
  'body-required': {
    severity: 'error',
    looksAt: 'a body that only the next version requires',
    help: 'Send a body',
  },
  'body-removed': {
    severity: 'warning',
    looksAt: 'a body that the next version does not have',
    help: 'Do not send a body: the service ignores it, or refuses it',
  },
  'media-type-removed': {
    severity: 'error',
    looksAt: 'a media type of the body that the next version does not accept',
    help: 'Send a media type that the next version accepts',
  },
  'parameter-added': {
    severity: 'info',
    looksAt: 'an optional parameter that only the next version has',
    help: 'Nothing needs to be done',
  },
  'type-narrowed': {
    severity: 'error',
    looksAt: 'a type of a sent value that the next version refuses',
    help: 'Send a value of a type that the next version accepts',
  },
  'value-removed': {
    severity: 'error',
    looksAt: 'a sent value that the next version does not list any more',
    help: 'Send one of the values that the next version lists',
  },
  'limit-narrowed': {
    severity: 'error',
    looksAt: 'a limit of a sent value that is narrower in the next version',
    help: 'Send values within the limit',
  },
  'format-narrowed': {
    severity: 'error',
    looksAt: 'a format or pattern that the next version demands of a sent value',
    help: 'Send values in this form',
  },
  'unknown-properties-refused': {
    severity: 'error',
    looksAt: 'an object in a body that refuses undocumented properties in the next version',
    help: 'Send only documented properties',
  },
  'property-required': {
    severity: 'error',
    looksAt: 'a property of a body that only the next version requires',
    help: 'Send it',
  },
  'property-removed': {
    severity: 'warning',
    looksAt: 'a property of a body that the next version does not have (an error if it is refused)',
    help: 'Do not send it: the service ignores it, or refuses it',
  },
  'property-read-only': {
    severity: 'warning',
    looksAt: 'a property of a body that only the service writes in the next version',
    help: 'Do not send it',
  },
  'default-changed': {
    severity: 'warning',
    looksAt: 'a default that is another one in the next version',
    help: 'Send the value that you mean',
  },
  'property-added': {
    severity: 'info',
    looksAt: 'an optional property of a body that only the next version has',
    help: 'Nothing needs to be done',
  },
  'status-removed': {
    severity: 'error',
    looksAt: 'a success that the next version does not document (a warning for errors)',
    help: 'Handle the statuses that the next version documents',
  },
  'response-type-removed': {
    severity: 'error',
    looksAt: 'a media type of an answer that the next version does not have (a warning for another JSON type)',
    help: 'Read a media type that the next version documents',
  },
  'response-header-removed': {
    severity: 'warning',
    looksAt: 'a header of an answer that the next version does not document, or that can be missing there',
    help: 'Do not depend on it',
  },
  'status-added': {
    severity: 'info',
    looksAt: 'a status that only the next version documents (a warning for a success)',
    help: 'Handle it',
  },
  'response-property-removed': {
    severity: 'error',
    looksAt: 'a property of an answer that the next version does not have',
    help: 'Do not read it',
  },
  'response-property-optional': {
    severity: 'error',
    looksAt: 'a property of an answer that can be missing in the next version',
    help: 'Handle answers without it',
  },
  'response-type-widened': {
    severity: 'error',
    looksAt: 'a value of an answer that can have another type or be null in the next version',
    help: 'Handle it',
  },
  'response-value-added': {
    severity: 'warning',
    looksAt: 'a value of an answer that the old version does not list (an error if it is read)',
    help: 'Handle unknown values',
  },
  'response-limit-widened': {
    severity: 'warning',
    looksAt: 'a limit of a value of an answer that is wider in the next version (an error if it is read)',
    help: 'Handle values beyond the old limit',
  },
  'response-format-widened': {
    severity: 'warning',
    looksAt: 'a value of an answer with another format or pattern in the next version (an error if it is read)',
    help: 'Handle the new form',
  },
  'response-property-added': {
    severity: 'info',
    looksAt: 'a property of an answer that only the next version has',
    help: 'Nothing needs to be done',
  },
  'not-compared': {
    severity: 'error',
    looksAt: 'a part that differs and that no other rule looks at, such as `not` or `encoding`, or that is too large',
    help: 'Compare both versions of it yourself, then add it to the baseline',
  },
} as const

export type ChangeRuleId = keyof typeof changeRuleSet

export const changeRules: readonly (Rule & { id: ChangeRuleId })[] = (Object.keys(changeRuleSet) as ChangeRuleId[]).map(
  (id) => ({ id, ...changeRuleSet[id] }),
)
