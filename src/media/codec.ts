/** A codec decodes bodies of one family of media types to JSON values, and applies them to records. */
import type { CodecName } from '../contract/contract.js'
import type { ExactJson } from '../json/exact-json.js'

export interface Codec {
  readonly name: CodecName
  /** @throws DecodeError if the text is not of this media type */
  decode(text: string): ExactJson
  /**
   * Returns the record after the change that the body describes. Changes neither argument.
   * @throws PatchError if the change cannot be applied
   */
  patch(record: unknown, body: unknown): unknown
}

/** Codecs by name: all of them, or only those that a contract needs. */
export type Codecs = { readonly [Name in CodecName]?: Codec }

/** A body cannot be decoded. The message gives the reason, without a full stop. */
export class DecodeError extends Error {}
