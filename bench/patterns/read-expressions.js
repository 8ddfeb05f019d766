/**
 * Reads the regular expressions of a folder of sources: literals, texts given to `RegExp`, `match`, `matchAll` and `search`, and
 * `pattern` of schemas. What is known only while the program runs becomes a placeholder, so that the rest is still measured.
 */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

/** Stands for a text that only the running program knows. */
const placeholder = 'qz'
const numberless = /(?<!\\[pPuk])\{qz\}/g
/** How many values of one piece of code are followed. */
const mostValues = 12
/** A text with a hole may be any expression; other texts that are known only in part have letters there. */
const unknown = [{ text: placeholder, isPartial: true, hasHole: true }]
const deepest = 25

/**
 * @returns the expressions as `{ file, line, source, flags, isSplit, isPartial, bound }`, and places of those that are made of
 *   nothing but texts which only the running program knows
 */
export function readExpressions(folder) {
  const files = listSources(folder)
  const program = ts.createProgram(files, {
    allowJs: true,
    noLib: true,
    jsx: ts.JsxEmit.Preserve,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  })
  const checker = program.getTypeChecker()
  const evaluate = createEvaluator(checker)
  const read = { found: [], unread: [], split: new Set(), checker, evaluate, folder }
  const sources = program.getSourceFiles().filter(({ fileName }) => files.includes(fileName))
  for (const source of sources) visit(source, source, read)
  const expressions = read.found.map(({ node, from, ...each }) => ({
    ...each,
    isSplit: [node, ...from].some((one) => read.split.has(one)),
    bound: boundOf(node, checker),
    why: markerOf(node, 'unmeasured'),
  }))
  return { expressions, unread: read.unread, files: files.length }
}

/** The sources that people write, and the validators that the build makes of them. */
function listSources(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|js|mjs|cjs|jsx)$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/[/\\](generated[/\\].*\.ts|node_modules[/\\].*)$/.test(file.slice(folder.length)))
    .sort()
}

/** What leaves out or moves items, all of which are read. */
const sameItems = new Set(['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed', 'flat'])
const takers = new Set(['match', 'matchAll', 'search'])

function visit(node, source, read) {
  if (ts.isRegularExpressionLiteral(node)) add(node, [{ regex: toParts(node.text), from: [node] }], source, read)
  else if (ts.isCallExpression(node) || ts.isNewExpression(node)) visitCall(node, source, read)
  else if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern') {
    const isBuilt = ts.isBinaryExpression(node.initializer) || ts.isTemplateExpression(node.initializer)
    const values = read.evaluate(node.initializer).filter(({ text }) => text && (isBuilt || !isUnknown(text)))
    addTexts(node, values, 'u', source, read)
  } else if (isLooseRegExp(node)) addUnread(node, source, read)
  ts.forEachChild(node, (child) => visit(child, source, read))
}

function visitCall(node, source, read) {
  const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText()
  const [first, second] = node.arguments ?? []
  if (name === 'split' && first) {
    const from = ts.isRegularExpressionLiteral(first)
      ? [first]
      : read.evaluate(first).flatMap((each) => each.from ?? [])
    for (const each of [first, ...from]) read.split.add(each)
  }
  if (!first) return
  if (!isRegExp(node.expression, read.checker)) {
    // Of other arguments, those that are expressions are read where they are written.
    if (!takers.has(name) || !ts.isPropertyAccessExpression(node.expression)) return
    const texts = read.evaluate(first).filter(({ text }) => text !== undefined)
    const isText = (read.checker.getTypeAtLocation(first).flags & ts.TypeFlags.StringLike) !== 0
    const isKnown = texts.some(({ text }) => !isUnknown(text))
    if (isKnown || isText) addTexts(node, texts, name === 'matchAll' ? 'g' : '', source, read)
    return
  }
  const flags = second ? read.evaluate(second).flatMap(({ text }) => (text && isFlags(text) ? [text] : [])) : []
  const values = read.evaluate(first).map((value) => {
    const own = value.regex ?? { source: value.text ?? placeholder, flags: '' }
    return { ...value, regex: { source: own.source, flags: flags[0] ?? own.flags }, from: value.from ?? [] }
  })
  add(node, values, source, read)
}

function addTexts(node, values, flags, source, read) {
  const toValue = (value) => ({ ...value, regex: { source: value.text, flags }, from: [] })
  if (values.length > 0) add(node, values.map(toValue), source, read)
}

/** Also `globalThis.RegExp`, and another name for it. */
function isRegExp(node, checker) {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'RegExp'
  if (!ts.isIdentifier(node)) return false
  if (node.text === 'RegExp') return true
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration
  if (!declaration) return false
  if (ts.isBindingElement(declaration)) return declaration.propertyName?.getText() === 'RegExp'
  return (
    ts.isVariableDeclaration(declaration) && !!declaration.initializer && isRegExp(declaration.initializer, checker)
  )
}

/** `RegExp` as a value, such as in `texts.map(RegExp)`: what it is given is not read. */
function isLooseRegExp(node) {
  if (!ts.isIdentifier(node) || node.text !== 'RegExp') return false
  const { parent } = node
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node
  return ts.isArrayLiteralExpression(parent) || ts.isConditionalExpression(parent) || ts.isPropertyAssignment(parent)
}

function isFlags(text) {
  return /^[dgimsuvy]*$/.test(text)
}

function add(node, values, source, read) {
  const known = values.filter(({ regex }) => !isUnknown(regex.source))
  if (known.length === 0) addUnread(node, source, read)
  for (const { regex, from, isPartial = false, hasHole = false } of known) {
    // Only a number can be there.
    const text = regex.source.replace(numberless, '{20}')
    const isOpen = hasHole && text.includes(placeholder)
    read.found.push({ node, ...placeOf(node, source, read), ...regex, source: text, isPartial, hasHole: isOpen, from })
  }
}

function isUnknown(text) {
  return text.replaceAll(placeholder, '') === ''
}

function addUnread(node, source, read) {
  const code = node.getText(source).replace(/\s+/g, ' ').slice(0, 90)
  read.unread.push({ ...placeOf(node, source, read), code, why: markerOf(node, 'unmeasured') })
}

function placeOf(node, source, { folder }) {
  const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
  return { file: relative(join(folder, '..'), source.fileName), line }
}

function toParts(text) {
  const end = text.lastIndexOf('/')
  return { source: text.slice(1, end), flags: text.slice(end + 1) }
}

/** Evaluates code as far as it is constant: `{ text }`, `{ regex, from }`, `{ list }` or `{}` for each value that it may have. */
function createEvaluator(checker) {
  const changing = new Set()

  function evaluate(node, bindings = new Map(), depth = 0) {
    if (node === undefined || depth > deepest) return unknown
    const next = (other, own = bindings) => evaluate(other, own, depth + 1)
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [{ text: node.text }]
    if (ts.isRegularExpressionLiteral(node)) return [{ regex: toParts(node.text), from: [node] }]
    if (ts.isTemplateExpression(node)) {
      const pieces = node.templateSpans.flatMap(({ expression, literal }) => [
        next(expression),
        [{ text: literal.text }],
      ])
      return join_([[{ text: node.head.text }], ...pieces])
    }
    if (ts.isTaggedTemplateExpression(node)) return raw(node.template, next)
    if (isWrapper(node)) return next(node.expression)
    if (ts.isBinaryExpression(node)) return binary(node, next)
    if (ts.isConditionalExpression(node)) return [...next(node.whenTrue), ...next(node.whenFalse)].slice(0, mostValues)
    if (ts.isArrayLiteralExpression(node)) return [{ list: node.elements.map((each) => element(each, next)) }]
    if (ts.isObjectLiteralExpression(node)) return [{ members: node.properties.map((each) => member(each, next)) }]
    if (ts.isIdentifier(node)) return identifier(node, bindings, depth)
    if (ts.isPropertyAccessExpression(node)) return property(node, bindings, depth)
    if (ts.isCallExpression(node)) return call(node, bindings, depth)
    return unknown
  }

  function element(node, next) {
    if (!ts.isSpreadElement(node)) return { value: next(node) }
    return { spread: next(node.expression) }
  }

  function member(node, next) {
    if (!ts.isPropertyAssignment(node)) return [unknown, unknown]
    return [[{ text: node.name.text ?? placeholder }], next(node.initializer)]
  }

  function binary(node, next) {
    const kind = node.operatorToken.kind
    if (kind === ts.SyntaxKind.PlusToken) return join_([next(node.left), next(node.right)])
    if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken)
      return [...next(node.left), ...next(node.right)].slice(0, mostValues)
    return unknown
  }

  function raw(template, next) {
    const text = (part) => [{ text: part.rawText ?? part.text }]
    if (ts.isNoSubstitutionTemplateLiteral(template)) return text(template)
    const pieces = template.templateSpans.flatMap(({ expression, literal }) => [next(expression), text(literal)])
    return join_([text(template.head), ...pieces])
  }

  function identifier(node, bindings, depth) {
    let symbol = checker.getSymbolAtLocation(node)
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
    if (symbol && bindings.has(symbol)) return bindings.get(symbol)
    const declaration = symbol?.valueDeclaration
    if (!declaration) return unknown
    if (ts.isVariableDeclaration(declaration)) {
      const first = declaration.initializer ? evaluate(declaration.initializer, bindings, depth + 1) : []
      if (declaration.parent.flags & ts.NodeFlags.Const) return first
      const values = changed(symbol, first, bindings, depth)
      return values.length > 0 ? values : unknown
    }
    if (ts.isParameter(declaration)) return parameter(declaration, depth)
    if (ts.isBindingElement(declaration)) return bound(declaration, bindings, depth)
    return unknown
  }

  /** The values that assignments give to a variable, from top to bottom. */
  function changed(symbol, first, bindings, depth) {
    if (changing.has(symbol)) return unknown
    changing.add(symbol)
    let values = first
    const look = (node) => {
      if (ts.isBinaryExpression(node) && checker.getSymbolAtLocation(node.left) === symbol) {
        const { kind } = node.operatorToken
        const right = evaluate(node.right, bindings, depth + 1)
        if (kind === ts.SyntaxKind.EqualsToken) values = [...right, ...values]
        if (kind === ts.SyntaxKind.PlusEqualsToken) values = [...join_([values, right]), ...values]
        values = values.slice(0, mostValues)
      }
      ts.forEachChild(node, look)
    }
    look(symbol.valueDeclaration.getSourceFile())
    changing.delete(symbol)
    return values
  }

  /** A name of a pattern such as `({ source })` or `[date, form]`. */
  function bound(declaration, bindings, depth) {
    const pattern = declaration.parent
    const owner = pattern.parent
    const values = ts.isParameter(owner)
      ? parameter(owner, depth)
      : ts.isVariableDeclaration(owner) && owner.initializer
        ? evaluate(owner.initializer, bindings, depth + 1)
        : unknown
    if (ts.isArrayBindingPattern(pattern)) {
      const index = pattern.elements.indexOf(declaration)
      return values.flatMap(({ list }) => (list ? (flat(list)[index] ?? unknown) : unknown)).slice(0, mostValues)
    }
    const name = (declaration.propertyName ?? declaration.name).getText()
    return values.flatMap(({ regex, from }) => (regex && name in regex ? [{ text: regex[name], from }] : unknown))
  }

  /** What the calls in the same file, or the list whose method calls it, give to a parameter. */
  function parameter(declaration, depth) {
    const owner = declaration.parent
    const index = owner.parameters.indexOf(declaration)
    const outer = owner.parent
    if (
      ts.isCallExpression(outer) &&
      outer.arguments.includes(owner) &&
      ts.isPropertyAccessExpression(outer.expression)
    ) {
      const values = evaluate(outer.expression.expression, new Map(), depth + 1)
      return index === 0 ? values.flatMap(({ list }) => (list ? flat(list).flat() : unknown)).slice(0, 40) : unknown
    }
    const name = owner.name ?? (ts.isVariableDeclaration(outer) ? outer.name : undefined)
    if (!name || !ts.isIdentifier(name)) return unknown
    const symbol = checker.getSymbolAtLocation(name)
    const values = []
    const look = (node) => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name.text) {
        if (checker.getSymbolAtLocation(node.expression) === symbol && values.length < 40)
          values.push(...argument(declaration, node.arguments, index, depth))
      }
      ts.forEachChild(node, look)
    }
    look(owner.getSourceFile())
    return values.length > 0 ? values : unknown
  }

  function argument({ dotDotDotToken, initializer }, given, index, depth) {
    const next = (node) => evaluate(node, new Map(), depth + 5)
    if (dotDotDotToken) return [{ list: given.slice(index).map((each) => element(each, next)) }]
    return next(given[index] ?? initializer)
  }

  function property(node, bindings, depth) {
    const name = node.name.text
    const values = evaluate(node.expression, bindings, depth + 1)
    const own = values.filter(({ regex }) => regex && name in regex)
    if (own.length > 0) return own.map(({ regex, from }) => ({ text: regex[name], from }))
    const declaration = checker.getSymbolAtLocation(node.name)?.valueDeclaration
    if (declaration && (ts.isPropertyAssignment(declaration) || ts.isPropertyDeclaration(declaration)))
      return evaluate(declaration.initializer, bindings, depth + 1)
    return unknown
  }

  function call(node, bindings, depth) {
    const { expression, arguments: given } = node
    const next = (other, own = bindings) => evaluate(other, own, depth + 1)
    if (isRegExp(expression, checker)) return next(given[0])
    const own = functionOfName(expression)
    if (own)
      return inline(
        own,
        given.map((each) => next(each)),
        bindings,
        depth,
      )
    if (ts.isPropertyAccessExpression(expression)) {
      const method = expression.name.text
      if (expression.expression.getText() === 'Object') return listed(method, next(given[0]))
      const [count] = expression.expression.arguments ?? []
      if (method === 'fill' && count?.text <= mostValues)
        return [{ list: Array.from({ length: count.text }, () => ({ value: next(given[0]) })) }]
      const lists = next(expression.expression)
      if (method === 'concat') return lists.map((value) => joined(value, given, next))
      if (method === 'join') {
        const between = given[0] ? next(given[0]) : [{ text: ',' }]
        return lists.flatMap(({ list }) => (list ? joinList(flat(list), between) : unknown)).slice(0, mostValues)
      }
      const made = method === 'map' ? functionOfName(given[0]) : undefined
      if (made) {
        return lists.map(({ list = [{ value: unknown }] }) => ({
          list: flat(list).map((value) => ({ value: inline(made, [value], bindings, depth) })),
        }))
      }
      if (lists.every(({ list }) => list) && sameItems.has(method)) return lists
      if (method === 'replace' || method === 'replaceAll')
        return replaced(lists, method, next(given[0]), next(given[1]))
    }
    return unknown
  }

  function listed(method, values) {
    const pick = {
      values: ([, value]) => value,
      keys: ([key]) => key,
      entries: ([key, value]) => [{ list: [{ value: key }, { value }] }],
    }
    if (!Object.hasOwn(pick, method)) return unknown
    return values.flatMap(({ members }) =>
      members ? [{ list: members.map((each) => ({ value: pick[method](each) })) }] : unknown,
    )
  }

  /** What `concat` makes of a list or a text. */
  function joined(value, given, next) {
    if (!value.list) return join_([[value], ...given.map((each) => next(each))])[0]
    const more = given.flatMap((each) => next(each).flatMap((one) => one.list ?? [{ value: [one] }]))
    return { list: [...value.list, ...more] }
  }

  /** A function itself, or the one that a name or a property stands for. */
  function functionOfName(node) {
    if (isFunction(node)) return node
    const declaration = node && checker.getSymbolAtLocation(node)?.valueDeclaration
    const own = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration
    return isFunction(own) ? own : undefined
  }

  /** What is replaced by something unknown becomes a placeholder. */
  function replaced(values, method, [wanted], [by]) {
    const found = wanted?.regex ? new RegExp(wanted.regex.source, wanted.regex.flags) : wanted?.text
    if (found === undefined || wanted.isPartial) return unknown
    if (method === 'replaceAll' && found.global === false) return unknown
    const isEscape =
      !by?.isPartial && [...'\\^$.*+?()[]{}|'].every((sign) => sign[method](found, by?.text) === `\\${sign}`)
    return values.map(({ text = placeholder, hasHole = true }) => {
      const made = text[method](found, by?.isPartial ? placeholder : (by?.text ?? placeholder))
      return {
        text: made,
        isPartial: made.includes(placeholder),
        hasHole: hasHole && !isEscape && made.includes(placeholder),
      }
    })
  }

  function isFunction(node) {
    return (
      node !== undefined &&
      (ts.isArrowFunction(node) ||
        ts.isFunctionExpression(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isMethodDeclaration(node))
    )
  }

  /** The value of a function that is one expression. */
  function inline(made, values, bindings, depth) {
    const body = made.body && ts.isBlock(made.body) ? returned(made.body) : made.body
    if (!body) return unknown
    const own = new Map(bindings)
    for (const [index, { name, dotDotDotToken, initializer }] of made.parameters.entries()) {
      const rest = dotDotDotToken && [{ list: values.slice(index).map((value) => ({ value })) }]
      bind(name, rest ?? values[index] ?? (initializer ? evaluate(initializer, own, depth + 1) : unknown), own)
    }
    return evaluate(body, own, depth + 1)
  }

  function bind(name, values, bindings) {
    if (ts.isIdentifier(name)) return bindings.set(checker.getSymbolAtLocation(name), values)
    name.elements.forEach((each, index) => {
      if (!ts.isBindingElement(each) || !ts.isIdentifier(each.name)) return
      const key = (each.propertyName ?? each.name).getText()
      const inner = values.flatMap(({ list, regex }) => {
        if (ts.isArrayBindingPattern(name)) return list ? (flat(list)[index] ?? unknown) : unknown
        return regex && key in regex ? [{ text: regex[key] }] : unknown
      })
      bindings.set(checker.getSymbolAtLocation(each.name), inner)
    })
    return bindings
  }

  return evaluate
}

function returned({ statements }) {
  const [only] = statements
  return statements.length === 1 && only && ts.isReturnStatement(only) ? only.expression : undefined
}

function isWrapper(node) {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  )
}

/** The items of a list, each as its possible values. */
function flat(list) {
  return list.flatMap(({ value, spread }) => {
    if (value) return [value]
    return spread.flatMap((each) => (each.list ? flat(each.list) : [unknown]))
  })
}

function joinList(items, between) {
  return join_(items.flatMap((item, index) => (index === 0 ? [item] : [between, item])))
}

/** Every text that one value of each piece makes, of which the first are enough. */
function join_(pieces) {
  let made = [{ text: '', isPartial: false, hasHole: false }]
  for (const values of pieces) {
    const texts = values.length > 0 ? values : unknown
    made = made
      .flatMap((start) =>
        texts.map((value) => ({
          text: start.text + (value.text ?? placeholder),
          isPartial: start.isPartial || value.text === undefined || value.isPartial === true,
          hasHole: start.hasHole || value.text === undefined || value.hasHole === true,
        })),
      )
      .slice(0, mostValues)
  }
  return made
}

/**
 * The bound that the comment `// bounded: <code>` names on the line of an expression or on the lines directly above it. The code
 * must be in the function with the expression, or in each function that uses it, else it is no bound.
 */
function boundOf(node, checker) {
  const source = node.getSourceFile()
  const code = markerOf(node, 'bounded')
  if (code === undefined) return undefined
  const owner = functionOf(node)
  const users = owner ? [owner] : usersOf(node, source, checker)
  return users.length > 0 && users.every((user) => withoutComments(user, source).includes(code)) ? code : undefined
}

/** What a comment on the line of a node, or directly above it, says after a word. */
function markerOf(node, word) {
  const source = node.getSourceFile()
  const lines = source.text.split('\n')
  const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line
  for (let at = line; at >= 0 && (at === line || /^\s*(\/\/|\*|\/\*)/.test(lines[at])); at--) {
    const [, name, code] = /\/[/*]+ (bounded|unmeasured): (.+?)(?: \*\/)?$/.exec(lines[at]) ?? []
    if (name === word) return code.replaceAll('`', '')
  }
  return undefined
}

function functionOf(node) {
  for (let at = node.parent; at; at = at.parent) if (ts.isFunctionLike(at)) return at
  return undefined
}

/** The functions that use what is declared with this expression. */
function usersOf(node, source, checker) {
  let declaration = node.parent
  while (declaration && !ts.isVariableDeclaration(declaration)) declaration = declaration.parent
  if (!declaration || !ts.isIdentifier(declaration.name)) return []
  const isExported = declaration.parent.parent.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  if (isExported) return []
  const symbol = checker.getSymbolAtLocation(declaration.name)
  const users = new Set()
  const look = (each) => {
    const isUse = ts.isIdentifier(each) && each !== declaration.name && each.text === declaration.name.text
    if (isUse && checker.getSymbolAtLocation(each) === symbol) users.add(functionOf(each) ?? each)
    ts.forEachChild(each, look)
  }
  look(source)
  return [...users]
}

function withoutComments(node, source) {
  return ts
    .createPrinter({ removeComments: true })
    .printNode(ts.EmitHint.Unspecified, node, source)
    .replace(/\s+/g, ' ')
}
