import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { makeHubKey, openSealed, publicKeyOf } from '@printyard/protocol/sealed-connection'
import { writeSecretOnce } from '@printyard/protocol/secret-file'
import { HubConfigError } from './config.ts'

/** The key pair of a hub: the service seals credentials of printers for it. */
export interface HubKey {
  publicKey: string
  /** A value that was sealed for this hub. Throws when it was sealed for another key or thing. */
  open(sealed: string, boundTo: string): unknown
  /** The connection of a printer, or of a test, as it was entered. Throws when it was sealed for another key or thing. */
  openConnection(settings: Sealable, boundTo: string): PrinterSettings['connection']
}

type Sealable = Pick<PrinterSettings, 'connection' | 'sealed_connection'>

export function hubKeyPath(dataDir: string): string {
  return join(dataDir, 'hub.key')
}

/** The key in the data directory, made at first use, readable by its owner only. Rejects with a `HubConfigError` when it is damaged. */
export async function loadHubKey(dataDir: string): Promise<HubKey> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = hubKeyPath(dataDir)
  const privateKey = (await readKey(path)) ?? (await makeKey(path))
  return {
    publicKey: publicKeyOf(privateKey),
    open: (sealed, boundTo) => openSealed(privateKey, sealed, boundTo),
    openConnection: ({ connection, sealed_connection: sealed }, boundTo) =>
      // Only objects are sealed for printers.
      sealed === undefined ? connection : (openSealed(privateKey, sealed, boundTo) as PrinterSettings['connection']),
  }
}

async function readKey(path: string): Promise<string | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    publicKeyOf(text)
  } catch (cause) {
    const problem = 'damaged; put it back from a copy, or remove it and join again with a new code'
    throw new HubConfigError([{ setting: path, problem }], { cause })
  }
  await chmod(path, 0o600)
  return text
}

/** The key that is in the file afterwards: of two makers at once both get the same. */
async function makeKey(path: string): Promise<string> {
  await writeSecretOnce(path, makeHubKey().privateKey)
  const made = await readKey(path)
  if (made === undefined) throw new Error(`${path} could not be written`)
  return made
}
