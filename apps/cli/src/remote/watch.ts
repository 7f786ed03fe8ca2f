import type { Printyard } from '@printyard/sdk/client'
import { type AnswerOptions, note } from '../answer.ts'
import { type RemoteOptions, withServer } from './connection.ts'
import { formatEvent } from './tables.ts'

export interface WatchOptions extends RemoteOptions, AnswerOptions {
  /** ID of the event after which to begin. */
  after?: string
  /** Such as `job.` for all of jobs. */
  type?: string
}

/** Prints a line per event until it is told to stop, over breaks of the connection too. */
export async function watch(options: WatchOptions): Promise<number> {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  // The reader has seen enough, as in `printyard watch | head -1`.
  process.stdout.once('error', end)
  const last = await withServer(options, (printyard) => follow(printyard, options, ending.signal))
  if (last !== undefined) note(`Continue from here: printyard watch --after ${last}`)
  return 0
}

async function follow(printyard: Printyard, options: WatchOptions, signal: AbortSignal): Promise<string | undefined> {
  // Asked for before the stream opens: an event between the two, or of a break before the first one, is not lost.
  const after = options.after ?? (await printyard.events.list({ after: 'latest' })).meta.last_id ?? 'latest'
  note('Watching; Ctrl-C ends it.')
  let last: string | undefined
  const onBreak = () => note('The connection broke; trying again.')
  for await (const message of printyard.events.follow({ after, signal, onBreak })) {
    if (message.event === 'reset') note('Events are missing here: they are no longer kept.')
    if (message.event !== 'change') continue
    last = message.id
    if (options.type !== undefined && !message.data.type.startsWith(options.type)) continue
    process.stdout.write(`${options.json === true ? JSON.stringify(message.data) : formatEvent(message.data)}\n`)
  }
  return last
}
