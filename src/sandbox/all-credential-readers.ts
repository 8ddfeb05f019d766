/** Every reader of keys, for contracts that are compiled when the program starts. */
import { type CredentialReaders, readApiKey, readBasic, readBearer, readHttp } from './read-credentials.js'

export const allCredentialReaders: Required<CredentialReaders> = {
  bearer: readBearer,
  basic: readBasic,
  apiKey: readApiKey,
  http: readHttp,
}
