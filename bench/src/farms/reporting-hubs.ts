import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { connectPrintingHub, type FarmOfHubs } from './printing-farm.ts'

// Hubs whose printers all print and report each second, until SIGTERM: a process of their own, which measures nothing.
const [url = '', file = ''] = process.argv.slice(2)
const { hubs } = JSON.parse(readFileSync(file, 'utf8')) as FarmOfHubs
await using scope = new AsyncDisposableStack()
const ended = new Promise((resolve) => process.once('SIGTERM', resolve))
for (const { token, printerIds } of hubs) {
  await connectPrintingHub(scope, url, token, printerIds)
  // Their seconds do not begin together.
  await wait(1)
}
process.stdout.write(`${hubs.length} hubs report\n`)
await ended
