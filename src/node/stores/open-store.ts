import type { Store } from '../../state/commits/store.js'
export async function openStore(_address: string, _options: { onMessage?: ((message: string) => void) | undefined }): Promise<Store | undefined> {
  return undefined
}
