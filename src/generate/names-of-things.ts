/** Names and titles by their owner: the noun of a collection, or the property that holds an object. */
import type { Faker } from '@faker-js/faker'

export type Make = (faker: Faker) => string

export const noun: Make = (faker) => faker.word.noun()
export const label: Make = (faker) => noun(faker).replace(/[^a-z]+/g, '-')
export const person: Make = (faker) => faker.person.fullName()
export const company: Make = (faker) => faker.company.name()
const product: Make = (faker) => faker.commerce.productName()

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Things that are named after people: `Schmidt Museum` */
const place =
  (what: string): Make =>
  (faker) =>
    `${faker.person.lastName()} ${capitalize(what)}`

/** Names by the words of an owner: `audio books` ends with `book`. The first match counts. */
const named: readonly (readonly [RegExp, (last: string) => Make])[] = [
  [
    /\b(user|customer|client|person|people|author|member|employee|contact|owner|patient|student|teacher|driver|guest|attendee|participant|candidate|applicant|actor|director|player|creator|composer|assignee|recipient|subscriber|lead|agent|doctor|passenger|profile|coach|speaker|reviewer|follower|friend|staff|address|billing|shipping)$/,
    () => person,
  ],
  [
    /\b(company|organi[sz]ation|account|vendor|supplier|merchant|tenant|partner|brand|agency|bank|employer|manufacturer|provider|sponsor|seller|dealer|insurer|carrier|institution|business|enterprise|corporation)$/,
    () => company,
  ],
  [/\b(artist|band|singer|musician)$/, () => (faker) => faker.music.artist()],
  [/\b(album|record)$/, () => (faker) => faker.music.album()],
  [/\b(track|song|recording)$/, () => (faker) => faker.music.songName()],
  [/\bgenre$/, () => (faker) => faker.music.genre()],
  [/\b(book|novel|publication|movie|film)$/, () => (faker) => faker.book.title()],
  [/\b(series|show|podcast)$/, () => (faker) => faker.book.series()],
  [/\bpublisher$/, () => (faker) => faker.book.publisher()],
  [/\b(city|town|municipality|destination|location|place|site|stop)$/, () => (faker) => faker.location.city()],
  [/\b(country|nationality)$/, () => (faker) => faker.location.country()],
  [/\b(state|province|region|county|district)$/, () => (faker) => faker.location.state()],
  [/\b(street|road)$/, () => (faker) => faker.location.street()],
  [/\bairport$/, () => (faker) => faker.airline.airport().name],
  [/\bairline$/, () => (faker) => faker.airline.airline().name],
  [
    /\b(hotel|restaurant|shop|store|venue|museum|gallery|school|university|hospital|clinic|gym|park|station|library|office|warehouse|building|facility|theatre|theater|club|hall|house|center|centre|church|market)$/,
    (last) => place(last),
  ],
  [/\b(product|item|article|goods|listing|variant|offer|deal|merchandise)$/, () => product],
  [/\b(category|department)$/, () => (faker) => faker.commerce.department()],
  [/\b(animal|cat|dog|horse)$/, () => (faker) => faker.person.firstName()],
  [/\b(breed|species)$/, () => (faker) => faker.animal.type()],
  [/\b(vehicle|car|truck)$/, () => (faker) => faker.vehicle.vehicle()],
  [/\b(dish|meal|recipe|food)$/, () => (faker) => faker.food.dish()],
  [/\bingredient$/, () => (faker) => faker.food.ingredient()],
  [/\blanguage$/, () => (faker) => faker.location.language().name],
  [/\bcurrency$/, () => (faker) => faker.finance.currencyName()],
  [/\bcolou?r$/, () => (faker) => faker.color.human()],
  [/\b(job|position|occupation|vacancy|profession)$/, () => (faker) => faker.person.jobTitle()],
  [/\b(tag|label|keyword|topic|skill|interest)$/, () => noun],
  [/\b(file|attachment|upload|photo|picture|image|video|asset)$/, () => (faker) => faker.system.commonFileName()],
  [
    /\b(server|host|node|instance|cluster|database|bucket|queue|volume|network|container|machine|device|sensor|gateway|domain|repository|package|plugin)$/,
    (last) => (faker) => `${label(faker)}-${last}`,
  ],
]

/** Qualifiers for names that fit anything: `Weekly dashboard` */
const qualifiers =
  'main weekly internal regional shared draft public monthly second northern early archived private daily central spare new local final temporary first eastern annual partial'.split(
    ' ',
  )

/** Things that people work on. */
const objects =
  'quarterly report,spring catalogue,price list,delivery schedule,meeting notes,customer survey,annual budget,travel plan,product photos,team calendar,press release,contract draft,training slides,stock list,launch plan,guest list,opening hours,project timeline,shipping labels,welcome letter,monthly newsletter,safety checklist,floor plan,winter campaign'.split(
    ',',
  )

const verbs = 'review,update,prepare,check,discuss,share,approve,translate,publish,print,correct,plan'.split(',')

const pick = (faker: Faker, all: readonly string[]) => faker.helpers.arrayElement(all)

/** A name of a thing. @param owner the words of the owner of the name, the last one in the singular */
export function nameMaker(owner: string): Make {
  const last = owner.split(' ').at(-1) ?? ''
  const known = named.find(([pattern]) => pattern.test(owner))?.[1](last)
  return known ?? qualified(last === '' ? 'item' : last)
}

/** Whether the noun has specific names instead of only generic ones. */
export function hasOwnNames(owner: string): boolean {
  return named.some(([pattern]) => pattern.test(owner))
}

/** Different names first, then the same names with numbers. */
function qualified(last: string): Make {
  let made = 0
  let first: number | undefined
  return (faker) => {
    first ??= faker.number.int({ max: qualifiers.length - 1 })
    const round = Math.floor(made / qualifiers.length)
    const text = capitalize(`${qualifiers[(first + made++) % qualifiers.length]} ${last}`)
    return round > 0 ? `${text} ${round + 1}` : text
  }
}

/** A task: `Review the price list` */
export const duty: Make = (faker) => capitalize(`${pick(faker, verbs)} the ${pick(faker, objects)}`)

/** A subject: `Price list` */
export const subject: Make = (faker) => capitalize(pick(faker, objects))

const audiences =
  'the team,new customers,all members,the first half of the year,the main site,partners,daily use,the archive,tests,the public'.split(
    ',',
  )

/** The purpose of a thing: `Workspace for partners, made for the price list.` */
export function explanationOf(owner: string): Make {
  return (faker) =>
    `${capitalize(owner || 'entry')} for ${pick(faker, audiences)}, made for the ${pick(faker, objects)}.`
}

export const failure: Make = (faker) =>
  pick(faker, [
    'The request timed out.',
    'The file could not be read.',
    'A required value is missing.',
    'The connection was closed.',
    'The account has no access.',
    'The format is not supported.',
  ])

const days = 'Monday,Tuesday,Wednesday,Thursday,Friday'.split(',')

const remarks: readonly ((about: string, day: string) => string)[] = [
  (about, day) => `Could you check the ${about} before ${day}?`,
  (about) => `The ${about} looks good to me.`,
  (about, day) => `I will send the ${about} on ${day}.`,
  (about) => `There is a small mistake in the ${about}.`,
  (about, day) => `Let us talk about the ${about} on ${day}.`,
  (about) => `Thanks for the ${about}!`,
  (about, day) => `We still need the ${about} for ${day}.`,
  (about) => `Who has the latest version of the ${about}?`,
]

export const remark: Make = (faker) => faker.helpers.arrayElement(remarks)(pick(faker, objects), pick(faker, days))
