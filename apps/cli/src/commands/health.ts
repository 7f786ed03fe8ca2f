import { readConfig } from '@printyard/server/kernel/config'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'

const answerMs = 5_000

/** Asks the service that the settings describe whether it can take requests, for supervisors that have only an exit code to go by. */
export async function readHealth(): Promise<Answer> {
  const { host, port } = readConfig(process.env)
  // It listens to all addresses; this machine is one of them.
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const url = `http://${name}:${port}/readyz`
  let response: Response
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(answerMs) })
  } catch (error) {
    throw new CommandError(`No answer from ${url}.`, 1, { cause: error })
  }
  if (!response.ok) throw new CommandError(`${url} answers ${response.status}: the service is not ready.`, 1)
  return { document: { ready: true, url }, text: `The service is ready at ${url}.` }
}
