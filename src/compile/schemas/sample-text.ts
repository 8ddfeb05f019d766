/** Texts and numbers for samples, by what a property is called. For believable data see `generate`. */
import { wordsOf } from '../resources/words.js'

const usual: readonly (readonly [RegExp, string])[] = [
  [/\bemail( address)?$/, 'someone@service.example'],
  [/\b(url|uri|link|href|website|callback|webhook)$/, 'https://service.example/'],
  [/\b(phone|mobile|fax)( number)?$/, '+1 555 0100'],
  [/\b(first|given) name$/, 'Ada'],
  [/\b(last|family|sur) ?name$/, 'Meyer'],
  [/\b((full|contact|customer) name|author|owner|recipient)$/, 'Ada Meyer'],
  [/\b(company|organi[sz]ation)( name)?$/, 'Meyer Group'],
  [/\b(date|birthday|birth ?date)$/, '2026-01-01'],
  [
    /\b(time|timestamp|((created|updated|modified|deleted|started|ended|expires|published)( at| on| time)?))$/,
    '2026-01-01T00:00:00Z',
  ],
  [/\bcity$/, 'Berlin'],
  [/\bcountry( code)?$/, 'DE'],
  [/\b(zip|postal)( ?code)?$/, '10115'],
  [/\bstreet( name)?$|\baddress( line)?( \d)?$/, '1 Main Street'],
  [/\bcurrency( code)?$/, 'EUR'],
  [/\b(language|locale|lang)( code)?$/, 'en'],
  [/\btime ?zone$/, 'Europe/Berlin'],
  [/\b(status|state)$/, 'active'],
  [/\b(type|kind|mode)$/, 'standard'],
  [/\bversion$/, '1.0.0'],
  [/\bip( address)?$/, '192.0.2.1'],
  [/\b(price|amount|cost|total|balance)$/, '10.00'],
  [/\bid$/, '1'],
]

/** Nothing is wrong, and nothing is passed over. */
const zero = /\b(code|errors?|status|count|offset|skipped|failed|warnings?)$/

/** @param name of the property. Undefined: of nothing */
export function sampleNumberOf(name = ''): number {
  return zero.test(wordsOf(name).join(' ')) ? 0 : 1
}

/** @param name of the property. Undefined: of nothing */
export function sampleTextOf(name: string | undefined): string {
  if (name === undefined) return 'string'
  const words = wordsOf(name).join(' ')
  const known = usual.find(([pattern]) => pattern.test(words))?.[1]
  return known ?? (words === '' ? 'string' : `${words} 1`)
}
