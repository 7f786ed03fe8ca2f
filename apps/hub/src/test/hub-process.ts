import type { HubConfig } from '../config.ts'
import { createHub } from '../hub.ts'
import type { Timings } from '../timings.ts'
import { createLineLog } from '../util/log.ts'

// A hub in a process of its own, for tests that kill it. Its only argument is JSON.
const [argument = '{}'] = process.argv.slice(2)
const { config, timings } = JSON.parse(argument) as { config: HubConfig; timings: Partial<Timings> }
const hub = createHub(config, { log: createLineLog(), timings })
process.on('SIGTERM', () => void hub.stop().then(() => process.exit(0)))
await hub.start()
