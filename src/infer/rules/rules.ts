/** All rules that decide the effect of an operation, in their order: the first one that finds something decides. */

import { rule as answerLinksToRecord } from './effects/answer-links-to-record.js'
import { rule as collectionChangeChosen } from './effects/collections/collection-change-chosen.js'
import { rule as collectionDelete } from './effects/collections/collection-delete.js'
import { rule as collectionGetByKey } from './effects/collections/collection-get-by-key.js'
import { rule as collectionGetMeasures } from './effects/collections/collection-get-measures.js'
import { rule as collectionGetObject } from './effects/collections/collection-get-object.js'
import { rule as collectionKeyInQuery } from './effects/collections/collection-key-in-query.js'
import { rule as collectionList } from './effects/collections/collection-list.js'
import { rule as collectionPost } from './effects/collections/collection-post.js'
import { rule as collectionPostAsks } from './effects/collections/collection-post-asks.js'
import { rule as collectionPostAsksAsGet } from './effects/collections/collection-post-asks-as-get.js'
import { rule as collectionPostChanges } from './effects/collections/collection-post-changes.js'
import { rule as collectionPostMany } from './effects/collections/collection-post-many.js'
import { rule as collectionPostUpserts } from './effects/collections/collection-post-upserts.js'
import { rule as collectionPostVariant } from './effects/collections/collection-post-variant.js'
import { rule as collectionPut } from './effects/collections/collection-put.js'
import { rule as itemDelete } from './effects/items/item-delete.js'
import { rule as itemGet } from './effects/items/item-get.js'
import { rule as itemPatch } from './effects/items/item-patch.js'
import { rule as itemPost } from './effects/items/item-post.js'
import { rule as itemPut } from './effects/items/item-put.js'
import { rule as itemVerbBeforeKey } from './effects/items/item-verb-before-key.js'
import { rule as listItem } from './effects/list-item.js'
import { rule as partCount } from './effects/parts/part-count.js'
import { rule as partGetByQuery } from './effects/parts/part-get-by-query.js'
import { rule as partGetChosen } from './effects/parts/part-get-chosen.js'
import { rule as partGetFile } from './effects/parts/part-get-file.js'
import { rule as partGetOthers } from './effects/parts/part-get-others.js'
import { rule as partPostActs } from './effects/parts/part-post-acts.js'
import { rule as partPostActsOnSingle } from './effects/parts/part-post-acts-on-single.js'
import { rule as partPostAlone } from './effects/parts/part-post-alone.js'
import { rule as partPostAnswersRecord } from './effects/parts/part-post-answers-record.js'
import { rule as partPostAsksAsGet } from './effects/parts/part-post-asks-as-get.js'
import { rule as partPostCreates } from './effects/parts/part-post-creates.js'
import { rule as partPostFile } from './effects/parts/part-post-file.js'
import { rule as partPostMany } from './effects/parts/part-post-many.js'
import { rule as partPostNamed } from './effects/parts/part-post-named.js'
import { rule as partPostReadsMany } from './effects/parts/part-post-reads-many.js'
import { rule as partPostSearches } from './effects/parts/part-post-searches.js'
import { rule as partPostSignals } from './effects/parts/part-post-signals.js'
import { rule as partPostWritesSingle } from './effects/parts/part-post-writes-single.js'
import { rule as partQuestion } from './effects/parts/part-question.js'
import { rule as postComputesFile } from './effects/post-computes-file.js'
import { rule as propertyValue } from './effects/property-value.js'
import { rule as registers } from './effects/registers.js'
import { rule as rpcAct } from './effects/rpc/rpc-act.js'
import { rule as rpcChange } from './effects/rpc/rpc-change.js'
import { rule as rpcCreate } from './effects/rpc/rpc-create.js'
import { rule as rpcList } from './effects/rpc/rpc-list.js'
import { rule as rpcRead } from './effects/rpc/rpc-read.js'
import { rule as rpcRemove } from './effects/rpc/rpc-remove.js'
import { rule as recordPart } from './effects/singletons/record-part.js'
import { rule as singletonDelete } from './effects/singletons/singleton-delete.js'
import { rule as singletonGet } from './effects/singletons/singleton-get.js'
import { rule as singletonGetAsked } from './effects/singletons/singleton-get-asked.js'
import { rule as singletonGetBelowRecord } from './effects/singletons/singleton-get-below-record.js'
import { rule as singletonGetComputed } from './effects/singletons/singleton-get-computed.js'
import { rule as singletonGetNamed } from './effects/singletons/singleton-get-named.js'
import { rule as singletonGetNothing } from './effects/singletons/singleton-get-nothing.js'
import { rule as singletonGetOfCollection } from './effects/singletons/singleton-get-of-collection.js'
import { rule as singletonGetTwin } from './effects/singletons/singleton-get-twin.js'
import { rule as singletonGetUnknown } from './effects/singletons/singleton-get-unknown.js'
import { rule as singletonGetWritten } from './effects/singletons/singleton-get-written.js'
import { rule as singletonPatch } from './effects/singletons/singleton-patch.js'
import { rule as singletonPut } from './effects/singletons/singleton-put.js'
import type { Rule, RuleInput } from './rule.js'

/** The rules that are asked about an operation. */
export function rulesFor({ node, resource, resources, rpc }: RuleInput): readonly Rule[] {
  if (resources.byItem.has(node)) return itemRules
  if (resource?.kind === 'collection') return [answerLinksToRecord, registers, ...collectionRules]
  return rpc
    ? [answerLinksToRecord, registers, propertyValue, ...rpcRules, ...partRules, ...singletonRules]
    : [answerLinksToRecord, ...partRules, ...singletonRules]
}

/** The path of one record: `/books/{id}` */
export const itemRules: readonly Rule[] = [
  itemVerbBeforeKey,
  itemGet,
  itemPut,
  itemPatch,
  listItem,
  itemDelete,
  postComputesFile,
  itemPost,
]

/** The path of a collection: `/books` */
export const collectionRules: readonly Rule[] = [
  collectionPostVariant,
  collectionGetMeasures,
  collectionGetByKey,
  collectionList,
  collectionChangeChosen,
  collectionKeyInQuery,
  collectionGetObject,
  postComputesFile,
  collectionPostAsks,
  collectionPostAsksAsGet,
  listItem,
  collectionPostMany,
  collectionPostUpserts,
  collectionPostChanges,
  collectionPost,
  collectionPut,
  collectionDelete,
]

/** A verb after a collection or a record, asked before the parts: `/books/list` */
export const rpcRules: readonly Rule[] = [rpcList, rpcRead, rpcCreate, rpcChange, rpcRemove, rpcAct]

/** Any other path: views, queries and actions, such as `/books/search` and `/books/{id}/lend` */
export const partRules: readonly Rule[] = [
  registers,
  partCount,
  partQuestion,
  partGetFile,
  partGetByQuery,
  partGetOthers,
  partGetChosen,
  postComputesFile,
  partPostReadsMany,
  partPostAsksAsGet,
  partPostSearches,
  partPostMany,
  partPostNamed,
  partPostCreates,
  partPostFile,
  listItem,
  propertyValue,
  partPostWritesSingle,
  partPostActsOnSingle,
  partPostActs,
  partPostSignals,
  partPostAnswersRecord,
  partPostAlone,
]

/** Any other path, asked after the parts, as that of something that exists once: `/settings` */
export const singletonRules: readonly Rule[] = [
  recordPart,
  singletonGetTwin,
  singletonGetWritten,
  singletonGetComputed,
  singletonGetUnknown,
  singletonGetNothing,
  singletonGetBelowRecord,
  singletonGetNamed,
  singletonGetOfCollection,
  singletonGetAsked,
  singletonGet,
  singletonPut,
  singletonPatch,
  singletonDelete,
]
