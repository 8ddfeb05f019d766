/** Names and titles by their owner: the noun of a collection, or the property that holds an object. */
import type { Recipe } from '../json/sampler/value-looks.js'
import { digits, many, number, oneOf } from './recipe.js'
import * as lists from './word-lists.js'

const words = (list: readonly string[]) => ({ words: list })

export const person: Recipe = [words(lists.firstNames), ' ', words(lists.lastNames)]
export const company: Recipe = [
  {
    anyOf: [
      [words(lists.companyWords), ' ', words(lists.companyKinds)],
      [words(lists.lastNames), ' ', words(lists.legalForms)],
      [words(lists.lastNames), ' ', words(lists.companyKinds)],
    ],
  },
]
/** A name for addresses: `quiet-harbor` */
export const label: Recipe = [words(lists.adjectives), '-', words(lists.nouns)]
export const city: Recipe = oneOf(lists.places.map((place) => place.city))
export const region: Recipe = oneOf(lists.places.map((place) => place.region))
export const country: Recipe = oneOf([...new Set(lists.places.map((place) => place.country))])
const product: Recipe = [words(lists.materials), ' ', words(lists.goods)]
const file: Recipe = [words(lists.nouns), '-', many(digits, 3), '.', { words: ['pdf', 'png', 'jpg', 'csv', 'docx'] }]

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const capitalized = {
  adjectives: words(lists.adjectives.map(capitalize)),
  nouns: words(lists.nouns.map(capitalize)),
  topics: words(lists.topics.map(capitalize)),
}

/** Things that are named after people: `Schmidt Museum` */
const site = (what: string): Recipe => [
  { anyOf: [[words(lists.lastNames)], [words(lists.companyWords)]] },
  ` ${capitalize(what)}`,
]

/** Names by the words of an owner: `audio books` ends with `book`. The first match counts. */
const named: readonly (readonly [RegExp, (last: string) => Recipe])[] = [
  [
    /\b(user|customer|client|person|people|author|member|employee|contact|owner|patient|student|teacher|guest|attendee|participant|candidate|applicant|actor|director|player|creator|composer|assignee|recipient|subscriber|lead|doctor|passenger|profile|coach|speaker|reviewer|follower|friend|staff|address|billing|shipping|instructor|learner|signer|sender|payer|payee|beneficiary|admin|administrator|(account|project|line|hiring|store) manager|resident|voter|donor|holder|cardholder|worker|jockey|trainer|athlete|witness|editor|uploader|poster|commenter|caller|buyer|consignee|shipper|consumer|borrower|mentor|operator|legislator|judge|nominee|individual|representative|self|me|who|tutor|caregiver|practitioner|physician|provider name|artist|singer|musician|committer|pusher|requester|approver|submitter|reporter|inviter|organizer|interviewer|invitee)$|^(manager|driver|name)$|\b(creat|updat|modifi|add|edit|approv|upload|assign|own|post|invit|report|request|submit|review|cancel|pin|bann|complet|change|delet|close|written|made)\w* by$/,
    () => person,
  ],
  [
    /\b(company|organi[sz]ation|account|creditor|debtor|vendor|supplier|merchant|tenant|partner|brand|agency|employer|manufacturer|provider|sponsor|seller|dealer|insurer|carrier|institution|business|enterprise|corporation|publisher|issuer|firm|operator company|lender|fund|charity|org|subsidiary|distributor|contractor|developer|studio|label company|network operator|registrar|exchange|party|bank|airline|band)$/,
    () => company,
  ],
  [
    /\b(book|novel|publication|game|story|poem|album|track|song|recording|playlist)$/,
    () => ['The ', capitalized.adjectives, ' ', capitalized.nouns],
  ],
  [/\b(city|town|municipality|destination|location|place|stop|locality|suburb|area)$/, () => city],
  [/\b(country|nationality)$/, () => country],
  [/\b(state|province|region|county|district)$/, () => region],
  [/\b(street|road)$/, () => oneOf(lists.streets)],
  [
    /\b(hotel|restaurant|shop|store|venue|museum|gallery|school|university|college|hospital|clinic|gym|park|station|library|office|warehouse|building|facility|theatre|theater|club|hall|house|center|centre|church|market|site|branch|property|depot|garage|farm|campus|room|cafe|bar|marina|port|airport|terminal|plant)$/,
    site,
  ],
  [/\b(product|item|article|goods|listing|variant|offer|deal|merchandise|sku|inventory|stock)$/, () => product],
  [/\b(category|subcategory)$/, () => oneOf(lists.categories)],
  [/\bdepartment$/, () => oneOf(lists.departments)],
  [/\b(cat|dog|horse|groundhog)$/, () => [words(lists.firstNames)]],
  [/\bcurrency$/, () => oneOf(lists.currencyNames)],
  [/\bcolou?r$/, () => oneOf(lists.colours)],
  [/\b(job|position|occupation|vacancy|profession)$/, () => oneOf(lists.jobs)],
  [/\b(tag|label|keyword|topic|skill|interest|hashtag)$/, () => oneOf(lists.tags)],
  [/\b(file|attachment|upload|photo|picture|image|video|asset|blob|media|document file)$/, () => file],
  [
    /\b(server|host|node|instance|cluster|database|bucket|queue|volume|network|container|machine|device|sensor|gateway|domain|repository|repo|package|plugin|subnet|vm|snapshot|image repository|registry|namespace|pool|partition|replica|broker|stream|topic arn|function|lambda|pipeline|runner|branch name|service account|droplet|proxy|endpoint|listener|firewall|router|interface|switch|disk|kernel)$/,
    (last) => [...label, `-${last}`],
  ],
]

/** Things that people make and name for their work: `Weekly sales dashboard` */
const ofWork =
  /\b(access|action|agent|alert|app|application|audit|batch|binding|board|budget|bundle|campaign|channel|chart|check|collection|config|configuration|connection|connector|contract|credential|dashboard|dataset|deployment|directory|document|export|extension|feed|field|filter|flow|folder|form|goal|group|hook|import|index|integration|job|key|layout|list|log|map|member group|message|mission|model|module|monitor|notification|operation|order|page|pattern|permission|plan|policy|poll|program|project|property|query|quota|record|reference|release|report|request|role|rule|schedule|schema|scope|segment|service|session|set|share|source|space|stage|step|stock|store view|strategy|subscription|survey|table|task|team|template|test|ticket|token|tool|trigger|type|unit|update|view|webhook|widget|workflow|workspace)$/

/** Whether something gets the name of what it is for. */
export function isOfWork(owner: string): boolean {
  return ofWork.test(owner)
}

/** A name of a thing. @param owner the words of the owner of the name, the last one in the singular */
export function nameOf(whole: string): Recipe {
  const owner = whole.replace(/ (object|data|info|details|item|entry|record)$/, '')
  const last = owner.split(' ').at(-1) ?? ''
  const work: Recipe = [words(lists.qualifiers), ' ', words(lists.areas), ` ${last || 'item'}`]
  return findName(owner) ?? (isOfWork(owner) ? work : phraseOf(owner))
}

/** A neutral phrase with the last words of a name: `Main course` */
export function phraseOf(name: string): Recipe {
  return [words(lists.qualifiers), ` ${name.split(' ').slice(-2).join(' ') || 'item'}`]
}

/** What a thing of work is for: `Dashboard for the sales team` */
export function purposeOf(owner: string): Recipe {
  return [`${capitalize(owner.split(' ').at(-1) ?? '')} for the `, words(lists.areas), ' team']
}

/** The specific names of a noun. Undefined for others. */
export function findName(owner: string): Recipe | undefined {
  const last = owner.split(' ').at(-1) ?? ''
  return named.find(([pattern]) => pattern.test(owner))?.[1](last)
}

/** Titles of what happens to people, by its noun. */
const happenings: readonly (readonly [RegExp, Recipe])[] = [
  [/\b(task|todo|reminder|card|story|step|goal|milestone|action)$/, [words(lists.verbs), ' the ', words(lists.topics)]],
  [/\b(issue|ticket|bug|case|incident|problem|defect|request)$/, oneOf(lists.problems)],
  [/\b(event|meeting|appointment|activity|webinar|session|conference)$/, oneOf(lists.meetings)],
]

export function happeningOf(owner: string): Recipe | undefined {
  return happenings.find(([pattern]) => pattern.test(owner))?.[1]
}

/** A subject: `Price list` */
export const subject: Recipe = [capitalized.topics]
/** What can be said of anything. */
export const explanation: Recipe = oneOf(lists.explanations)
export const remark: Recipe = oneOf(lists.remarks)
export const failure: Recipe = oneOf(lists.failures)

/** Addresses are reserved for examples (RFC 2606, RFC 5737, RFC 3849). */
export const host: Recipe = [...label, '.example.com']
export const uri: Recipe = ['https://example.com/', ...label]
export const path: Recipe = ['/', ...label]
export const email: Recipe = [
  words(lists.firstNames.map((name) => name.toLowerCase())),
  '.',
  words(lists.lastNames.map((name) => name.toLowerCase())),
  '@example.com',
]
export const login: Recipe = [words(lists.firstNames.map((name) => name.toLowerCase())), '_', ...number(2)]
/** Numbers that are never given to people (ITU-T E.164, 555-01xx). */
export const phone: Recipe = ['+1', { words: ['202', '303', '415', '512', '617', '718'] }, '55501', many(digits, 2)]
export const ipv4: Recipe = ['192.0.2.', { words: Array.from({ length: 60 }, (_, index) => String(4 * index + 2)) }]
export const ipv6: Recipe = ['2001:db8::', { oneOf: '123456789abcdef' }, many('0123456789abcdef', 3)]
export const uuid: Recipe = [
  ...[many('0123456789abcdef', 8), '-', many('0123456789abcdef', 4), '-4', many('0123456789abcdef', 3), '-'],
  ...[{ oneOf: '89ab' }, many('0123456789abcdef', 3), '-', many('0123456789abcdef', 12)],
]
export const street: Recipe = [words(lists.streets), ' ', ...number(2)]
export const word: Recipe = [{ words: lists.nouns }]
