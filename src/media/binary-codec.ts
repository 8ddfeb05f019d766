/** The codec for all other types, such as images and XML: any bytes are valid, and they are not decoded. */
import type { Codec } from './codec.js'

export const binaryCodec: Codec = {
  name: 'binary',
  readsBytes: true,
  decode: (_, { bytes, contentType = 'application/octet-stream' }) => {
    return { exact: '', rounded: '', file: { bytes, type: contentType } }
  },
}
