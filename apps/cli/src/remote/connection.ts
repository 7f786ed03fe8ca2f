import { readFile } from 'node:fs/promises'
import { Printyard } from '@printyard/sdk/client'
import { CommandError } from '../command-error.ts'
import { explainRefusal } from './refusals.ts'
import { readLogin } from './stored-login.ts'

/** Options of every command that goes to a server by its API. */
export interface RemoteOptions {
  server?: string
  apiKeyFile?: string
}

interface Destination {
  server: string
  apiKey: string
}

/** Runs one piece of work against the server that the options, the environment or `login` name. */
export async function withServer<T>(options: RemoteOptions, work: (printyard: Printyard) => Promise<T>): Promise<T> {
  return callServer(await findDestination(options), work)
}

/** Runs work with a given key; what the server refuses is told in a sentence. */
export async function callServer<T>(
  { server, apiKey }: Destination,
  work: (printyard: Printyard) => Promise<T>,
): Promise<T> {
  try {
    return await work(new Printyard({ baseUrl: server, apiKey }))
  } catch (error) {
    throw explainRefusal(error, server)
  }
}

/**
 * Answers where to go with which key. Options win over the environment, which wins over the stored login. A stored key goes to no
 * server but the one it was stored for.
 */
export async function findDestination(
  { server: given, apiKeyFile }: RemoteOptions,
  env: NodeJS.ProcessEnv = process.env,
  readStored: typeof readLogin = readLogin,
): Promise<Destination> {
  const named = given ?? (env.PRINTYARD_URL || undefined)
  const key = apiKeyFile === undefined ? env.PRINTYARD_API_KEY || undefined : await readKeyFile(apiKeyFile)
  const stored = named !== undefined && key !== undefined ? undefined : await readStored()
  const server = named === undefined ? stored?.server : readServer(named)
  if (server === undefined) {
    throw new CommandError('No server is given: run `printyard login`, or use --server or PRINTYARD_URL.', 2)
  }
  const apiKey = key ?? (stored?.server === server ? stored.api_key : undefined)
  if (apiKey === undefined) {
    throw new CommandError(
      `No key for ${server} is given: run \`printyard login --server ${server}\`, or use --api-key-file or PRINTYARD_API_KEY.`,
      2,
    )
  }
  return { server, apiKey: checkKey(apiKey) }
}

/** The address of a server in the one form that is stored and compared. */
export function readServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new CommandError(`${text} is not the address of a server; write it as https://farm.example.com.`, 2)
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandError('The address of a server has no password in it; the key is given apart from it.', 2)
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/public\/v1$/, '')
}

export async function readKeyFile(file: string): Promise<string> {
  try {
    return checkKey((await readFile(file, 'utf8')).trim())
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`--api-key-file: ${file} cannot be read: ${(error as Error).message}.`, 2, { cause: error })
  }
}

/** A key goes into a header: one line of visible characters. */
export function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key
  throw new CommandError('This is no API key; it begins with printyard_live_ and has no spaces.', 2)
}
