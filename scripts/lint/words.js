/**
 * Finds regular expressions and lists with two or more words outside `src/lexicon`. Prints them and exits with 1 if there are any.
 * Terms of standards are no words.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const root = new URL('../../', import.meta.url)
const folders = ['behaviour', 'compile', 'generate', 'infer', 'learn', 'sandbox', 'schemas'].filter((folder) =>
  existsSync(new URL(`src/${folder}`, root)),
)

/** Files and folders whose words are no names or descriptions of a document. */
const allowed = {
  'src/sandbox/lists/choose-records.ts': 'ends of values that sort a list, while a request runs',
  'src/sandbox/request/leniency.ts': 'words for keys that the document lists, while a request runs',
  'src/sandbox/prefer.ts': 'parameters of Prism',
  'src/sandbox/request/preferred-examples.ts': 'preferences of Prism',
  'src/behaviour/': 'our own vocabulary',
  'src/infer/apply-corrections.ts': 'members of our own vocabulary, and expressions of OpenAPI',
  'src/compile/operations/compile-headers.ts': 'headers of HTTP',
  'src/compile/webhooks/read-webhook-rules.ts': 'members of x-sandbox-webhooks',
  'src/schemas/compile-text-types.ts': 'members of a type',
  'src/schemas/create-ajv.ts': 'code that Ajv writes',
  'src/schemas/shorten-errors.ts': 'code that Ajv writes',
}

/** What OpenAPI, JSON Schema, MIME and HTTP call things. A hyphen at the end stands for any ending. */
const terms = toSet(`
  string number integer boolean true false null array object oneof anyof allof enum const pattern format minlength maxlength
  minimum maximum exclusiveminimum exclusivemaximum multipleof minitems maxitems uniqueitems minproperties maxproperties
  additionalproperties unevaluatedproperties unevaluateditems patternproperties propertynames prefixitems
  get put post delete options head patch trace header query path cookie components schemas securityschemes
  form spacedelimited pipedelimited tabdelimited deepobject simple label matrix basic bearer apikey openidconnect mutualtls
  uuid uri iri byte binary date time date-time int
  text image audio video font application multipart json xml xsl html yaml csv pdf zip octet plain form-data urlencoded
  form-urlencoded x-www-form-urlencoded octet-stream event-stream merge-patch json-patch json-pointer ndjson x-ndjson jsonl
  x-jsonlines json-lines json-seq
  etag gmt if-match if-none-match if-modified-since if-unmodified-since last-modified content-type content-
  content-security-policy x-content-type-options user-agent webhook-id webhook-timestamp webhook-signature`)
/** Such terms that are usual words too, and names of our own vocabulary: they count in regular expressions. */
const termsInLists = toSet(`
  if then else not type items properties required contains title description default deprecated example examples externaldocs
  readonly writeonly schema http email password accept authorization host expect connect track first prev next last
  idn-email username keyid oauth_consumer_key credential client_id azp sub client_credentials
  list create read replace update remove action undescribed offset page cursor after before keys owner unique changes standard
  brief record draft constant now none`)

const found = folders.flatMap((folder) =>
  readdirSync(new URL(`src/${folder}`, root), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => findWords(`src/${folder}/${name}`)),
)
const reasons = Object.keys(allowed)
const unused = reasons.filter((each) => !found.some(({ file }) => file.startsWith(each)))
const lines = [
  ...found.filter(({ file }) => !reasons.some((each) => file.startsWith(each))).map(({ text }) => text),
  ...unused.map((each) => `scripts/lint/words.js: ${each} has no words, so that it needs no reason`),
]
if (lines.length > 0) console.log(`${lines.join('\n')}\nWords are interpreted only in src/lexicon.`)
process.exitCode = lines.length > 0 ? 1 : 0

function toSet(text) {
  return new Set(text.trim().split(/\s+/))
}

function findWords(file) {
  const source = ts.createSourceFile(file, readFileSync(new URL(file, root), 'utf8'), ts.ScriptTarget.Latest, true)
  const all = []
  visit(source)
  return all

  function visit(node) {
    if (countWords(node) > 1) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      all.push({ file, text: `${file}:${line + 1}: ${node.getText().replace(/\s+/g, ' ')}` })
    }
    ts.forEachChild(node, visit)
  }
}

function countWords(node) {
  if (ts.isRegularExpressionLiteral(node)) return countInPattern(node.text.slice(1, node.text.lastIndexOf('/')))
  if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
    const [first] = node.arguments
    if (ts.isStringLiteralLike(first)) return countInPattern(first.text)
    return ts.isTemplateExpression(first) ? countInPattern(first.getText().replace(/\$\{[^}]*\}/g, ' ')) : 0
  }
  if (ts.isArrayLiteralExpression(node)) {
    return countInList(node.elements.filter((each) => ts.isStringLiteralLike(each)).map(({ text }) => text))
  }
  const isSplit = ts.isPropertyAccessExpression(node) && node.name.text === 'split'
  return isSplit
    ? countInList(
        textsIn(node.expression)
          .join('')
          .split(/[\s,|]+/),
      )
    : 0
}

/** The parts of a text that is joined. */
function textsIn(node) {
  if (ts.isParenthesizedExpression(node)) return textsIn(node.expression)
  if (ts.isBinaryExpression(node)) return [...textsIn(node.left), ...textsIn(node.right)]
  return ts.isStringLiteralLike(node) ? [node.text] : []
}

function countInPattern(pattern) {
  const text = pattern.replace(/\\[pP]\{.*?\}|\\k<\w+>|\(\?<\w+>|\\u\w{4}|\\./g, ' ').replace(/\[[^\]]*\]/g, ' ')
  return new Set(wordsIn(text)).size
}

/** Messages and code are no names. */
function countInList(texts) {
  const names = texts.filter((text) => /^[\w@$.*+/-]+( [\w-]+)?$/.test(text) && !termsInLists.has(text.toLowerCase()))
  return new Set(names.filter((name) => wordsIn(name).length > 0)).size
}

function wordsIn(text) {
  const all = text.toLowerCase().match(/[a-z\d]+(-[a-z\d]+)*-?/g) ?? []
  const parts = all.flatMap((each) => (terms.has(each) || each.startsWith('x-sandbox-') ? [] : each.split('-')))
  return parts.filter((part) => /^[a-z]{3,}$/.test(part) && !terms.has(part))
}
