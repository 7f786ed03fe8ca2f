import { readFileSync } from 'node:fs'
import { connectPrintingHub, type FarmOfHubs } from './printing-farm.ts'

// Hubs that connect at once and whose printers all print and report each second, until SIGTERM: a process of their own, which measures nothing.
const [url = '', file = ''] = process.argv.slice(2)
const { hubs } = JSON.parse(readFileSync(file, 'utf8')) as FarmOfHubs
await using scope = new AsyncDisposableStack()
const ended = new Promise((resolve) => process.once('SIGTERM', resolve))
process.stdout.write(`${hubs.length} hubs connect\n`)
await Promise.all(hubs.map(({ token, printerIds }) => connectPrintingHub(scope, url, token, printerIds)))
process.stdout.write(`${hubs.length} hubs report\n`)
await ended
