/** What texts consist of, by the last words of the name of a property. One table for all documents. */
import { fakerWords as faker } from '../generated/words.js'
import type { Recipe } from '../json/sampler/value-looks.js'
import { singular } from '../lexicon/words.js'
import * as things from './names-of-things.js'
import * as recipes from './recipe.js'
import * as lists from './word-lists.js'

const { capitals, date, dateTime, digits, hexadecimals, letters, many, number, oneOf, past, rangeOf } = recipes
const { company, email, failure, findName, host, label, path, person, phone, remark, uri } = things

export type Make = Recipe | ((words: string, owner: string) => Recipe)

export const hexadecimal = (length: number): Recipe => [many(hexadecimals, length)]
const secret: Recipe = [many(letters + digits, 24)]
export const reference: Recipe = [{ oneOf: capitals }, { oneOf: capitals }, '-', ...number(5)]
export const code: Recipe = [many(capitals, 3), ...number(2)]
export const timeOf: Make = (words) => dateTime(rangeOf(words))
const dateOf: Make = (words) => date(rangeOf(words))
export const kind: Recipe = oneOf('standard basic custom')
export const level: Recipe = oneOf('low normal high')
export const price: Recipe = [...number(2), '.', { words: ['00', '50', '90', '99', '25'] }]
export const flag: Recipe = oneOf('true false')
export const format: Recipe = oneOf('pdf csv png json')
export const unit: Recipe = oneOf('kg g l pcs')
/** What somebody says, somewhere. */
export const saying: Recipe = [...remark]
const image: Recipe = ['https://example.com/images/', ...label, '.jpg']
export const html: Recipe = ['<p>', ...remark, '</p>']
export const size: Recipe = number(3)
const word: Recipe = things.word
const branch = oneOf('main develop release/1.2 fix-search')
const language: Recipe = oneOf('en de fr es it pt nl')
const countryCode: Recipe = oneOf([...new Set(lists.places.map((place) => place.countryCode))])
/** A time of the day, when things open or close. */
const clockOf = (words: string): Recipe =>
  oneOf(
    /\b(end|clos|to|arriv|check ?out)/.test(words) ? '17:00 18:00 18:30 20:00 21:30' : '08:00 08:30 09:00 10:00 11:30',
  )
export const about: Make = (words, owner) =>
  /\b(line|line item|position|entry)$/.test(owner)
    ? oneOf(lists.services)
    : things.aboutOf(findName(words.replace(/ \w+$/, '')) && / /.test(words) ? words.replace(/ \w+$/, '') : owner)

/** Owners whose language is that of a program. */
const isOfCode =
  /\b(git( status)?|commit|pull request|build|pipeline|deployment|repo(sitory)?|git source|gist|package|code|function|script|runtime|library|program|challenge)$/

/** Owners whose role says what they may do. */
const isOfAccess =
  /\b(user|member|account|invite|invitation|collaborator|token|key|admin|permission|access|session|list)$/
const access = oneOf('admin editor member viewer')

/** Owners with a number that people refer to. */
const isNumbered =
  /\b(invoice|order|contract|policy|ticket|case|quote|estimate|receipt|document|transaction|credit note|bill|delivery|shipment|purchase|account|claim|booking|reservation|voucher|payment|certificate)$/

/** The states of a thing, by its noun. */
const states = recipes.table<Recipe>([
  [
    oneOf('pending paid refunded'),
    'payment invoice bill transaction charge payout refund transfer fee purchase receipt',
  ],
  [oneOf('pending shipped delivered'), 'order shipment delivery parcel package fulfillment'],
  [
    oneOf('planned confirmed completed cancelled'),
    'appointment booking reservation visit lesson session event meeting class trip tour rental shift interview concert',
  ],
  [
    oneOf('open in_progress closed'),
    'task issue ticket job request report case incident complaint inspection repair application',
  ],
])
export const status: Make = (_, owner) => states(owner) ?? oneOf('active inactive')

/** The thing of a name, else another one. */
const named =
  (other: Recipe): Make =>
  (words) =>
    findName(words.replace(/ name$/, '')) ?? other

/** One of several kinds of what the name says: `Class B` for `energy class` */
const oneOfKinds = (words: string): Recipe => [
  `${things.capitalize(singular(words.split(' ').at(-1) ?? ''))} `,
  { oneOf: 'ABC' },
]

/** Makers by forms of names. The first match counts, before the last words. */
const byForm: readonly (readonly [name: RegExp, make: Make])[] = [
  [
    /^(is|has|can|should|was|do not|dont|don|allow|enable|disable|use|show|hide|include|require|auto) \w|\b(enabled|disabled|required|allowed|locked|indicator|override)$| flag$/,
    flag,
  ],
  [
    /\b(error|failure|warning|exception)s?( (text|message|msg|reason|detail|details|description|info|explanation))?$/,
    failure,
  ],
  [/\b(html|markup|rich text)\b/, html],
  [/\breason$/, oneOf(lists.reasons)],
  [
    /\b(phone|mobile|fax|caller|called|from|to|sender|recipient|cell|contact|sms|msisdn|whatsapp) (number|no|nr)$|\b(phone|mobile|fax|tel|telephone|msisdn|cell) ?\d?$/,
    phone,
  ],
  [
    /\b(start|end|begin|open|close|opening|closing|departure|arrival|from|to|post|off|pickup|checkin|checkout|starts?|ends?|opens?|closes?|doors open|visiting hours \w+)( at|( |_)?time)$|^time$|\btime (from|to|of day|start|end|open|close|long|local)$|\bhours? (start|end|from|to|open|close)$|\bhour$|\bdoors? opens?$/,
    (words) => (/\b(start|end|begin)s? (at|on)$/.test(words) ? dateTime(rangeOf(words)) : clockOf(words)),
  ],
  [/\bdates?$|^(day|dates)$|\bdate (start|end|from|to|issued|added|\w+ed)$/, dateOf],
  [/\b(\w+ed|\w+s|seen|begun|sent|paid|due|created?|updated?)( at| on| ts| utc| time)$/, timeOf],
  [
    /\b(expiry|expiration|expire|creation|update|last|valid|effective|event)( date)? ?(time|ts|at|utc)$|\blast (login|seen|used|access\w*|activity|active|sync|visit|update|refresh|run)( at| on| time| date)?$/,
    timeOf,
  ],
  [
    /\b(country|nationality|region|state|province|county)( iso ?\d?| alpha ?\d)? ?(code|cd|abbreviation|iso)$|\bcountry( iso ?\d?| alpha ?\d)?$|\bcountries$|\bcountry of \w+$/,
    countryCode,
  ],
  [
    /\b(ip|client ip|(remote|target|bind|listen|peer|server|local|host|source|destination|src|dst|client) addr|ip start|ip end|gateway ip)( address(es)?)?( v4)?$|\bips$|\bipv4$/,
    things.ipv4,
  ],
  [/\b(street|address(es)?|addr)( line)? ?1?$|\bline ?1$|\baddress one$|\blocation address$/, things.street],
  [
    /\b(image|photo|picture|avatar|thumbnail|thumb|logo|icon|banner|cover|poster|screenshot|favicon|png|background)s?( (url|uri|link|href|path|src|small|large|original))?$/,
    image,
  ],
  [/\b(urls?|uris?|links?|href)\b/, uri],
  [/\b(vat|tax)( id| number| code| registration| no)+$|\b(tin|ein)$/, ['DE', ...number(9)]],
  [
    /\b(token|secret|password|nonce|signature|passphrase|psk|jwt|pass|pin|credential|otp|cursor|pointer|(api|access|public|private|sharing|license|encryption|secret|consumer|client|auth|shared|account|system|app|application) key)s?$/,
    (words) => (/\b(pin|otp)$/.test(words) ? [many(digits, 6)] : secret),
  ],
  [/\b(status|state|phase|stage|result|outcome|availability|disposition|health)( code| name| text| value)?$/, status],
  [
    /\b(prices?|amount|cost|total|subtotal|fee|tax|balance|salary|value paid|discount|revenue|profit|purse|earnings|payout|premium|deposit|refund|sum|budget|credit|debit|wages|tips?|charge)( (paid|due|incl|excl|gross|net|usd|eur|amount|value|fix|invoiced|refunded))?$/,
    price,
  ],
]

/** Makers by the last words of a name. The longest known ending decides. */
const byEnding = recipes.table<Make>([
  [email, 'email e_mail emails email_address e_mail_address mail bcc cc reply_to smtp_user'],
  [things.login, 'user_name username login nick_name nickname screen_name nick account_name handle'],
  [oneOf(lists.firstNames), 'first_name given_name forename fore_name firstname ^first middle_name ^middle'],
  [oneOf(lists.lastNames), 'last_name lastname family_name sur_name surname maiden_name ^last'],
  [oneOf('Dr. Prof.'), 'salutation honorific academic_title name_prefix person_title'],
  [['Likes to share what ', { words: ['works', 'helps', 'matters'] }, '.'], 'bio biography about_me'],
  [
    (_, owner) => [findName(owner)].find(things.isOfFiles) ?? things.file,
    'file_name file_names filename basename original_name',
  ],
  [
    (words, owner) => (isOfCode.test(owner) ? branch : (findName(words.replace(/ name$/, '')) ?? word)),
    'branch branch_name',
  ],
  [host, 'host_name hostname host_names domain domains domain_name host fqdn subdomain smtp_server mail_server dns'],
  [
    person,
    `full_name contact_name caller_name customer_name legal_name signer_name recipient_name sender_name holder_name
    cardholder_name beneficiary_name payee_name owner_name author_name creator_name author owner customer recipient
    assignee creator signer attn attention contact contact_person ^manager account_manager line_manager
    project_manager spouse supervisor user name_on_card printable_name holder`,
  ],
  [
    named(company),
    `company organization organisation employer vendor supplier manufacturer brand merchant bank publisher issuer agency
    carrier maker org institution partner sponsor insurer copyright company_name registered_name trading_name organization_name vendor_name
    supplier_name manufacturer_name brand_name merchant_name bank_name publisher_name agency_name partner_name
    sponsor_name`,
  ],
  [
    oneOf([...new Set(lists.places.map(({ timeZone }) => timeZone))]),
    'time_zone time_zones timezone tz timezone_iana timezone_id timezone_name',
  ],
  [oneOf('+00:00 +01:00 -05:00 +09:00'), 'utc_offset gmt_offset timezone_offset'],
  [(words, owner) => date(rangeOf(words, owner)), 'birth_date birthdate birthday date_of_birth dob birth_day'],
  [dateOf, 'date_list date_range day_list days_range best_before'],
  [
    timeOf,
    `timestamp created updated modified deleted started ended expires published finished completed added sent paid
    received voted begins ends starts closed opened viewed seen registered joined released processed accessed activated
    approved cancelled canceled confirmed delivered edited generated granted issued launched posted requested reviewed
    scheduled signed submitted uploaded verified due expired invoiced refunded datetime date_time expiry expiration
    deadline valid_from valid_to valid_until not_before not_after effective_from effective_to ^start ^end until since`,
  ],
  [[{ time: past, form: '{Y}' }], 'year'],
  [things.city, 'city town municipality village hometown origin'],
  [
    oneOf('Old Town|City Centre|Riverside|Station Quarter|North Side'),
    'locality suburb sublocality sub_locality neighborhood neighbourhood ward district',
  ],
  [things.country, 'country_name nationality citizenship'],
  [things.region, 'province county region regions administrative_area address_state state_province location_state'],
  [things.ipv6, 'ipv6 ip_v6 ip_address_v6'],
  [['192.0.2.0/', { words: ['24', '28', '26'] }], 'cidr subnet subnets ip_range network_range'],
  [number(4), 'bank_agency bank_branch branch_code bank_branch_code branch_number'],
  [
    number(2),
    `address_number house_number house_no building_number street_number apartment apartment_number unit_number suite_number door_number
    door room_number seat_number table_number bed_number locker_number platform_number slope_number doorbell extension phone_extension pager address_floor`,
  ],
  [['Apt ', ...number(1)], 'address_line2 address_line_2 line2 line_2 street2 street_2 address2 address_2 address_two'],
  [oneOf('A B C D E F'), 'row section block wing gate_letter hall_section'],
  [[{ oneOf: '123456789' }, { oneOf: 'ABCDEF' }], 'seat'],
  [
    oneOf(lists.places.map(({ postalCode }) => postalCode)),
    'zip postal post zip_code zipcode postal_code post_code postcode',
  ],
  [oneOf(lists.places.map(({ latitude }) => String(latitude))), 'lat latitude'],
  [oneOf(lists.places.map(({ longitude }) => String(longitude))), 'lng lon long longitude'],
  [
    oneOf(lists.places.map(({ latitude, longitude }) => `${latitude},${longitude}`)),
    'coordinate coordinates lat_lng latlng lat_lon latlon geo geolocation gps location_point loc',
  ],
  [
    named(things.city),
    'location venue destination place geo_region location_name venue_name destination_name place_name',
  ],
  [
    uri,
    `url uri href website web_site webpage home_page homepage page_url callback webhook endpoint self next prev previous
    blog documentation docs permalink redirect src canonical allowed_origin allowed_origins wsdl`,
  ],
  [path, 'path paths folder folders directory dir uri_path file_path mount_point'],
  [oneOf('1|2|3|5|8|12|17|24|31|48'), 'count quantity qty'],
  [oneOf(lists.currencies), 'currency currencies currency_code currency_iso currency_id'],
  [['DE89370400440532', many(digits, 6)], 'iban'],
  [number(10), 'account_number account_no acct_number card_number bank_account_number'],
  [[many(digits, 4)], 'last4 last_4 last_four last_4_digits last_four_digits card_last4'],
  [oneOf('Visa Mastercard Amex'), 'card_brand card_type card_network card_issuer'],
  [oneOf('card bank_transfer cash'), 'payment_method payment_type ^method_of_payment'],
  [
    (words, owner) => {
      if (/pay|refund|transaction/.test(owner)) return oneOf('card bank_transfer cash')
      return words === 'method' ? oneOf('GET POST PUT') : oneOfKinds(words)
    },
    'method',
  ],
  [oneOf('standard express pickup'), 'shipping_method delivery_method'],
  [oneOf('GET POST PUT'), 'http_method request_method'],
  [oneOf('morning|noon|afternoon|evening'), 'time_slot delivery_slot slot time_window daypart time_of_day'],
  [['#', many(hexadecimals, 6)], 'color_hex colour_hex color_code colour_code hex hex_color hex_colour'],
  [oneOf(faker['color.human']), 'color colour colors colours'],
  [number(8), 'national_id identity_number id_number ssn passport_number personal_number citizen_id'],
  [oneOf('18-25|26-35|36-45|46-60'), 'age_bucket age_group age_range'],
  [things.uuid, 'uuid guid correlation_id request_id trace_id transaction_uuid idempotency_key'],
  [hexadecimal(40), 'sha1 sha_1 commit commit_sha commit_hash sha revision_hash tree'],
  [hexadecimal(64), 'fingerprint sha256 sha_256 thumbprint digest'],
  [hexadecimal(32), 'hash checksum etag e_tag md5 md_5 hash_code'],
  [
    ['-----BEGIN CERTIFICATE-----\nMIIB', many(letters + digits, 32), '\n-----END CERTIFICATE-----'],
    '^certificate ssl_certificate tls_certificate ca_certificate client_certificate cert pem certs',
  ],
  [['ssh-ed25519 AAAAC3', many(letters + digits, 24)], 'public_key ssh_key ssh_keys'],
  [[many(letters + digits, 24)], 'base64 data payload blob binary raw encoded'],
  [label, 'key keys'],
  [
    hexadecimal(12),
    'id ids identifier identifiers uid sid gid pid oid cid urn xid identification ident external_ref idref',
  ],
  [
    label,
    `slug permalink_name alias aliases short_code namespace ns bucket code_name key_name machine_name shortname
    unique_name ascii_name sysname`,
  ],
  [oneOf('en-US en-GB de-DE fr-FR es-ES pt-BR'), 'locale locales language_tag culture'],
  [oneOf(lists.programmingLanguages), 'programming_language code_language coding_language script_language'],
  [(_, owner) => (isOfCode.test(owner) ? oneOf(lists.programmingLanguages) : language), 'language'],
  [language, 'languages lang langs language_code language_codes lang_code language_iso subtitles subtitle_language'],
  [
    [{ oneOf: '123456' }, '.', { oneOf: digits }, '.', { oneOf: digits }],
    'version versions release build firmware revision min_os app_os version_number build_number',
  ],
  [oneOf('image/png image/jpeg'), 'image_mime picture_mime photo_mime image_mime_type avatar_mime_type logo_mime'],
  [
    oneOf('application/pdf image/png text/csv application/json'),
    'mime_type mime content_type media_type mimetype source_file_content_type',
  ],
  [oneOf('utf-8 iso-8859-1'), 'charset encoding'],
  [oneOf('https http tcp'), 'protocol scheme'],
  [format, 'format formats extension file_extension file_type ext file_format'],
  [oneOf('female male'), 'gender sex'],
  [oneOf('sunny cloudy rainy windy'), 'weather weather_condition'],
  [oneOf('A+ A- B+ 0+ 0- AB+'), 'blood_type blood_group'],
  [oneOf(lists.jobs), 'job_title occupation profession position designation job headline_role job_position'],
  [oneOf('partner parent sibling friend'), 'relationship relation kinship'],
  [(_, owner) => (isOfAccess.test(owner) ? access : oneOf(lists.jobs)), 'role roles'],
  [access, 'permission permissions privilege rights access_level'],
  [oneOf('read write read:users write:orders'), 'scope scopes'],
  [
    level,
    `priority severity urgency importance risk risk_level difficulty level grade rank tier_level sensitivity
    confidence_level`,
  ],
  [oneOf('good|very good|fair|like new'), 'condition'],
  [oneOf('basic silver gold'), 'tier loyalty_tier loyalty_level membership_level membership_tier'],
  [
    oneOf('created updated deleted viewed'),
    'action event operation activity trigger event_name event_type action_type',
  ],
  [oneOf('asc desc'), 'direction sort_order sort order_by sort_by'],
  [oneOf('public private internal'), 'visibility privacy access audience view_policy'],
  [
    oneOf('daily weekly monthly yearly'),
    'frequency interval period recurrence periodicity schedule cycle billing_period cadence term',
  ],
  [
    ['PT', { words: ['5', '15', '30', '45'] }, 'M'],
    'duration humanized_interval delay timeout ttl length_of_stay runtime video_duration remaining_time',
  ],
  [
    (words) => (words.includes(' ') && !/^(resource|object) /.test(words) ? oneOfKinds(words) : kind),
    'type kind class types classification group',
  ],
  [
    kind,
    `variant tier subtype strategy style algorithm policy profile plan purpose usage ownership preference program
    grouping sub_type restriction handling treatment option family series template theme_name form layout feature
    setting module type_name type_code plan_name class_name`,
  ],
  [unit, 'unit units unit_of_measure units_of_measure unit_name unit_code uom measure'],
  [oneOf(lists.weekdays), 'day_of_week days_of_week day weekday days day_of_the_week weekdays'],
  [oneOf(lists.months), 'month months season_start season_end'],
  [oneOf('1 5 10 15 20 25 28'), 'day_of_month month_day'],
  [oneOf(lists.departments), 'department division team business_unit cost_center department_name team_name'],
  [oneOf('General Special Standard'), 'category categories collection catalog product_type category_name'],
  [oneOf(faker['food.ethnicCategory']), 'cuisine'],
  [oneOf(lists.tags), 'flag flags tag tags keyword keywords labels hashtag hashtags search_term search_terms'],
  [
    oneOf(faker['vehicle.manufacturer']),
    'car_make vehicle_make car_brand vehicle_brand car_manufacturer vehicle_manufacturer',
  ],
  [oneOf(faker['vehicle.model']), 'car_model vehicle_model'],
  [oneOf(faker['vehicle.type']), 'vehicle_type car_type body_type vehicle_category vehicle_class car_class'],
  [oneOf(faker['vehicle.fuel']), 'fuel fuel_type'],
  [oneOf('Manual Automatic'), 'transmission gearbox transmission_type'],
  [oneOf(faker['vehicle.vin']), 'vin vehicle_identification_number chassis_number'],
  [
    oneOf(faker['vehicle.vrm']),
    `license_plate licence_plate plate_number number_plate registration_number vrm
    car_plate vehicle_plate truck_plate van_plate`,
  ],
  [oneOf(faker['music.genre']), 'song_genre album_genre track_genre band_genre artist_genre concert_genre music_genre'],
  [oneOf('Adventure Comedy Drama Fantasy Mystery'), 'genre genres genre_name'],
  [oneOf(faker['airline.airline']), 'airline airline_name'],
  [oneOf(faker['airline.airport']), 'airport airport_name departure_airport arrival_airport'],
  [[{ oneOf: capitals }, { oneOf: capitals }, ...number(3)], 'flight_number flight_no flight'],
  [oneOf(faker['food.ingredient']), 'ingredients ingredient'],
  [oneOf('gluten milk eggs nuts soy fish'), 'allergens allergen allergies allergy'],
  [oneOf(faker['food.dish']), 'dishes dish meal'],
  [oneOf('0 6 12 16 18'), 'age_rating'],
  [oneOf(faker['animal.dog']), 'dog_breed'],
  [oneOf(faker['animal.type']), 'species animals animal animal_type'],
  [oneOf(faker['internet.userAgent']), 'user_agent ua browser_agent'],
  [oneOf(faker['git.commitMessage']), 'commit_message'],
  [oneOf(faker['company.catchPhrase']), 'slogan tagline motto strapline catch_phrase claim_text'],
  // A number of a document is a reference, that of another thing only a number.
  [(_, owner) => (isNumbered.test(owner) ? reference : number(2)), '^number ^no ^nr ^nbr ^num'],
  [(_, owner) => (isOfCode.test(owner) ? branch : reference), '^ref git_ref head_ref base_ref'],
  [
    reference,
    'sku reference references ref serial tracking tracking_code tracking_no number no nr nbr num opus_number',
  ],
  [oneOf('not_found invalid_request forbidden'), 'error_code'],
  [code, 'code codes cd abbreviation abbr acronym prefix symbol_code mnemonic'],
  [
    [...number(1), '.', { words: ['5', '25', '75', '0'] }],
    `percent percentage rate ratio share tax_rate discount_percent probability confidence exchange_rate odds apr apy
    yield`,
  ],
  [[{ oneOf: '12345' }], 'rating stars'],
  [
    size,
    `age width height length weight depth distance score points votes views likes clicks impressions opens conversions
    installs downloads plays visits visitors followers index order sequence line_number page limit offset minutes
    seconds hours bytes file_size volume capacity temperature speed elevation altitude area_size bedrooms floors
    rank_number max min minimum maximum average avg mean median level_number display_order port year_built duration_ms
    radius frequency_hz lbs kg km miles metres meters stock_level inventory_level`,
  ],
  [
    ['{"source":"', { words: lists.tags }, '"}'],
    `json metadata properties params parameters config configuration context headers header settings attributes_json
    variables extra custom`,
  ],
  [oneOf(lists.reasons), 'purpose_of_visit reason_for_visit reason_for_admission'],
  [
    remark,
    `message messages msg comment comments memo feedback reply comment_text message_text note_text reply_text
    comment_body message_body comment_content message_content`,
  ],
  [
    saying,
    `text texts body content contents_text caption quote joke transcript response statement
    excerpt prompt greeting hint signature_text disclaimer warning_text display_string sentence phrase passthrough
    template_text markdown copy`,
  ],
  [
    oneOf('Can it be changed later?|Can I cancel at any time?|Can somebody help me?|What is included?'),
    'question question_text question_title question_body question_content',
  ],
  [oneOf(lists.instructions), 'instructions instruction guidelines guideline directions usage_instructions'],
  [
    (_, owner) =>
      oneOf(/\b(mail|message|ticket|request|inquiry|case|thread)$/.test(owner) ? lists.reasons : lists.categories),
    'subject',
  ],
  [['40063', many(digits, 8)], 'gtin ean upc barcode gtin13 ean13'],
  [oneOf('1 2'), 'disc_number disk_number'],
  [number(1), 'track_number episode_number season_number chapter_number round_number'],
  [oneOf('Yes.|Yes, at any time.|Yes, please contact us.'), 'answer answers'],
  [
    things.explanation,
    `note notes remark remarks details detail info information explanation additional_information extra_info
    special_instructions special_requests request_text terms_and_conditions conditions findings result_text`,
  ],
  [
    about,
    'description desc summary abstract overview synopsis story about blurb history introduction profile_text plot',
  ],
])

/** Texts that rarely fit, where the name is all that is known. */
const guesses = recipes.table<true>([
  [
    true,
    `^method base64 data payload blob binary raw encoded key keys protocol scheme role roles permission permissions
    privilege rights relationship scope scopes action event operation activity trigger direction sort sort_order order_by
    sort_by visibility privacy access audience frequency interval period recurrence schedule cycle term department
    division team json metadata properties params parameters config configuration context header headers settings
    variables extra custom category categories collection origin row section condition`,
  ],
])

export function makerOf(words: string, owner = ''): Make | undefined {
  const names = [words, words.replace(/s$/, '')]
  return (
    byEnding(`${owner.split(' ').at(-1)} ${words}`, true) ??
    byForm.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ??
    names.map((name) => byEnding(name)).find((found) => found !== undefined)
  )
}

export const isRarelyRight = (words: string): boolean => guesses(words) === true
