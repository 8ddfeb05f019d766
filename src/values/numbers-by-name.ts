/** Numbers that fit the name of a property. */
import type { DescribedNumber, NumberLook } from '../json/sampler/value-looks.js'
import { isUnit } from '../lexicon/numbers.js'
import { isPlural } from '../lexicon/words.js'
import { animal, findName, withoutForm } from './names-of-things.js'
import { rangeOf, table } from './recipe.js'

/** Usual numbers, by the last words of names. */
const ranges = table<readonly [number, number]>([
  [[18, 80], 'age'],
  [[6, 16], 'min_age minimum_age'],
  [[1, 12], 'animal_age age_months months month'],
  [[2, 9], 'horse_age'],
  [[420, 560], 'horse_weight'],
  [[50, 58], 'jockey_weight'],
  [[1, 12], 'horse_number horse_popularity race_number'],
  [[1000, 3200], 'race_distance'],
  [[96, 320], 'bit_rate bitrate'],
  [[44_100, 48_000], 'sample_rate sampling_rate'],
  [[1, 2], 'file_channels audio_channels track_channels disc_number disk_number'],
  [[8000, 60_000], 'vehicle_price car_price truck_price'],
  [[2027, 2032], 'exp_year expiry_year expiration_year'],
  [[1995, 2026], 'year years year_built year_founded built_year founded_year year_established'],
  [[1, 25], 'years_of_experience experience_years experience years_experience'],
  [[1, 7], 'day_of_week weekday week_day'],
  [[1, 28], 'day day_of_month'],
  [[0, 23], 'hour'],
  [[1, 12], 'hours'],
  [[20, 40], 'weekly_hours hours_per_week weekly_working_hours'],
  [[7, 21], 'tax_rate vat_rate tax_percent vat_percent tax_percentage vat_percentage vat'],
  [[0, 100], `percent percentage pct progress popularity opacity completion humidity battery coverage`],
  [[1, 5], 'rating stars score difficulty'],
  [[3, 5], 'average_rating average_score avg_rating rating_average'],
  [[1, 6], 'grade'],
  [[-60, 60], 'lat latitude'],
  [[-180, 180], 'lng lon longitude'],
  [[1, 5], 'quantity qty'],
  [
    [0, 60],
    `count stock votes likes views clicks impressions downloads plays visits attempts retries stock_quantity
    available_quantity in_stock inventory sold booked occupied reserved taken enrolled`,
  ],
  [[5, 20], 'reorder_level reorder_point min_stock minimum_stock'],
  [[1000, 600_000], 'ms millis milliseconds'],
  [[5, 120], 'minutes minute min mins duration_min'],
  [[75, 150], 'runtime_minutes runtime'],
  [
    [15, 120],
    'service_duration procedure_duration appointment_duration lesson_duration session_duration play_duration',
  ],
  [[60, 3600], 'duration seconds secs sec timeout ttl expires_in expiry lifetime'],
  [[1, 30], 'days weeks nights'],
  [[12_000, 4_800_000], 'bytes file_size filesize content_length size_in_bytes'],
  [[12, 4800], 'kb kilobytes'],
  [[128, 8192], 'mb megabytes memory ram'],
  [[10, 500], 'gb gigabytes disk storage'],
  [[640, 1920], 'width pixels'],
  [[480, 1080], 'height'],
  [[150, 195], 'height_cm body_height'],
  [[1024, 65_535], 'port'],
  [[1, 40], '^size seat seat_number table_number room_number bed_number'],
  [[8, 80], 'capacity spots slots max_participants max_attendees max_guests'],
  [[2, 6], 'min_participants min_attendees min_guests servings persons'],
  [[40, 240], 'total_seats seats_total total_tickets tickets_total'],
  [[4, 40], 'beds seats places participants guests attendees bed_count'],
  [[4, 5], 'vehicle_seat_count car_seat_count vehicle_seats car_seats vehicle_doors car_doors doors'],
  [[1, 6], 'sets rounds bedrooms bathrooms'],
  [[5, 15], 'reps repetitions'],
  [[1, 12], 'floors'],
  [[0, 400], 'offset'],
  [[200, 204], 'status_code http_status_code'],
  [
    [1, 12],
    `position rank index order row column page level priority sequence disc_number track_number line_number item_number
    episode_number season_number floor_number version revision day_number floor episode season`,
  ],
  [
    [5, 400],
    `price amount cost fee total subtotal balance tax discount deposit refund paid due charge credit debit hourly_rate
    daily_rate nightly_rate day_rate price_paid amount_due amount_paid total_price`,
  ],
  [
    [500, 9900],
    `price_cents amount_cents cost_cents fee_cents total_cents subtotal_cents tax_cents discount_cents amount_in_cents`,
  ],
  [[15, 90], 'hourly_rate hourly_wage'],
  [[2, 10], 'delivery_fee shipping_fee shipping_cost delivery_cost'],
  [[190, 990], 'delivery_fee_cents shipping_fee_cents shipping_cents'],
  [[50, 2000], 'spent total_spent lifetime_value'],
  [[200, 900], 'purchase_price purchase_value original_price list_price'],
  [[28_000, 95_000], 'salary income revenue budget profit'],
  [[0, 1], 'rate ratio probability confidence share fraction similarity'],
  [[-5, 32], 'temperature'],
  [[60, 140], 'bpm heart_rate pulse'],
  [[19, 29], 'bmi'],
  [[45, 110], 'weight_kg body_weight'],
  [[2, 30], 'animal_weight_kg dog_weight_kg cat_weight_kg animal_weight'],
  [[4000, 120_000], 'mileage odometer odometer_km mileage_km'],
  [[10, 900], 'points loyalty_points score_total'],
  [[1, 100], 'weight distance length depth radius volume area'],
])

const isCount =
  /\b(number|count|amount|total|how many|how much|sum|value|limit|max\w*|min\w*|in (seconds|minutes|hours|days|px|pixels|cents))\b/i

/** Numbers that stand for something else, such as one of several kinds, or the parts of a place. */
const isCoded =
  /\b(types?|kinds?|mode|status|state|flags?|code|class|format|category|option|override|sign|bbox|bounding box|bounds|coordinates?|points?|interval|vector|matrix|embedding)$/

/** A range in a description: `between 0 and 100`, `from -1.0 to 1.0` */
const saysRange =
  /\b(?:between|from|range(?: is| of)?:?|in) \(?\[?(-?\d+(?:\.\d+)?)\]?(?: and | to | ?- ?| ?– ?| ?\.\. ?|, ?)\+?(-?\d+(?:\.\d+)?)\b/i

function rangeIn(description: string): [number, number] | undefined {
  const [, low, high] = saysRange.exec(description) ?? []
  const [from, to] = [Number(low), Number(high)]
  return low !== undefined && from < to ? [from, to] : undefined
}

/** The range of numbers of this name, if the schema has no bounds. Plurals count something. */
function findRange(words: string, owner: string, isInteger: boolean): readonly [number, number] | undefined {
  const thing = withoutForm(owner)
  const kind = findName(thing) === animal && thing !== 'horse' && /age|weight/.test(words) ? 'animal' : thing
  const names = [`${kind} ${words}`, words, words.replace(/s$/, '')]
  const known = names.map((name) => ranges(name)).find((found) => found !== undefined)
  const last = words.split(' ').at(-1) ?? ''
  if (known)
    return /\b(num|number of|total) \w+$/.test(words) && isInteger && known[1] > 15 && !/^total$/.test(last)
      ? counts
      : known
  if (/^(num|number of|total) \w+|\bamount of \w+$/.test(words)) return counts
  return isInteger && isPlural(last) && !isUnit(last) ? [1, 12] : undefined
}

const counts = [0, 60] as const

const fractional =
  /\b(price|amount|cost|fee|total|subtotal|balance|tax|salary|rate|ratio|probability|confidence|share|percent|percentage|score|rating|average|avg|mean|lat|latitude|lng|lon|longitude|temperature|weight|distance|length|depth|speed|value|x|y|z)$/

const isTaxRate = /\b(tax|vat) (rate|percent|percentage)$/

const isTime =
  /\b(timestamp|epoch|unix|ts|(created|updated|modified|deleted|started|ended|expires|expired|published|finished|completed|added|last \w+|voted|closed|joined|registered|accessed|sent|received|due|start|end|creation|update)( (at|on|date|time|ts|timestamp|utc|unix))?|\w+ (at|date|timestamp)|(date|time) \w+)$/

/** How numbers of a name look. @param words of the name, in lower case with spaces */
export function usualNumber({
  words,
  owner = '',
  example,
  isInteger,
  records,
  description,
}: Omit<DescribedNumber, 'name'> & { words: string }): NumberLook {
  const shown = example === undefined ? {} : { example }
  const isLong = example !== undefined && example >= 1e11
  // A number that is only called `due` or `added` may be an amount.
  const saysTime =
    (/\b(at|on|date|time|timestamp|ts|utc|unix|epoch)\b/.test(words) &&
      (!/\b(ms|millis|seconds|duration)$/.test(words) || /\b(timestamp|epoch|unix)\b/.test(words))) ||
    /\b(unix|epoch|timestamp|seconds since)\b/i.test(description) ||
    (/\b(creat|updat|modif)\w*\b/.test(words) && /\b(date|time)\b/i.test(description))
  const mayBeTime =
    example === undefined
      ? saysTime && isTime.test(words) && !/\b(count|number|id|by|days|hours|minutes)\b/.test(words)
      : example >= 1e9 && example < 2e13
  // Few other numbers look like milliseconds.
  if (mayBeTime && (isTime.test(words) || (example !== undefined && example >= 1.2e12 && example < 2e12))) {
    const isMilliseconds = isLong || /\b(ms|millis\w*)\b/i.test(`${words} ${description}`)
    return { ...shown, time: { ...rangeOf(words), unit: isMilliseconds ? 1 : 1000 } }
  }
  const isFraction =
    !isInteger &&
    (example === undefined ? fractional.test(words) && !isTaxRate.test(words) : !Number.isInteger(example))
  const fraction = isFraction ? { isFraction } : {}
  const said = rangeIn(description)
  if (said) return { ...shown, ...(!isInteger && said[1] - said[0] <= 2 && { isFraction: true }), usual: said }
  if (/\bids?$/.test(words)) return { ...shown, ...fraction, usual: [1, records] }
  const usual = findRange(words, owner, isInteger)
  if (usual && (example === undefined || (example >= usual[0] && example <= usual[1])))
    return { ...shown, ...fraction, usual: [...usual] }
  if (isCoded.test(words))
    return example === undefined ? { isGuess: true } : { ...shown, ...fraction, usual: [example, example] }
  if (example === undefined) return { ...fraction, ...(!isCount.test(`${words} ${description}`) && { isGuess: true }) }
  if (example === 0) return { ...shown, ...fraction }
  const around: [number, number] =
    example > 0
      ? [Math.max(Math.floor(example / 2), Math.min(Math.floor(example), 1)), Math.ceil(example * 1.5)]
      : [Math.floor(example * 1.5), 0]
  return { ...shown, ...fraction, usual: around }
}
