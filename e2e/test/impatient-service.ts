import { once } from 'node:events'
import { readConfig } from '@printyard/server/kernel/config'
import { makeLog, startService } from '@printyard/server/service'

// The service as `printyard serve` runs it, but that it waits 10 s, not 30, for what a hub says of a command.

const config = readConfig(process.env)
const service = await startService(config, makeLog(config), { commandMs: 10_000, startMs: 60_000 })
process.stdout.write(`Printyard is ready at ${service.url}\n`)
await once(process, 'SIGTERM')
await service.stop()
