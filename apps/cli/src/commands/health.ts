import { readConfig } from '@printyard/server/kernel/config'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { addressOf, askOwnService, type OwnAnswer } from '../own-service.ts'

const answerMs = 5_000

/** Asks the service that the settings describe whether it can take requests, for supervisors that have only an exit code to go by. */
export async function readHealth(): Promise<Answer> {
  const config = readConfig(process.env)
  const address = addressOf(config)
  if (address === undefined)
    throw new CommandError('With PRINTYARD_PORT=0 the settings do not tell where the service is.', 2)
  const url = `${address}/readyz`
  let answer: OwnAnswer
  try {
    answer = await askOwnService(url, answerMs)
  } catch (error) {
    throw new CommandError(`No answer from ${url}.`, 1, { cause: error })
  }
  if (answer.status !== 200) throw new CommandError(`${url} answers ${answer.status}: the service is not ready.`, 1)
  return { document: { ready: true, url }, text: `The service is ready at ${url}.` }
}
