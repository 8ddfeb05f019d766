/** The codec for plain text: one value, or JSON if the schema is that of an object. */
import { toRounded } from '../json/rounding.js'
import { type Codec, DecodeError } from './codec.js'
import { decodeField } from './fields.js'
import { fitReadings } from './fit-readings.js'
import { toParameters } from './media-type-parameters.js'

export const textCodec: Codec = {
  name: 'text',
  readsBytes: true,
  decode(_, { bytes, contentType = 'text/plain', content, contract: { textTypes, validators } }) {
    const text = decodeCharacters(bytes, toParameters(contentType).get('charset') ?? 'utf-8')
    const file = { bytes, type: contentType }
    return fitReadings((choose) => {
      const exact = decodeField({ leaves: [text] }, content.textType, { textTypes, choose }, '')
      return { exact, rounded: toRounded(exact), file }
    }, validators[content.validate])
  },
}

function decodeCharacters(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError(`The charset ${JSON.stringify(charset)} is not supported`)
    throw new DecodeError(`The body is not valid ${charset.toUpperCase()}`)
  }
}
