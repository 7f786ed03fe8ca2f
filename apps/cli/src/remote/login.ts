import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type Answer, note } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { readSecretFromInput } from '../standard-input.ts'
import { callServer, checkKey, type RemoteOptions, readKeyFile, readServer } from './connection.ts'
import { loginPath, readLogin, removeLogin, storeLogin } from './stored-login.ts'

/** Asks for a key, tries it, and keeps it for this user. */
export async function login({ server: given, apiKeyFile }: RemoteOptions): Promise<Answer> {
  const named = given ?? (process.env.PRINTYARD_URL || undefined) ?? (await readLogin())?.server
  if (named === undefined) throw new CommandError('Say which server: --server https://farm.example.com.', 2)
  const server = readServer(named)
  const apiKey = apiKeyFile === undefined ? checkKey(await readKey(server)) : await readKeyFile(apiKeyFile)
  await callServer({ server, apiKey }, (printyard) => printyard.printers.list({ limit: 1 }).all(1))
  const path = loginPath()
  await storeLogin({ server, api_key: apiKey }, path)
  if (goesUnencrypted(server)) note(`The key goes to ${server} unencrypted: use https where others share the network.`)
  return { document: { server, file: path }, text: `The key works. It is kept in ${path} for ${server}.` }
}

export async function logout(): Promise<Answer> {
  const path = loginPath()
  const isRemoved = await removeLogin(path)
  return {
    document: { removed: isRemoved, file: path },
    text: isRemoved
      ? `Removed the key from ${path}. It stays valid: end it by \`printyard keys revoke\` or in the dashboard.`
      : 'No key was kept.',
  }
}

async function readKey(server: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readSecretFromInput()).trim()
  process.stderr.write(`API key for ${server} (not shown): `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', (line) => resolve(line.trim()))
      lines.once('close', () => reject(new CommandError('No key was given.')))
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

function goesUnencrypted(server: string): boolean {
  const { protocol, hostname } = new URL(server)
  return protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}
