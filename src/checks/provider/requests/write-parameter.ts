/** Writes the value of a parameter in its style (OpenAPI 3.2, section 4.12.2.3; RFC 6570). */
import { separators } from '../../../contract/item-types.js'
import type { Parameter, ValueStyle } from '../../../contract/request-model.js'
import { isObject } from '../../../json/own-value.js'
import { writeByShape } from '../../../json/write-by-shape.js'

/** A name and a text as they are sent: percent-encoded where the place requires that. */
export type WrittenPair = readonly [name: string, text: string]

/** The pairs of a query, a form or a cookie, and the texts of a header or of a path parameter. */
export function writeParameter(parameter: Parameter, value: unknown): WrittenPair[] {
  const { name, in: place, style } = parameter
  const encode = place === 'header' || style?.name === 'cookie' ? (text: string) => text : encodeText
  if (style) return writeValue(name, style, value, encode)
  return [[encode(name), encode(parameterText(value))]]
}

/** @param encode percent-encodes names and values, but not separators */
export function writeValue(
  name: string,
  style: ValueStyle,
  value: unknown,
  encode: (text: string) => string = encodeText,
): WrittenPair[] {
  const own = encode(name)
  const write = (leaf: unknown) => encode(parameterText(leaf))
  switch (style.name) {
    case 'json':
      return [[own, encode(writeByShape(value, [], 0))]]
    case 'query-json':
      return [['', encode(writeByShape(value, [], 0))]]
    case 'urlencoded':
      return [[own, encode(joinPairs(entriesOf(value).flatMap(([key, inner]) => writeBrackets(encode(key), inner))))]]
    case 'query-form':
      return entriesOf(value).flatMap(([key, inner]) => writeBrackets(encode(key), inner))
    case 'deepObject':
      return writeBrackets(own, value)
    case 'label':
      return [[own, `.${writeItems(value, style.explode ? '.' : ',', style.explode, write)}`]]
    case 'matrix':
      return [[own, writeMatrix(own, value, style.explode, write)]]
    case 'simple':
      return [[own, writeItems(value, ',', style.explode, write)]]
  }
  if (!style.explode) {
    const other = separators[style.name]
    const separator = other === undefined ? ',' : encode(other)
    return [[own, writeItems(value, separator, false, write)]]
  }
  if (Array.isArray(value)) return value.map((item): WrittenPair => [own, write(item)])
  if (!isObject(value)) return [[own, write(value)]]
  return entriesOf(value).flatMap(([key, inner]) =>
    Array.isArray(inner) ? inner.map((item): WrittenPair => [write(key), write(item)]) : [[write(key), write(inner)]],
  )
}

export function joinPairs(pairs: readonly WrittenPair[]): string {
  return pairs.map(([name, text]) => (name === '' ? text : `${name}=${text}`)).join('&')
}

function writeMatrix(name: string, value: unknown, explode: boolean, write: (leaf: unknown) => string): string {
  const toPart = (part: string, leaf: unknown) => `;${part}${write(leaf) === '' ? '' : `=${write(leaf)}`}`
  if (Array.isArray(value) && explode) return value.map((item) => toPart(name, item)).join('')
  if (isObject(value) && explode)
    return Object.entries(value)
      .map(([key, inner]) => toPart(write(key), inner))
      .join('')
  const text = writeItems(value, ',', false, write)
  return `;${name}${text === '' ? '' : `=${text}`}`
}

function writeItems(value: unknown, separator: string, explode: boolean, write: (leaf: unknown) => string): string {
  if (Array.isArray(value)) return value.map(write).join(separator)
  if (!isObject(value)) return write(value)
  const parts = entriesOf(value).map(([key, inner]) => [write(key), write(inner)])
  return parts.map((part) => part.join(explode ? '=' : separator)).join(separator)
}

/** `a[b][0]=1`, as most services read nested values. @param name percent-encoded */
export function writeBrackets(name: string, value: unknown): WrittenPair[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => writeBrackets(`${name}[${index}]`, item))
  if (!isObject(value)) return [[name, encodeText(parameterText(value))]]
  return entriesOf(value).flatMap(([key, inner]) => writeBrackets(`${name}[${encodeText(key)}]`, inner))
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

function parameterText(value: unknown): string {
  return typeof value === 'object' && value !== null ? writeByShape(value, [], 0) : String(value)
}

/** Percent-encodes a text. A lone surrogate becomes U+FFFD, as in browsers: a URL cannot contain it. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
