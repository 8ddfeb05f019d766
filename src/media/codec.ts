/** A codec decodes bodies of one family of media types to JSON values, and applies them to records. */

import type { RequestContract } from '../contract/contract.js'
import type { BodyContent, CodecName } from '../contract/request-model.js'
import type { ExactJson } from '../json/exact-json.js'
import type { FilePart } from './fields.js'

export interface Codec {
  readonly name: CodecName
  /** Whether it also decodes bytes that are not UTF-8. The text is then empty. */
  readonly readsBytes?: true
  /** Whether a body without bytes is a value. */
  readonly readsEmpty?: true
  /** @throws DecodeError if the text is not of this media type */
  decode(text: string, source: BodySource): DecodedBody
  /**
   * Returns the record after the change that the body describes. Modifies neither argument. Absent if bodies are not
   * records.
   * @throws PatchError if the change cannot be applied
   */
  patch?(record: unknown, body: unknown): unknown
}

/** A codec whose bodies are records or changes of records. */
export type RecordCodec = Codec & Required<Pick<Codec, 'patch'>>

/** The received body, and its description in the contract. */
export interface BodySource {
  bytes: Uint8Array
  /** The value of `Content-Type`. */
  contentType: string | undefined
  content: BodyContent
  contract: RequestContract
}

export interface DecodedBody extends ExactJson {
  /** The file that was sent: the whole body, or the first file in it. */
  file?: FilePart
}

/** Codecs by name: all of them, or only those that a contract needs. */
export type Codecs = { readonly [Name in CodecName]?: Codec }

/** A body cannot be decoded. The message gives the reason, without a full stop. */
export class DecodeError extends Error {
  /** Why the request is refused. @default 'invalid_request' */
  reason?: 'unsupported_media_type'
}
