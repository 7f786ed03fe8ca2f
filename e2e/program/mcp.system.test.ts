import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { serveByHttp } from '@printyard/mcp/serve'
import { Printyard } from '@printyard/sdk'
import { createTestApp, type TestApp } from '@printyard/server/test/app/test-app'
import { readSlicedFile } from '@printyard/server/test/farm/sliced-file'
import { addSku } from '@printyard/server/test/farm/test-catalogue'
import { createTestFarm } from '@printyard/server/test/farm/test-farm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { commandLine } from '../test/command-line.ts'

let t: TestApp
beforeAll(async () => {
  t = await createTestApp()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
}, 60_000)
afterAll(async () => {
  await t?.close()
})

async function connect(apiKey: string): Promise<Client> {
  const client = new Client({ name: 'test-client', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandLine, 'mcp', '--url', t.app.listeningOrigin],
    env: { PATH: process.env.PATH ?? '', PRINTYARD_API_KEY: apiKey },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const texts = content.map((block) => (block.type === 'text' ? block.text : ''))
  return { isError: isError === true, text: texts[0] ?? '', data: texts[1] === undefined ? null : JSON.parse(texts[1]) }
}

test('an agent sees the tools of its scopes, looks, and acts in two steps that hold for exactly what was shown', async () => {
  const account = await t.account()
  const printyard = new Printyard({ baseUrl: t.app.listeningOrigin, apiKey: account.key })
  const file = await printyard.files.upload(new Uint8Array(await readSlicedFile()), {
    filename: 'bracket.gcode',
    name: 'Bracket',
  })

  const reader = await connect((await t.account({ scopes: ['read'] })).key)
  const { tools: readable } = await reader.listTools()
  expect(readable.length).toBe(13)
  expect(readable.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
  expect((await call(reader, 'farm_overview')).data).toMatchObject({ jobs: { queued: 0 } })
  await expect(reader.callTool({ name: 'queue_print', arguments: { print_file_id: file.id } })).rejects.toThrow(
    'queue_print',
  )

  const agent = await connect(account.key)
  const { tools } = await agent.listTools()
  expect(tools.length).toBe(20)
  expect(tools.find(({ name }) => name === 'cancel_job')?.annotations).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
  })
  for (const { name } of readable.filter(({ inputSchema }) => (inputSchema.required ?? []).length === 0)) {
    expect(await call(agent, name), name).toMatchObject({ isError: false })
  }
  expect((await call(agent, 'find_what_to_print', { search: 'brack' })).data.print_files).toHaveLength(1)

  const print = { print_file_id: file.id, number_of_units: 2 }
  const shown = await call(agent, 'queue_print', print)
  expect(shown).toMatchObject({ isError: false, text: expect.stringContaining('Nothing was done yet.') })
  expect((await printyard.jobs.list()).data).toEqual([])
  const token = { confirm_token: shown.data.confirm_token as string }

  expect(await call(agent, 'queue_print', { ...print, number_of_units: 200, ...token })).toMatchObject({
    isError: true,
    text: expect.stringContaining('other arguments'),
  })
  expect(await call(agent, 'queue_print', { ...print, confirm_token: 'guessed' })).toMatchObject({ isError: true })
  expect((await printyard.jobs.list()).data).toEqual([])

  const queued = await call(agent, 'queue_print', { ...print, ...token })
  expect(queued).toMatchObject({ isError: false, data: { status: 'queued', number_of_units: 2 } })
  expect(await call(agent, 'queue_print', { ...print, ...token })).toMatchObject({
    isError: true,
    text: expect.stringContaining('used already'),
  })
  expect((await printyard.jobs.list()).data).toHaveLength(1)

  const jobId = queued.data.id as string
  expect((await call(agent, 'why_job_waits', { job_id: jobId })).data).toMatchObject({ job_id: jobId })
  expect((await call(agent, 'job_details', { job_id: jobId })).data.job.id).toBe(jobId)
  const cancel = await call(agent, 'cancel_job', { job_id: jobId })
  await call(agent, 'cancel_job', { job_id: jobId, confirm_token: cancel.data.confirm_token })
  expect((await printyard.jobs.get(jobId)).status).toBe('cancelled')
  const audit = await t.db.sql<{ actor: string; data: { agent: string; tool: string; step: string } }[]>`
    select actor, data from events where account_id = ${account.id} and type = 'agent.used_tool' order by txid, id`
  const { id: keyId } = await printyard.key.get()
  expect(new Set(audit.map(({ actor, data }) => `${actor} ${data.agent}`))).toEqual(
    new Set([`key:${keyId} test-client/1.0.0`]),
  )
  const used = audit.map(({ data }) => `${data.tool} ${data.step}`)
  expect(used.filter((each) => each.startsWith('queue_print'))).toEqual([
    'queue_print dry_run',
    ...['queue_print act', 'queue_print act', 'queue_print act', 'queue_print act'],
  ])
  expect(used.slice(-4)).toEqual(['why_job_waits look', 'job_details look', 'cancel_job dry_run', 'cancel_job act'])
  expect(await call(agent, 'job_details', { job_id: 'job_unknown' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('NOT_FOUND'),
  })
}, 120_000)

test('every other tool that acts does so by its second call, and nothing by its first', async () => {
  const farm = await createTestFarm(t)
  const agent = await connect(farm.account.key)
  const commands = () => farm.hub.commands().map(({ kind }) => kind)
  async function act(name: string, args: Record<string, unknown>, before: () => Promise<unknown>) {
    const was = await before()
    const shown = await call(agent, name, args)
    expect(shown, name).toMatchObject({ isError: false, text: expect.stringContaining('Nothing was done yet.') })
    expect(await before(), name).toEqual(was)
    const done = await call(agent, name, { ...args, confirm_token: shown.data.confirm_token })
    expect(done.isError, `${name}: ${done.text}`).toBe(false)
    return { shown, done }
  }
  const told = async () => commands().length
  const shows = (status: string, id: string) => t.settled(async () => (await farm.job(id)).status === status)

  const jobId = await farm.queueJob()
  const attempt = await farm.print(jobId)
  const run = { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id }
  await act('pause_job', { job_id: jobId }, told)
  expect(commands().at(-1)).toBe('pause')
  farm.hub.telemetry(farm.printerId, { status: 'paused', progress: 12, run })
  await shows('paused', jobId)
  await act('resume_job', { job_id: jobId }, told)
  expect(commands().at(-1)).toBe('resume')
  farm.hub.telemetry(farm.printerId, { status: 'printing', progress: 13, run })
  await shows('printing', jobId)
  await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'failed' })
  await shows('failed', jobId)
  await act('retry_job', { job_id: jobId }, async () => (await farm.job(jobId)).status)
  await shows('queued', jobId)

  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  const plate = async () => {
    const printer = (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
    return printer.plate_state
  }
  const before = await plate()
  await act('clear_plate', { printer_id: farm.printerId }, plate)
  expect([before, await plate()]).toEqual([expect.not.stringMatching(/^clear$/), 'clear'])

  const sku = await addSku(farm.account)
  const recipe = { product_sku_id: sku.id, print_file_id: farm.fileId, units_per_plate: 3 }
  expect((await farm.account.request('POST', '/recipes', recipe)).statusCode).toBe(201)
  const items = [{ product_sku_id: sku.id, quantity: 5, unit_price: 100 }]
  const order = (await farm.account.request('POST', '/orders', { customer_name: 'Kim', items })).json().data
  const ofSku = async () => {
    const { data } = (await farm.account.request('GET', '/jobs?limit=100')).json()
    return data.filter((job: { product_sku_id: string | null }) => job.product_sku_id === sku.id).length
  }
  const { shown } = await act('produce_orders', { order_ids: [order.id] }, ofSku)
  expect(JSON.stringify(shown.data.dry_run)).toContain(sku.id)
  expect(await ofSku()).toBeGreaterThan(0)
}, 120_000)

/** The status of a request whose target and headers are sent as they are given; undefined when the connection broke. */
function statusOf(url: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const asked = request({ hostname, port, path, method: 'POST', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', () => resolve(undefined))
    asked.end('{}')
  })
}

test('by HTTP it serves clients of this machine, each by its own key, and no page of a browser reaches it or stops it', async () => {
  const account = await t.account()
  const served = await serveByHttp({ url: t.app.listeningOrigin, port: 0 })
  onTestFinished(() => served.close())
  const authorization = `Bearer ${account.key}`
  const ours = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

  expect(await statusOf(served.url, '/mcp', { ...ours, authorization: `${authorization}0` })).toBe(401)
  expect(await statusOf(served.url, '/mcp', { ...ours, origin: 'https://elsewhere.example' })).toBe(403)
  expect(await statusOf(served.url, '/mcp', { ...ours, host: 'elsewhere.example' })).toBe(403)
  // Anyone can have a browser send these, without a key: what is no path must not end the process.
  for (const path of ['/', '//', '///x', '/mcp/..', '/other', 'http://[/']) {
    expect(await statusOf(served.url, path, {}), path).toBe(404)
  }

  async function connectByHttp(key: string): Promise<Client> {
    const client = new Client({ name: 'test-client', version: '1.0.0' })
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit }))
    onTestFinished(() => client.close())
    return client
  }
  const client = await connectByHttp(account.key)
  expect((await call(client, 'farm_overview')).data).toMatchObject({ jobs: { queued: 0 } })
  expect((await client.listTools()).tools).toHaveLength(20)
  // Another key beside it sees its own farm, and what it may do there.
  const readerKey = (await t.account({ scopes: ['read'], name: 'Other' })).key
  const reader = await connectByHttp(readerKey)
  expect((await reader.listTools()).tools).toHaveLength(13)
  await expect(connectByHttp(`${readerKey}x`)).rejects.toThrow()

  const noted = await t.db.sql<{ n: number }[]>`
    select count(*)::int as n from events where account_id = ${account.id} and type = 'agent.used_tool'`
  expect(noted).toEqual([{ n: 1 }])
}, 60_000)
