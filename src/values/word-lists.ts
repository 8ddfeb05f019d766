/** Words of which believable texts consist. */

/** Texts with blanks in them have bars between them. */
const split = (text: string): readonly string[] => text.split(text.includes('|') ? '|' : ' ')

export const firstNames: readonly string[] = split(
  'Ada Amara Anton Beatriz Bruno Carla Chen Clara Daniel Diego Elena Emeka Emil Farah Felix Grace Hana Hugo Ines Ivan Jana Jonas Kaito Karim Lara Leo Lina Lucia Malik Mara Marco Mei Mila Nadia Noah Nora Omar Oscar Paula Priya Rafael Rosa Ruth Samir Sofia Tomas Vera Yusuf Zoe Arjun Birgit Colin Dora Erik Fiona Greta Henri Isla Julia',
)
export const lastNames: readonly string[] = split(
  'Abara Almeida Andersen Bauer Becker Bianchi Brandt Carter Chen Costa Dahl Dubois Eriksen Falk Ferrari Fischer Fontaine Garcia Haas Hansen Ibrahim Jansen Keller Khan Kovac Kumar Larsen Lehmann Lopez Martin Mendes Meyer Moreau Nakamura Nguyen Novak Okafor Olsen Park Patel Perez Petrov Reyes Rossi Santos Sato Schmidt Silva Tanaka Torres Vogel Wagner Weber Winter Wolf Yilmaz Young Zimmer',
)

/** A city with what belongs to it. */
export interface Place {
  city: string
  region: string
  regionCode: string
  postalCode: string
  country: string
  countryCode: string
  countryCode3: string
  latitude: number
  longitude: number
  timeZone: string
}

export const places: readonly Place[] = [
  'Berlin|Berlin|BE|10115|Germany|DE|DEU|52.52|13.41|Europe/Berlin',
  'Munich|Bavaria|BY|80331|Germany|DE|DEU|48.14|11.58|Europe/Berlin',
  'Lyon|Auvergne-Rhône-Alpes|ARA|69001|France|FR|FRA|45.76|4.84|Europe/Paris',
  'Lisbon|Lisbon|11|1100-148|Portugal|PT|PRT|38.72|-9.14|Europe/Lisbon',
  'Utrecht|Utrecht|UT|3511 AB|Netherlands|NL|NLD|52.09|5.12|Europe/Amsterdam',
  'Vienna|Vienna|9|1010|Austria|AT|AUT|48.21|16.37|Europe/Vienna',
  'Bristol|England|ENG|BS1 4DJ|United Kingdom|GB|GBR|51.45|-2.59|Europe/London',
  'Portland|Oregon|OR|97205|United States|US|USA|45.52|-122.68|America/Los_Angeles',
  'Austin|Texas|TX|78701|United States|US|USA|30.27|-97.74|America/Chicago',
  'Boston|Massachusetts|MA|02108|United States|US|USA|42.36|-71.06|America/New_York',
  'Toronto|Ontario|ON|M5H 2N2|Canada|CA|CAN|43.65|-79.38|America/Toronto',
  'Melbourne|Victoria|VIC|3000|Australia|AU|AUS|-37.81|144.96|Australia/Melbourne',
  'Osaka|Osaka|27|530-0001|Japan|JP|JPN|34.69|135.5|Asia/Tokyo',
  'Curitiba|Paraná|PR|80010-000|Brazil|BR|BRA|-25.43|-49.27|America/Sao_Paulo',
].map((line) => {
  const [city = '', region = '', regionCode = '', postalCode = '', country = '', ...others] = line.split('|')
  const [countryCode = '', countryCode3 = '', latitude, longitude, timeZone = ''] = others
  const [lat, lon] = [Number(latitude), Number(longitude)]
  return {
    ...{ city, region, regionCode, postalCode, country, countryCode, countryCode3 },
    ...{ latitude: lat, longitude: lon, timeZone },
  }
})

export const companyKinds: readonly string[] = split(
  'Group|Partners|Systems|Works|Solutions|Industries|International|Associates',
)
export const legalForms: readonly string[] = split('GmbH|Ltd|Inc.|& Co.|Group|SA|BV')
export const companyWords: readonly string[] = split(
  'Northwind Bluefield Harbor Alder Summit Cedar Lumen Orchard Granite Meridian Kestrel Willow Beacon Juniper Atlas Clearwater Foxglove Silverline Maple Redwood',
)
export const goods: readonly string[] = split(
  'Desk lamp|Office chair|Travel backpack|Writing desk|Glass teapot|Wool blanket|Water bottle|Notebook|Rain jacket|Wall shelf|Salad bowl|Bicycle helmet|Keyboard|Umbrella|Storage basket|Coffee mug|Wall clock|Hand towel|Picture frame|Candle holder|Cutting board|Tool box|Garden hose|Floor mat|Photo album|Coat rack|Door mat|Table cloth|Pen set|Wallet|Suitcase|Lantern',
)
export const adjectives: readonly string[] = split(
  'quiet bright amber swift coastal hidden early silver gentle wide northern warm clear steady open grand',
)
export const nouns: readonly string[] = split(
  'harbor meadow lantern river garden bridge forest orchard signal compass window valley island studio market anchor',
)
export const departments: readonly string[] = split(
  'Sales|Finance|Marketing|Engineering|Support|Operations|Logistics|Design',
)
export const jobs: readonly string[] = split(
  'Team Lead|Manager|Assistant|Coordinator|Specialist|Consultant|Director|Trainee|Administrator|Supervisor|Deputy Manager|Senior Specialist',
)
export const tags: readonly string[] = split(
  'featured archive summer priority internal review launch partner pilot seasonal draft regional new popular basic special general extra local online monthly annual',
)
export const streets: readonly string[] = split(
  'Main Street|Station Road|Park Avenue|Mill Lane|Harbor Street|Oak Avenue|Church Road|Lindenweg',
)
export const programmingLanguages: readonly string[] = split('TypeScript Python Go Rust Java Ruby Kotlin')
/** A service has one. */
export const currencies: readonly string[] = ['EUR']
export const currencyNames: readonly string[] = split('Euro|US Dollar|Pound Sterling')
export const weekdays: readonly string[] = split('Monday Tuesday Wednesday Thursday Friday Saturday Sunday')
export const months: readonly string[] = split(
  'January February March April May June July August September October November December',
)

export const explanations: readonly string[] = split(
  'All details are confirmed.|Checked and complete.|As agreed by phone.|Updated after the last conversation.|More information follows.|See also the previous entry.|Nothing else to add.|Please read the details first.',
)
export const failures: readonly string[] = split(
  'The request timed out.|The file could not be read.|A required value is missing.|The connection was closed.|The account has no access.|The format is not supported.',
)
export const remarks: readonly string[] = split(
  'Could you check this before Friday?|This looks good to me.|Thanks for the quick reply!|The details are in the description.|Everything works as expected.|Can we talk about it tomorrow?|Please let me know if anything is missing.|Sounds good, thank you.|I have one more question.|All fine from my side.',
)
/** What people think of anything. */
export const opinions: readonly string[] = split(
  'Would choose it again.|Exactly as described.|Very good, thank you!|Better than expected.|Good value for the price.|It took a little long, but it is good.|Highly recommended.|Friendly and fast.|Not quite what I hoped for.|Happy with everything.',
)
/** Why something happens, or does not. */
export const reasons: readonly string[] = split(
  'Change of plans|Date does not suit|No longer needed|By agreement|Correction|Other',
)
/** What things of all kinds are sorted by. */
export const categories: readonly string[] = split(
  'Home Food Travel Health Education Leisure Sports Music Technology Garden Family Office Art Nature Fashion Culture Services Science Events Transport',
)
export const variants: readonly string[] = split('Small|Medium|Large|Black|White|Blue|Red|Deluxe|Classic|Compact')
export const vehicles: readonly string[] = split(
  'Ford Focus|Toyota Corolla|Honda Civic|Volkswagen Golf|Volvo XC60|Tesla Model 3|Kia Sportage|Mazda CX-5|Fiat Panda|Skoda Octavia|Audi A4|Peugeot 208|Subaru Outback|Chevrolet Silverado',
)
/** What to do with something. */
export const instructions: readonly string[] = split(
  'Read everything before you begin.|Follow the steps in order.|Keep in a dry place.|Handle with care.|Ask for help if anything is unclear.|Take enough time for each part.',
)
/** What people pay for. */
export const services: readonly string[] = split('Consultation|Materials|Service fee|Handling|Delivery|Additional work')
