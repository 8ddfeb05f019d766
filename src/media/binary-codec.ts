/** The codec for everything else, such as images and XML: any bytes are valid, and nothing is read from them. */
import type { Codec } from './codec.js'

export const binaryCodec: Codec = {
  name: 'binary',
  readsBytes: true,
  decode: (_, { bytes, contentType = 'application/octet-stream' }) => {
    return { exact: '', rounded: '', file: { bytes, type: contentType } }
  },
}
