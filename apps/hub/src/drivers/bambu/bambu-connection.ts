import { DriverError } from '../driver.ts'
import { type BambuMqtt, type BambuMqttOptions, openBambuMqtt } from './bambu-mqtt.ts'

/** A printer that says nothing for so long is asked, and given up when it still says nothing. */
const SILENCE_MS = 60_000
const LAST_WORD_MS = 10_000
/** Asked for everything more often, the smaller models stall. */
const FULL_REPORT_INTERVAL_MS = 5 * 60_000

interface BambuConnectionOptions extends BambuMqttOptions {
  waitFactor: number
  onOpen(link: BambuMqtt): void
  /** Asked every second: whether only a full report can tell what is to be known. */
  wantsFullReport(): boolean
}

/** One connection to a printer, from its beginning to its end; always rejects, with what ended it. */
export async function keepBambuConnection(options: BambuConnectionOptions): Promise<never> {
  const { waitFactor } = options
  let heardAtMs = performance.now()
  let wasAsked = false
  const link = await openBambuMqtt({
    ...options,
    onMessage(message) {
      heardAtMs = performance.now()
      wasAsked = false
      options.onMessage(message)
    },
  })
  options.onOpen(link)
  link.tell('info', 'get_version')
  const askForEverything = () => link.tell('pushing', 'pushall', { version: 1, push_target: 1 })
  askForEverything()
  const fullTimer = setInterval(askForEverything, FULL_REPORT_INTERVAL_MS)
  const silenceTimer = setInterval(() => {
    if (options.wantsFullReport()) askForEverything()
    const silentMs = performance.now() - heardAtMs
    if (silentMs > (SILENCE_MS + LAST_WORD_MS) * waitFactor) link.close('the printer says nothing any more')
    else if (silentMs > SILENCE_MS * waitFactor && !wasAsked) {
      wasAsked = true
      link.tell('pushing', 'start')
    }
  }, 1_000 * waitFactor)
  try {
    throw new DriverError('UNREACHABLE', await link.closed)
  } finally {
    clearInterval(fullTimer)
    clearInterval(silenceTimer)
  }
}
