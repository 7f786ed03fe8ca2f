import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../command-error.ts'

/** What `login` keeps: a key, and the only server that it is sent to. */
interface StoredLogin {
  server: string
  api_key: string
}

/** Path of the stored login, in the folder where programs of this user keep their settings. */
export function loginPath(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  const ofPlatform = platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME
  return join(ofPlatform || join(homedir(), '.config'), 'printyard', 'login.json')
}

export async function readLogin(path = loginPath()): Promise<StoredLogin | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}.`, 1, { cause: error })
  }
  const login = parse(text)
  if (login === undefined) throw new CommandError(`${path} is damaged; log in again with \`printyard login\`.`)
  return login
}

/** Keeps a login, readable for this user only. A file that is broken off never takes the place of a whole one. */
export async function storeLogin(login: StoredLogin, path = loginPath()): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(login)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new CommandError(`The key cannot be kept in ${path}: ${(error as Error).message}.`, 1, { cause: error })
  }
}

/** Removes the stored login; false when there was none. */
export async function removeLogin(path = loginPath()): Promise<boolean> {
  try {
    await rm(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw new CommandError(`${path} cannot be removed: ${(error as Error).message}.`, 1, { cause: error })
  }
}

function parse(text: string): StoredLogin | undefined {
  try {
    const { server, api_key } = JSON.parse(text) as Partial<StoredLogin>
    return typeof server === 'string' && typeof api_key === 'string' ? { server, api_key } : undefined
  } catch {
    return undefined
  }
}
