/** What a codec is: it decodes a body of one media type family to a JSON value, and says how that changes a record. */
import type { CodecName } from '../contract/contract.js'
import type { ExactJson } from '../json/exact-json.js'

export interface Codec {
  readonly name: CodecName
  /** @throws DecodeError for what is not of this media type */
  decode(text: string): ExactJson
  /**
   * The record after the change that the body describes. Both stay as they are.
   * @throws PatchError for a change that cannot be made
   */
  patch(record: unknown, body: unknown): unknown
}

/** Codecs by name: all of them, or those that one contract needs. */
export type Codecs = { readonly [Name in CodecName]?: Codec }

/** Why a body cannot be decoded, in words without a full stop. */
export class DecodeError extends Error {}
