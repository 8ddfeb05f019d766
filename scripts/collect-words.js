/** Collects words of Faker, so that the program knows them without loading it. */
import { base, en, Faker } from '@faker-js/faker'

/** Faker's methods whose texts say what their name says. */
const methods = [
  ...['airline.airline', 'airline.airport', 'animal.dog', 'animal.petName', 'animal.type', 'book.title'],
  ...['color.human', 'company.catchPhrase', 'food.dish', 'food.ethnicCategory', 'food.ingredient', 'git.commitMessage'],
  ...['internet.userAgent', 'music.artist', 'music.genre', 'music.songName', 'vehicle.bicycle', 'vehicle.fuel'],
  ...['vehicle.manufacturer', 'vehicle.model', 'vehicle.type', 'vehicle.vin', 'vehicle.vrm'],
]
/** Words of each method, and tries to find them. */
const [most, tries] = [32, 400]

/** @returns the text of a module */
export function collectWords() {
  const faker = new Faker({ locale: [en, base] })
  const words = Object.fromEntries(methods.map((method) => [nameOf(method), wordsOf(faker, method)]))
  const type = `Record<${methods.map((method) => `'${nameOf(method)}'`).join(' | ')}, readonly string[]>`
  return `/** Words of Faker, by its methods. */\nexport const fakerWords: ${type} = ${JSON.stringify(words)}\n`
}

/** The source does not speak of what the bundled document is about. */
const nameOf = (method) => method.replace('petName', 'name')

function wordsOf(faker, method) {
  const [module, name] = method.split('.')
  faker.seed(1)
  const make = () => {
    const made = faker[module][name]()
    return typeof made === 'string' ? made : made.name
  }
  const all = new Set(Array.from({ length: tries }, make).filter((text) => /^[\x20-\x7e]+$/.test(text)))
  return [...all].slice(0, most)
}
