/** Says how values look by their names, for the compiler of plans. */
import type { DescribedText, OwnerNames, ValueLooks } from '../json/sampler/value-looks.js'
import { isShortFor, ownerOfReference, ownerWords, singular, spaced } from '../lexicon/words.js'
import { chooseText, type KnownTexts, recipesToTry, type WantedText } from './choose-text.js'
import { findName } from './names-of-things.js'
import { usualNumber } from './numbers-by-name.js'
import { findRelations } from './relations.js'

/** @param about what the document is about: its title and its paths */
export function createValueLooks(about = ''): ValueLooks {
  const known: KnownTexts = new Map()
  const isOfFood = sellsFood.test(about)
  const toWanted = ({ name, owner, ...described }: DescribedText): WantedText => {
    const noun = ownerWords(owner)
    const words = wordsIn(name, noun)
    const isFood = isOfFood && isGoods.test(noun)
    return { words, owner: isFood ? `${noun} food product` : noun, ...described, known }
  }
  return {
    text: (described) => chooseText(toWanted(described)),
    textsToTry: (described, isOpen) => recipesToTry(toWanted(described), isOpen),
    number: ({ name, owner = '', ...described }) =>
      usualNumber({ words: wordsIn(name), owner: ownerWords(owner), ...described }),
    mayBeNumber: (name) => !/(id|version|code)s?$/i.test(name),
    examplesOf,
    isTelling: (example, name) => spaced(example) !== spaced(name) && !isPlaceholder.test(example),
    itemName: singular,
    memberName,
    identifies: (name) => naming.test(name) || isId.test(name),
    relations: (members, owner) => findRelations(members, ownerWords(owner)),
    ownerName,
  }
}

/** What a value was once is of the same kind: `name_snapshot`. A shortened noun is that of the owner: `cat_name` of a category */
function wordsIn(name: string, noun = ''): string {
  const words = spaced(name).replace(/ snapshot$/, '')
  const [short = ''] = words.split(' ')
  const whole = noun.split(' ').at(-1) ?? ''
  return short !== words && isShortFor(short, whole) ? words.replace(short, whole) : words
}

const sellsFood =
  /\b(farm|food|grocer\w*|bakery|restaurant|kitchen|recipe|deli|supermarket|menu|vineyard|honey|beekeep\w*|dairy|cheese|butcher)s?\b/i
const isGoods = /(^|\b)(product|item|article|line item|goods)$/

/** Keys of a record, of which it may have several. */
export const isId: RegExp = /^_?(id|gid|uid|uuid|guid)$/i
/** Properties that identify a record for people. */
export const naming: RegExp = /^((display|full|first|last|user)_?)?(name|title|label|subject|email)$/i

/** Examples that only say where a text would be. */
export const isPlaceholder: RegExp =
  /^(\.{2,}|…|<[\w .-]+>|\{+[\w .-]+\}+|string|text|value|empty|example|sample|test|foo|bar|(your|my)[-_][\w-]+|lorem ipsum.*|(this is )?(an?|my|the|some|your) (\w+ )?(example|description|name|title|text|value|string)\b.*)$/i

/** The examples of a schema, or else its default, without those that only say where a value would be. */
export function examplesOf({
  example,
  examples,
  default: standard,
}: Parameters<ValueLooks['examplesOf']>[0]): unknown[] {
  const shown = [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])]
  return (shown.length > 0 ? shown : [standard])
    .flatMap((each) => (typeof each === 'string' && isListOfTexts.test(each) ? textsOf(each) : [each]))
    .filter((each) => typeof each !== 'string' || !isPlaceholder.test(each))
}

/** All allowed texts in one: `["EUR", "USD"]` */
const isListOfTexts = /^\s*\[\s*"[^"]*"(\s*,\s*"[^"]*")*\s*\]\s*$/
const textsOf = (list: string) => list.split('"').filter((_, index) => index % 2 === 1)

/** The `type` of a JSON:API resource is no other type, and the `state` of an address no state of a record. */
function memberName(name: string, all: readonly string[]): string {
  if (name === 'type' && all.some((each) => isOfTyped.test(each))) return 'resource type'
  return /^state$/i.test(name) && all.some((each) => isOfAddress.test(each)) ? 'region' : name
}

const isOfTyped = /^(attributes|relationships)$/
const isOfAddress = /^(city|town|street|zip|zip_?code|postal_?code|post_?code)$/i

/** The first of several names for an object whose kind is known. The owner of an object only names the object if nothing else does. */
function ownerName({ reference, property, owner }: OwnerNames): string {
  const named = reference === undefined ? undefined : ownerOfReference(reference)
  const others =
    property === '' ? [named, owner] : / by$/.test(ownerWords(property)) ? [property, named] : [named, property]
  return others.find(isKnown) ?? ((isPart.test(property) ? '' : property) || named || owner || property)
}

function isKnown(owner = ''): boolean {
  return owner !== '' && findName(ownerWords(owner)) !== undefined
}

/** Names of parts that say nothing about what is in them. */
const isPart =
  /^(data|items?|values?|results?|attributes|properties|nodes?|entry|entries|object|record|body|payload|content)$/i

/** Words of paths that say what is done, or which records there are. */
const isDone =
  /^(get|list|find|fetch|search|query|show|all|my)|\b(search|all|me|list|recent|current|latest|\w{2,}(ed|ing)| (to|by|for))$/

/**
 * The name of the records of a collection: that of their schema, if the path only says what is done: `users/starred`
 * @param reference the `$ref` or the pointer of their schema
 */
export function ownerOfRecords(collection: string, reference: string): string {
  const named = ownerOfReference(reference)
  const isAction = isDone.test(ownerWords(collection))
  const names = isAction ? [named, collection] : [collection, named]
  return names.find(isKnown) ?? names.find((each) => each !== undefined) ?? collection
}
