import { HubConfigError } from '@printyard/hub/config'
import { discoverOnce, sentenceOf } from '@printyard/hub/discovery/discover-once'
import { type Answer, formatTable } from '../answer.ts'
import { CommandError } from '../command-error.ts'

export interface DiscoverPrintersOptions {
  address?: string
  seconds?: string
  dataDir?: string
}

const defaultSeconds = 10
const mostSeconds = 300

export async function discoverPrinters({ address, seconds, dataDir }: DiscoverPrintersOptions): Promise<Answer> {
  const wanted = seconds === undefined ? defaultSeconds : Number(seconds)
  if (!(wanted >= 1 && wanted <= mostSeconds)) {
    throw new CommandError(`--seconds: ${seconds} is not a number from 1 to ${mostSeconds}`, 2)
  }
  try {
    const candidates = await discoverOnce({ address, dataDir, seconds: wanted })
    const rows = candidates.map(({ connection_type, name, address: at, port = null, serial, evidence }) => [
      connection_type,
      name,
      `${at ?? ''}${port === null ? '' : `:${port}`}`,
      serial ?? '',
      evidence,
    ])
    const text = rows.length > 0 ? formatTable(['TYPE', 'NAME', 'ADDRESS', 'SERIAL', 'EVIDENCE'], rows) : nothingFound
    return { document: candidates, text }
  } catch (error) {
    if (error instanceof HubConfigError) throw new CommandError(error.message, 2, { cause: error })
    const sentence = sentenceOf(error)
    if (sentence === undefined) throw error
    throw new CommandError(sentence, 1, { cause: error })
  }
}

const nothingFound =
  'No printer was found. Is it switched on, is its network access on, and is it in the network of this machine? A printer that does ' +
  'not announce itself is found by --address.'
