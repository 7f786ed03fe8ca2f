import { createSecretBox, loadSecretKey } from '@printyard/server/kernel/secret-box'
import { setUpCode } from '@printyard/server/modules/people/sign-in/set-up-code'

/** The code that the service of this data directory printed at its first start. */
export async function readSetUpCode(dataDir: string): Promise<string> {
  return setUpCode(createSecretBox(await loadSecretKey(dataDir)))
}
