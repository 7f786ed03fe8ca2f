import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Printyard } from '../src/client.ts'
import { printResources } from './generate-resources.ts'
import { listGenerated, printSdk, sources } from './generate-sdk.ts'
import { listOperations, readDescription } from './read-description.ts'

test('the generated files are those of the API description as it is: run packages/sdk/generator/generate-sdk.ts', async () => {
  const printed = await printSdk()
  expect(listGenerated()).toEqual([...printed.keys()].sort())
  for (const [file, text] of printed) expect(readFileSync(join(sources, file), 'utf8') === text, file).toBe(true)
}, 60_000)

test('every operation of the API has a method of the client that bears its ID', () => {
  const client: unknown = new Printyard({ baseUrl: 'http://127.0.0.1:1', apiKey: 'none' })
  const description = readDescription()
  const { methods } = printResources(description)
  const operations = listOperations(description)
  expect(operations.length).toBeGreaterThan(200)
  for (const { operationId } of operations) {
    const method = methods.get(operationId)?.split('.').reduce(fieldOf, client)
    expect(method, operationId).toBeTypeOf('function')
  }
  expect(new Set(methods.values()).size).toBe(operations.length)
})

const fieldOf = (thing: unknown, name: string): unknown => (thing as Record<string, unknown>)[name]

test.each([
  ['startJob', 'jobs.start'],
  ['enqueueJobs', 'jobs.enqueueBulk'],
  ['getPrinterStatus', 'printers.getStatus'],
  ['listLivePrinters', 'printers.listLive'],
  ['consumeSpool', 'materials.filament.consume'],
  ['getSkusBom', 'skus.getBom'],
  ['listTasks', 'worklist.list'],
  ['uploadFile', 'files.uploadContent'],
])('%s is client.%s', (operationId, method) => {
  expect(printResources(readDescription()).methods.get(operationId)).toBe(method)
})

test('commands to machines are marked, so that none is sent again by itself', () => {
  const { files } = printResources(readDescription())
  expect(files.get('jobs.generated.ts')).toMatch(/start`, json: body, isCommand: true/)
  expect(files.get('printers.generated.ts')).toMatch(/control`, json: body, isCommand: true/)
  expect(files.get('jobs.generated.ts')).toMatch(/path: '\/public\/v1\/jobs', json: body, options/)
})
