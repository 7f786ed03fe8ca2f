import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { HubConfigError, type JoinedHub } from './config.ts'
import { syncDirectory } from './util/sync-directory.ts'

function joinedHubPath(dataDir: string): string {
  return join(dataDir, 'hub.json')
}

/** Answers what `join` stored in the data directory; undefined before. Rejects with a `HubConfigError` when it is damaged. */
export async function findJoinedHub(dataDir: string): Promise<JoinedHub | undefined> {
  let text: string
  try {
    text = await readFile(joinedHubPath(dataDir), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const stored = JSON.parse(text) as Partial<JoinedHub>
    const { service_url, hub_id, token, former_tokens, name, allows_plain_text, authority } = stored
    if (typeof service_url === 'string' && typeof token === 'string') {
      const named = { hub_id: String(hub_id ?? ''), name: String(name ?? '') }
      return {
        service_url,
        token,
        ...named,
        allows_plain_text: allows_plain_text === true,
        ...(Array.isArray(former_tokens) && {
          former_tokens: former_tokens.filter((each) => typeof each === 'string'),
        }),
        ...(typeof authority === 'string' && { authority }),
      }
    }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  throw new HubConfigError([{ setting: joinedHubPath(dataDir), problem: 'not readable; join again with a new code' }])
}

/** Keeps what a hub needs to connect, readable by its owner only. It is on the disk when this resolves. */
export async function writeJoinedHub(dataDir: string, joined: JoinedHub): Promise<void> {
  const path = joinedHubPath(dataDir)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(`${JSON.stringify(joined, undefined, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  await syncDirectory(dataDir)
}
