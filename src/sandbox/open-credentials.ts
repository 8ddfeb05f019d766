/** How documents other than the bundled one are authenticated: see `EngineParts`. */
import { allCredentialReaders } from './all-credential-readers.js'
import type { EngineParts } from './create-engine.js'
import { createOpenKeys } from './open-keys.js'
import { createTokenEndpoint } from './token-endpoint.js'

export const openCredentials: Required<Pick<EngineParts, 'credentialReaders' | 'createKeys' | 'createTokenEndpoint'>> =
  {
    credentialReaders: allCredentialReaders,
    createKeys: createOpenKeys,
    createTokenEndpoint,
  }
