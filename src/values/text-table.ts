/** What texts consist of, by the last words of the name of a property. One table for all documents. */
import type { Recipe } from '../json/sampler/value-looks.js'
import {
  city,
  company,
  country,
  email,
  failure,
  findName,
  host,
  ipv4,
  ipv6,
  label,
  login,
  path,
  person,
  phone,
  region,
  remark,
  street,
  subject,
  uri,
  uuid,
  word,
} from './names-of-things.js'
import {
  capitals,
  clock,
  date,
  dateTime,
  digits,
  hexadecimals,
  letters,
  many,
  number,
  oneOf,
  past,
  rangeOf,
} from './recipe.js'
import * as lists from './word-lists.js'

export type Make = Recipe | ((words: string, owner: string) => Recipe)

export const hexadecimal = (length: number): Recipe => [many(hexadecimals, length)]
const secret: Recipe = [many(letters + digits, 24)]
export const reference: Recipe = [{ oneOf: capitals }, { oneOf: capitals }, '-', ...number(5)]
export const code: Recipe = [many(capitals, 3), ...number(2)]
export const timeOf: Make = (words) => dateTime(rangeOf(words))
export const status: Recipe = oneOf('active inactive')
export const kind: Recipe = oneOf('standard basic custom')
export const level: Recipe = oneOf('low normal high')
export const price: Recipe = [...number(2), '.', { words: ['00', '50', '90', '99', '25'] }]
export const flag: Recipe = oneOf('true false')
export const format: Recipe = oneOf('pdf csv png json')
export const unit: Recipe = oneOf('kg m l pcs')
export const category: Recipe = oneOf(lists.categories)
/** What somebody says, somewhere. */
export const saying: Recipe = [...remark]
const image: Recipe = ['https://example.com/images/', ...label, '.jpg']
export const html: Recipe = ['<p>', ...remark, '</p>']
export const size: Recipe = number(3)

const branch = oneOf('main develop release/1.2 fix-search')

/** Owners whose language is that of a program. */
const isOfCode =
  /\b(git( status)?|commit|pull request|build|pipeline|deployment|repo(sitory)?|git source|gist|package|code|function|script|runtime|library|program|challenge)$/

/** Owners with a number that people refer to. */
const isNumbered =
  /\b(invoice|order|contract|policy|ticket|case|quote|estimate|receipt|document|transaction|credit note|bill|delivery|shipment|purchase|account|claim|booking|reservation|voucher|payment|certificate)$/

/** Makers by the last words of a name. The first match counts. */
export const byName: readonly (readonly [name: RegExp, make: Make, isGuess?: boolean])[] = [
  [
    /^(is|has|can|should|was|do not|dont|don|allow|enable|disable|use|show|hide|include|require|auto)\b|\b(enabled|disabled|required|allowed|locked|flag|indicator|override)$/,
    flag,
  ],
  [
    /\b(error|failure|warning|exception)s?( (text|message|msg|reason|detail|details|description|info|explanation))?$/,
    failure,
  ],
  [/\b(html|markup|rich text)\b/, html],
  [/\be ?mails?( address(es)?)?$|\b(mail|bcc|cc|reply to|smtp user)$/, email],
  [
    /\b(phone|mobile|fax|caller|called|from|to|sender|recipient|cell|contact|sms|msisdn) (number|no|nr)$|\b(phone|mobile|fax|tel|telephone|msisdn|cell) ?\d?$/,
    phone,
  ],
  [/\b(user ?name|login|nick ?name|screen ?name|nick|user ?id name|account ?name|handle)$/, login],
  [/\b(first|given|fore) ?name$|\bfirst$/, oneOf(lists.firstNames)],
  [/\b(last|family|sur|maiden) ?name$|\bsurname$|^last$/, oneOf(lists.lastNames)],
  [/\b(middle ?name|middle)$/, oneOf(lists.firstNames)],
  [/\b(file ?names?|basename|original name)$/, findName('file') ?? word],
  [
    /\bbranch( name)?$/,
    (words, owner) => (isOfCode.test(owner) ? branch : (findName(words.replace(/ name$/, '')) ?? word)),
  ],
  [/\b(host ?names?|domains?( name)?|host|fqdn|subdomain|smtp server|mail server|dns)$/, host],
  [
    /\b((full|contact|caller|customer|printable|legal|signer|recipient|sender|account holder|holder|cardholder|beneficiary|payee|owner|author|creator) ?name|author|owner|customer|recipient|assignee|creator|signer|attn|attention|(creat|updat|modifi|add|edit|approv|upload|assign|own|post|invit|report|request|submit|review|cancel|complet|chang|delet|clos)\w* by|contact|contact person|(^|account |project |line )manager|spouse|supervisor|user)$|\bname on card$/,
    person,
  ],
  [
    /\b(company|organi[sz]ation|employer|vendor|supplier|manufacturer|brand|merchant|bank|publisher|issuer|agency|carrier|maker|org|institution|partner|sponsor|insurer|copyright)( name)?$/,
    (words) => findName(words.replace(/ name$/, '')) ?? company,
  ],
  [/\b(time ?zones?|tz)( iana| id| name)?$/, oneOf([...new Set(lists.places.map(({ timeZone }) => timeZone))])],
  [/\b(utc|gmt|timezone) ?offset$/, oneOf('+00:00 +01:00 -05:00 +09:00')],
  [/\b(birth ?date|birthday|date of birth|dob|birth day)$/, date({ from: -65 * 365, to: -19 * 365 })],
  [/\b(date|day)s? (list|range)$/, (words) => date(rangeOf(words))],
  [
    /\b(start|end|begin|open|close|opening|closing|departure|arrival|from|to|post|off|pickup|checkin|checkout)( |_)?time$|^time$|\btime (from|to|of day|start|end|open|close|long|local)$|\bhour$/,
    clock(past),
  ],
  [/\bdates?$|^(day|dates)$|\bdate (start|end|from|to|issued|added|\w+ed)$/, (words) => date(rangeOf(words))],
  [
    /\b(timestamp|(created|updated|modified|deleted|started|ended|expires|published|finished|completed|added|sent|paid|received|voted|begins|ends|starts|closed|opened|viewed|seen|registered|joined|released|processed|accessed|activated|approved|cancell?ed|confirmed|delivered|edited|generated|granted|issued|launched|posted|requested|reviewed|scheduled|signed|submitted|uploaded|verified|due|expired|invoiced|refunded)( at| on| ts| utc| time)?)$/,
    timeOf,
  ],
  [
    /\b(expiry|expiration|expire|created?|updated?|deleted|modified|date|creation|update|last|valid|effective|event|due)( date)? ?(time|ts|at|utc)$|\bdatetime$|\b(last|next) (update|refresh|run|sync)$/,
    timeOf,
  ],
  [/\blast (login|seen|used|accessed|access|activity|active|sync|visit)( at| on| time| date)?$/, timeOf],
  [
    /\b(expiry|expiration|deadline|valid (from|to|until|not before|not after)|effective (from|to)|start|end|until|since|starts|ends|begins|expires)$/,
    timeOf,
  ],
  [/\b(exp|expiry|expiration|issue|birth)? ?year$/, [{ time: past, form: '{Y}' }]],
  [/\b(city|town|locality|suburb|sublocality|municipality|neighbou?rhood)( \d)?$/, city],
  [
    /\b(country|nationality|region|state|province|county)( iso ?\d?| alpha ?\d)? ?(code|cd|abbreviation|iso)$|\bcountry( iso ?\d?| alpha ?\d)?$|\bcountries$|\bcountry of \w+$/,
    oneOf([...new Set(lists.places.map(({ countryCode }) => countryCode))]),
  ],
  [/\b(country name|nationality)$/, country],
  [
    /\b(province|county|region|regions|adm area ?\d?|administrative (area|district)( level)?( \d)?|address state|state province|(street|location) state)$/,
    region,
  ],
  [
    /\b(ip|client ip|(remote|target|bind|listen|peer|server|local|host|source|destination|src|dst|client) addr|ip start|ip end|gateway ip)( address(es)?)?( v4)?$|\bips$|\bipv4$/,
    ipv4,
  ],
  [/\b(ip)( address)? ?v6$|\bipv6$/, ipv6],
  [/\b(cidr|subnets?|ip range|network range)$/, ['192.0.2.0/', { words: ['24', '28', '26'] }]],
  [/\b(house|building|street|apartment|unit|suite|door|room|flat) ?(number|no|nr)$|\bnumber ext$/, number(2)],
  [/\b(street|address(es)?)( line)? ?\d?$|\bline ?\d$|\baddress (one|two)$|\blocation address$|\baddr$/, street],
  [/\b(zip|postal|post)( ?codes?)?$|\bpostcode$/, oneOf(lists.places.map(({ postalCode }) => postalCode))],
  [/\b(lat|latitude)$/, oneOf(lists.places.map(({ latitude }) => String(latitude)))],
  [/\b(lng|lon|long|longitude)$/, oneOf(lists.places.map(({ longitude }) => String(longitude)))],
  [
    /\b(coordinates?|lat ?lng|lat ?lon|geo|geolocation|gps|location point|loc)$/,
    oneOf(lists.places.map(({ latitude, longitude }) => `${latitude},${longitude}`)),
  ],
  [
    /\b(location|venue|destination|place|geo region)( name)?s?$/,
    (words) => findName(words.replace(/ name$/, '')) ?? city,
  ],
  [
    /\b(image|photo|picture|avatar|thumbnail|thumb|logo|icon|banner|cover|poster|screenshot|favicon|png|background)s?( (url|uri|link|href|path|src|small|large|original))?$/,
    image,
  ],
  [
    /\b(urls?|uri|links?|href|website|web ?site|home ?page|callback|webhook|endpoint|self|next|prev|previous|blog|documentation|docs|permalink|redirect|src|canonical|allowed origins?|location url|wsdl)$/,
    uri,
  ],
  [/\b(urls?|uris?|links?|href)\b/, uri],
  [/\b(path|folder|directory|dir|uri path|file path|mount point)s?$/, path],
  [/\b(count|quantity|qty)$/, oneOf('1|2|3|5|8|12|17|24|31|48')],
  [/\b(currency|currencies)( code| iso| id)?$|\bcurrency$/, oneOf(lists.currencies)],
  [/\biban$/, ['DE89370400440532', many(digits, 6)]],
  [/\b(account|acct|card|bank account) ?(number|no|nbr|num)$/, [...number(10)]],
  [/\blast ?(4|four)( digits)?$|\blast 4$/, [many(digits, 4)]],
  [
    /\b(payment|shipping|delivery|http|request) method$/,
    (words) =>
      oneOf(
        /pay/.test(words)
          ? 'card bank_transfer invoice'
          : /ship|deliver/.test(words)
            ? 'standard express pickup'
            : 'GET POST PUT',
      ),
  ],
  [/\bmethod$/, oneOf('GET POST PUT'), true],
  [/\bcolou?rs?( hex| code)$|\bhex( colou?r)?$/, ['#', many(hexadecimals, 6)]],
  [/\bcolou?rs?$/, oneOf(lists.colours)],
  [/\b(uuid|guid|correlation id|request id|trace id|transaction uuid|idempotency key)$/, uuid],
  [/\b(sha ?1|commit( sha| hash)?|sha|revision hash|tree)$/, hexadecimal(40)],
  [/\b(fingerprint|sha ?256|thumbprint|digest)$/, hexadecimal(64)],
  [/\b(hash|checksum|e ?tag|md ?5|hash code)$/, hexadecimal(32)],
  [/\b(vat|tax)( id| number| code| registration| no)+$|\b(tin|ein)$/, ['DE', ...number(9)]],
  [
    /\b(certificate|cert|pem)s?$/,
    ['-----BEGIN CERTIFICATE-----\nMIIB', many(letters + digits, 32), '\n-----END CERTIFICATE-----'],
  ],
  [/\b(public key|ssh keys?|ssh key)$/, ['ssh-ed25519 AAAAC3', many(letters + digits, 24)]],
  [
    /\b(token|secret|password|nonce|signature|passphrase|psk|jwt|pass|pin|credential|otp|cursor|pointer|(api|access|public|private|sharing|license|encryption|secret|consumer|client|auth|shared|account|system|app|application) key)s?$/,
    (words) => (/\b(pin|otp)$/.test(words) ? [many(digits, 6)] : secret),
  ],
  [/\b(base64|data|payload|blob|binary|raw|encoded)$/, [many(letters + digits, 24)], true],
  [/\b(keys?)$/, label, true],
  [
    /\b(id|ids|identifier|identifiers|uid|sid|gid|pid|oid|cid|urn|xid|identification|ident|external ref|idref)$/,
    hexadecimal(12),
  ],
  [
    /\b(slug|permalink name|alias|aliases|short ?code|namespace|ns|bucket|code ?name|key name|machine ?name|shortname|unique ?name|ascii ?name|sysname)$/,
    label,
  ],
  [/\b(locale|language tag|culture)s?$/, oneOf('en-US en-GB de-DE fr-FR es-ES pt-BR')],
  [/\b(programming|code|coding|script) ?language$/, oneOf(lists.programmingLanguages)],
  [/\blanguage$/, (_, owner) => oneOf(isOfCode.test(owner) ? lists.programmingLanguages : 'en de fr es it pt nl')],
  [/\b(language|lang)s?( codes?| iso)?$/, oneOf('en de fr es it pt nl')],
  [
    /\b(version|release|build|firmware|revision|min os|app os)( number| name| str| string)?s?$/,
    [{ oneOf: '123456' }, '.', { oneOf: digits }, '.', { oneOf: digits }],
  ],
  [/\b(image|picture|photo|avatar|thumbnail|logo) ?mime( type)?$/, oneOf('image/png image/jpeg')],
  [
    /\b(mime|content|media|source file content) ?types?$|\bcontent ?type$|\bmime$/,
    oneOf('application/pdf image/png text/csv application/json'),
  ],
  [/\b(charset|encoding)$/, oneOf('utf-8 iso-8859-1')],
  [/\b(protocol|scheme)$/, oneOf('https http tcp'), true],
  [/\b(format|extension|file type|ext|file format)s?$/, format],
  [/\b(gender|sex)$/, oneOf('female male')],
  [/\b(job title|occupation|profession|position|designation|job|headline role)( name)?$/, oneOf(lists.jobs)],
  [
    /\b(roles?|permissions?|privileges?|rights|access level|relationship)( name)?$/,
    oneOf('admin editor member viewer'),
    true,
  ],
  [/\b(scopes?)$/, oneOf('read write read:users write:orders'), true],
  [
    /\b(priority|severity|urgency|importance|risk|risk level|difficulty|level|grade|rank|tier level|sensitivity|confidence level)$/,
    level,
  ],
  [/\b(status|state|phase|stage|result|outcome|availability|disposition|health)( code| name| text| value)?$/, status],
  [/\b(action|event|operation|activity|trigger)s?( name| type)?$/, oneOf('created updated deleted viewed'), true],
  [/\b(direction|sort order|sort|order by|sort by)$/, oneOf('asc desc'), true],
  [/\b(visibility|privacy|access|audience|view policy)$/, oneOf('public private internal'), true],
  [
    /\b(frequency|interval|period|recurrence|periodicity|schedule|cycle|billing period|cadence|term)$/,
    oneOf('daily weekly monthly yearly'),
    true,
  ],
  [
    /\b(duration|humanized interval|delay|timeout|ttl|length of stay|runtime|video duration|remaining time)$/,
    ['PT', { words: ['5', '15', '30', '45'] }, 'M'],
  ],
  [
    /\b(type|kind|variant|class|tier|subtype|types|classification|strategy|style|algorithm|policy|profile|plan|purpose|usage|ownership|preference|program|grouping|sub ?type|restriction|handling|treatment|option|family|series|template|theme name|form|layout|feature|setting|module)( name| code)?$/,
    kind,
  ],
  [/\bunits?( of measure| name| code)?$|\b(uom|measure)$/, unit],
  [/\b(days? of( the)? week|day|weekday|days)s?$/, oneOf(lists.weekdays)],
  [/\bmonths?$/, oneOf(lists.months)],
  [/\b(department|division|team|business unit|cost center)s?( name)?$/, oneOf(lists.departments), true],
  [
    /\b(categor(y|ies)|collection|catalog|product type|aisle|shelf|genre name|cuisine|topic|subject area)( name)?$/,
    category,
  ],
  [/\b(tags?|keywords?|labels|hashtags?|search terms?)$/, oneOf(lists.tags)],
  // A number of a document is a reference, that of another thing only a number.
  [/^(number|no|nr|nbr|num)$/, (_, owner) => (isNumbered.test(owner) ? reference : number(2))],
  [/^(git |head |base )?ref$/, (_, owner) => (isOfCode.test(owner) ? branch : reference)],
  [
    /\b(sku|references?|ref|serial|serial (number|no)|tracking( number| code| no)?|(order|invoice|po|purchase order|customer|contract|policy|case|ticket|document|transaction|confirmation|receipt|batch|lot|part|quote|account|model|application) ?(number|no|nbr|num|ref|reference|nr)|number|no|nr|nbr|num)$/,
    reference,
  ],
  [/\berror code$/, oneOf('not_found invalid_request forbidden')],
  [/\b(codes?|cd|abbreviation|abbr|acronym|prefix|symbol code|mnemonic)$/, code],
  [
    /\b(prices?|amount|cost|total|subtotal|fee|tax|balance|salary|value paid|discount|revenue|profit|purse|earnings|payout|premium|deposit|refund|sum|budget|credit|debit|wages|tip|tips|charge)( (paid|due|incl|excl|gross|net|usd|eur|amount|value|fix|invoiced|refunded))?$/,
    price,
  ],
  [
    /\b(percent|percentage|rate|ratio|share|tax rate|discount percent|probability|confidence|exchange rate|odds|apr|apy|yield)$/,
    [...number(1), '.', { words: ['5', '25', '75', '0'] }],
  ],
  [/\b(rating|stars)$/, [{ oneOf: '12345' }]],
  [
    /\b(count|quantity|qty|age|width|height|length|weight|depth|distance|score|rating|points|votes|views|likes|clicks|impressions|opens|conversions|installs|downloads|plays|visits|visitors|followers|index|position|order|sequence|line number|page|limit|offset|minutes|seconds|hours|bytes|file size|volume|capacity|temperature|speed|elevation|altitude|area size|bedrooms|floors|rank number|max|min|minimum|maximum|average|avg|mean|median|level number|display order|port|year built|duration ms|radius|frequency hz|lbs|kg|km|miles|metres|meters|stock level|inventory level)$/,
    size,
  ],
  [
    /\b(json|metadata|properties|params|parameters|config|configuration|context|headers?|settings|attributes json|variables|extra|custom)$/,
    ['{"source":"', { words: lists.tags }, '"}'],
    true,
  ],
  [
    /\b(messages?|msg|comments?|note|notes|memo|feedback|remarks?|reply|(comment|message|note|reply) (text|body|content))$/,
    remark,
  ],
  [
    /\b(texts?|body|content|contents|reason|answers?|bio|question|caption|quote|joke|transcript|response|explanation|statement|excerpt|details?|info|information|prompt|greeting|hint|signature text|disclaimer|terms and conditions|warning text|about|blurb|special instructions|display string|sentence|phrase|passthrough|template text|markdown|extra info|additional information|copy)$/,
    saying,
  ],
  [
    /\b(subject|headline|slogan|heading|tagline|subtitle|sub title|alt|alt text|placeholder|header text|footer|title text|short title|strapline|motto)$/,
    subject,
  ],
  [/\btime$|^(date|last|latest)(creat|post|edit|modif|updat|add|chang|seen)\w*$/, timeOf],
]
