/** Names and titles by their owner: the noun of a collection, or the property that holds an object. */
import { fakerWords as faker } from '../generated/words.js'
import type { Recipe } from '../json/sampler/value-looks.js'
import { digits, many, number, oneOf, table } from './recipe.js'
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
const fileWith = (...endings: string[]): Recipe => [words(lists.nouns), '-', many(digits, 3), '.', { words: endings }]
export const file: Recipe = fileWith('pdf', 'png', 'jpg', 'csv', 'docx')
const [picture, video] = [fileWith('png', 'jpg'), fileWith('mp4')]
/** Whether a recipe is that of names of files, which are no titles. */
export const isOfFiles = (recipe: Recipe | undefined): boolean =>
  recipe !== undefined && [file, picture, video].includes(recipe)
/** People call animals like animals, or like people. */
export const animal: Recipe = [{ anyOf: [[words(faker['animal.name'])], [words(lists.firstNames)]] }]

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A title of a work: `The Quiet Harbor` */
const work: Recipe = ['The ', words(lists.adjectives.map(capitalize)), ' ', words(lists.nouns.map(capitalize))]
/** Things that are named after people: `Schmidt Museum` */
const site = (what: string): Recipe => [
  { anyOf: [[words(lists.lastNames)], [words(lists.companyWords)]] },
  ` ${capitalize(what)}`,
]
/** Things that have numbers: `Room 12` */
const numbered = (what: string): Recipe => [`${capitalize(what)} `, { oneOf: '123456789' }, { oneOf: digits }]
const machine = (what: string): Recipe => [...label, `-${what}`]

/** Names by the last words of an owner: `audio books` ends with `book`. */
const things = table<Recipe | ((last: string) => Recipe)>([
  [
    person,
    `user customer client person people author member employee contact owner patient student teacher guest attendee
    participant candidate applicant actor director player creator composer assignee recipient subscriber lead doctor
    passenger user_profile member_profile staff_profile coach_profile driver_profile customer_profile coach speaker reviewer follower friend staff address billing shipping instructor learner signer
    sender payer payee beneficiary admin administrator account_manager project_manager line_manager hiring_manager
    store_manager resident voter donor holder cardholder worker jockey trainer athlete witness editor uploader poster
    commenter caller buyer consignee shipper consumer borrower mentor operator legislator judge nominee individual
    representative self me who tutor caregiver practitioner physician provider_name artist singer musician committer
    pusher requester approver submitter reporter inviter organizer interviewer invitee ^manager ^driver ^name vet
    veterinarian nurse therapist surgeon specialist guardian parent mother father child spouse partner_name crew
    personnel winner presenter host_name conductor performer member_name relative next_of_kin signatory agent_name
    farmer carer moderator trader advisor adviser planner gardener photographer reader writer author_user cleaner officer`,
  ],
  [
    company,
    `company organization organisation account creditor debtor vendor supplier merchant tenant partner brand agency
    employer manufacturer provider sponsor seller dealer insurer carrier institution business enterprise corporation
    publisher issuer firm operator_company lender fund charity org subsidiary distributor contractor developer studio
    label_company network_operator registrar exchange party bank producer insurance insurance_company`,
  ],
  [oneOf(faker['airline.airline']), 'airline'],
  [oneOf(faker['airline.airport']), 'airport'],
  [oneOf(faker['music.artist']), 'band orchestra ensemble'],
  [oneOf(faker['music.songName']), 'song track album'],
  [oneOf(faker['book.title']), 'book novel book_series'],
  [work, 'publication game story poem recording playlist film movie play painting artwork exhibit show episode'],
  [city, 'city town municipality destination location place stop locality suburb area village'],
  [country, 'country nationality'],
  [region, 'state province region county district'],
  [oneOf(lists.streets), 'street road'],
  [
    site,
    `hotel restaurant shop store venue museum gallery school university college hospital clinic gym park station
    library office warehouse building facility theatre theater club hall house center centre church market site branch
    property depot garage farm campus cafe bar marina port terminal plant practice pharmacy bakery vineyard`,
  ],
  [
    numbered,
    `room ward floor gate platform bed seat lane court zone bay locker desk dock aisle shelf rack box hole cabin pitch`,
  ],
  [oneOf(lists.goods), 'product item article goods listing offer deal merchandise sku inventory stock accessory'],
  [oneOf(lists.variants), 'variant'],
  [oneOf(lists.categories), 'category subcategory categoria topic theme'],
  [oneOf(faker['food.dish']), 'dish meal recipe menu_item food course_name lunch dinner main_course'],
  [
    oneOf(faker['food.ingredient'].map(capitalize)),
    'ingredient fruit vegetable crop spice food_product food_item food_article food_goods',
  ],
  [oneOf(lists.vehicles), 'vehicle car truck'],
  [oneOf(faker['vehicle.bicycle']), 'bicycle bike'],
  [oneOf(lists.departments), 'department team division'],
  [animal, 'animal cat dog horse groundhog puppy kitten pony rabbit'],
  [oneOf(lists.currencyNames), 'currency'],
  [oneOf(faker['color.human']), 'color colour'],
  [oneOf(lists.jobs), 'job position occupation vacancy profession role'],
  [oneOf(lists.tags), 'tag label keyword hashtag'],
  [file, 'file attachment upload asset blob media document_file'],
  [picture, 'photo picture image'],
  [video, 'video'],
  [
    machine,
    `server host node instance cluster database bucket queue volume network container machine device sensor gateway
    domain repository repo package plugin subnet vm snapshot image_repository registry namespace pool partition replica
    broker stream topic_arn function lambda pipeline runner branch_name service_account droplet proxy endpoint listener
    firewall router interface switch disk kernel`,
  ],
])

/** A name of a thing. @param whole the words of the owner of the name, the last one in the singular */
export function nameOf(whole: string): Recipe {
  const owner = withoutForm(whole)
  return findName(owner) ?? phraseOf(owner)
}

/** The words of a thing without those that say in which form it is: `horse` for `horse entry` */
export const withoutForm = (whole: string): string =>
  whole.replace(/ (object|data|info|details|item|entry|record|profile|card)$/, '')

/** A neutral phrase with the last words of a name: `Course 12` */
export function phraseOf(name: string): Recipe {
  return numbered(name.split(' ').slice(-2).join(' ') || 'item')
}

/** What a text says about its owner: `More about this film.` */
export function aboutOf(owner: string): Recipe {
  const noun = owner.split(' ').at(-1) || 'entry'
  return [
    words(['A short introduction to this', 'What to know about this', 'More about this', 'All about this']),
    ` ${noun}.`,
  ]
}

/** Somebody who did something, or is to do it: `created by`, `assigned to` */
const doer = /\w(ed|en|id|ade|pt) by$|\b(assigned|delegated|reported|issued) to$/

/** The specific names of a noun. Undefined for others. */
export function findName(owner: string): Recipe | undefined {
  const last = owner.split(' ').at(-1) ?? ''
  const found = things(owner)
  return typeof found === 'function' ? found(last) : (found ?? (doer.test(owner) ? person : undefined))
}

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
export const login: Recipe = [
  words(lists.firstNames.map((name) => name.toLowerCase())),
  '_',
  words(lists.lastNames.map((name) => name.toLowerCase())),
]
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
