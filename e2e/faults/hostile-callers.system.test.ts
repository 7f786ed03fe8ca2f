import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildZip } from '@printyard/print-files/test/build-zip'
import { sampleOf } from '@printyard/protocol/test/sample'
import { CONNECT_PATH, PROTOCOL_VERSION, SUBPROTOCOL } from '@printyard/protocol/version'
import { type AccountId, newId } from '@printyard/server/kernel/ids'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { insertAccount } from '@printyard/server/modules/people/accounts/accounts.queries'
import { createApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { drawHugePng } from '@printyard/server/test/farm/test-images'
import { createTestDatabase, type TestDatabase } from '@printyard/server/test/run/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type FarmProcess, makeFarmFolder, startServiceProcess } from '../test/farm-processes.ts'
import { type LatencyWatch, watchLatency } from './test/latency-watch.ts'

/** Longest that any request or frame of one account may hold up the probe, or a read or change of another account. */
const mostMs = 250

/** A busy machine holds up now and then; what the service causes it causes each time. */
const tries = 4

type Measured = Awaited<ReturnType<LatencyWatch['take']>>

let folder: Awaited<ReturnType<typeof makeFarmFolder>>
let db: TestDatabase
let service: FarmProcess & { url: string; port: number }
let watch: LatencyWatch
let hostile: { id: AccountId; key: string; readKey: string; hubToken: string; printerIds: string[] }

beforeAll(async () => {
  folder = await makeFarmFolder()
  db = await createTestDatabase()
  service = await startServiceProcess(join(folder.path, 'data'), {
    settings: { DATABASE_URL: db.url, PRINTYARD_LOG_LEVEL: 'error' },
  })
  hostile = await makeHostile()
  const { key } = await makeAccount('Victim')
  const headers = { authorization: `Bearer ${key}` }
  const product = await call(key, 'POST', '/products', JSON.stringify({ name: 'Hook' }))
  watch = watchLatency([
    { name: 'livez', url: `${service.url}/livez` },
    { name: 'read', url: `${service.url}/public/v1/products`, headers },
    {
      name: 'write',
      url: `${service.url}/public/v1/products/${idOf(product)}`,
      headers,
      change: { description: 'Of steel' },
    },
  ])
}, 120_000)
afterAll(async () => {
  await watch?.stop()
  await service?.stop()
  await db?.close()
  await folder?.remove()
}, 30_000)

async function makeAccount(name: string) {
  const id = newId('account')
  await insertAccount(db.sql, { id, name, time_zone: 'UTC' })
  return { id, key: await makeKey(id, ['read', 'write', 'control']), readKey: await makeKey(id, ['read']) }
}

async function makeKey(accountId: AccountId, scopes: ('read' | 'write' | 'control')[]): Promise<string> {
  return (await createApiKey(systemWork(db.sql, accountId), { name: 'hostile', scopes, expiresAt: null })).key
}

async function makeHostile() {
  const { id, key, readKey } = await makeAccount('Hostile')
  const hub = await createHubWithToken(systemWork(db.sql, id), 'Hub')
  const printerIds: string[] = []
  for (let number = 0; number < 500; number += 1) {
    const printer = { name: `P${number}`, model: 'MK4S', hub_id: hub.id, connection_type: 'virtual', auto_start: true }
    const answer = await call(key, 'POST', '/printers', JSON.stringify(printer))
    printerIds.push(idOf(answer))
  }
  return { id, key, readKey, hubToken: hub.token, printerIds }
}

interface Answer {
  status: number
  bytes: number
  /** Undefined for what is no JSON. */
  body: { data?: { id: string; token: string; upload_url: string } } | undefined
}

async function call(
  key: string | null,
  method: string,
  path: string,
  body?: string | FormData,
  type = 'application/json',
) {
  const answer = await fetch(`${service.url}${path.startsWith('/app/') ? '' : '/public/v1'}${path}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && type !== '' && { 'content-type': type }),
      'sec-fetch-site': 'same-origin',
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  // As the envelope is; what a refused request has no part of is never read.
  return { status: answer.status, bytes: text.length, body: isJson ? JSON.parse(text) : undefined } as Answer
}

const idOf = ({ body }: Answer) => body?.data?.id ?? ''

/** A body of nearly a megabyte, the most that a key may send. */
const fill = (piece: string, bytes = 1_000_000) => Array(Math.floor(bytes / (piece.length + 1))).fill(piece)
const list = (field: string, piece: string) => `{"${field}":[${fill(piece).join(',')}]}`
const long = 'x'.repeat(1_000_000)

async function uploadAndAdd(content: Buffer, filename: string): Promise<Answer> {
  const made = await call(hostile.key, 'POST', '/files/upload-url', JSON.stringify({ filename }))
  const { upload_url = '', token } = made.body?.data ?? {}
  await fetch(upload_url, { method: 'PUT', body: new Uint8Array(content) })
  return call(hostile.key, 'POST', '/files', JSON.stringify({ upload_token: token }))
}

/** A `.3mf` whose model has a million attributes, small on the line. */
function attributesBomb(): Buffer {
  const attributes = Array.from({ length: 1_100_000 }, (_, n) => `a${n}="1"`).join(' ')
  const model = `<?xml version="1.0"?><model ${attributes}/>`
  return buildZip([
    { name: '3D/3dmodel.model', bytes: Buffer.from(model) },
    { name: 'Metadata/slice_info.config', bytes: Buffer.from(`<config ${attributes}/>`) },
  ])
}

/** Connects as the hub of the hostile account, and says hello. */
async function connectHub(): Promise<WebSocket> {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}${CONNECT_PATH}`, SUBPROTOCOL, {
    headers: { authorization: `Bearer ${hostile.hubToken}` },
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const welcome = new Promise((resolve) => socket.once('message', resolve))
  const hello = { protocol_version: PROTOCOL_VERSION, agent_version: '1', hardware_version: 'x', journal_position: 0 }
  socket.send(frame('hello', { ...hello, printers: [], open_attempts: [] }))
  await welcome
  return socket
}

let frames = 0
const frame = (type: string, body: object) =>
  JSON.stringify({ type, id: `f${++frames}`, ts: new Date().toISOString(), ...body })

/** All printers at once, of another status than before. */
function flip(round: number): string {
  const status = ['idle', 'error', 'printing', 'offline'][round % 4]
  const run = status === 'printing' ? { file_name: `f${round}.gcode`, job_id: `j${round}`, attempt_id: null } : null
  const state = { status, status_reason: `round ${round}`, run, last_result: null, nozzle_temp: round % 250 }
  return frame('telemetry', {
    printers: hostile.printerIds.map((printer_id) => ({ printer_id, full: round === 0, state })),
  })
}

async function sendFor(ms: number, make: (round: number) => string): Promise<void> {
  const socket = await connectHub()
  const endsAt = performance.now() + ms
  for (let round = 0; performance.now() < endsAt; round += 1) {
    if (socket.readyState !== socket.OPEN) break
    // Twenty seconds of what the budget of a connection allows, at most: what is not read waits here.
    if (socket.bufferedAmount < 40_000_000) socket.send(make(round))
    if (round % 20 === 0) await wait(5)
  }
  socket.terminate()
}

const fillRows = (row: (number: number) => string) => Array.from({ length: 10_000 }, (_, number) => row(number))
const importOf = (rows: string[]) =>
  call(hostile.key, 'POST', '/orders/import?currency=EUR', rows.join('\n'), 'text/csv')

/** What is sent, by what it tries. */
const attacks: Record<string, () => Promise<unknown>> = {
  '260,000 items in a list, with a read key': () =>
    call(hostile.readKey, 'POST', '/materials/components/check-availability', list('items', '{}')),
  'a list of jobs of a megabyte': () => call(hostile.key, 'POST', '/jobs/bulk', list('jobs', '{"x":1}')),
  'a list of order lines of a megabyte': () => call(hostile.key, 'POST', '/orders', list('items', '[]')),
  'a hundred jobs of which all is wrong': () =>
    call(
      hostile.key,
      'POST',
      '/jobs/bulk',
      JSON.stringify({ jobs: Array(100).fill({ color: 5, priority: long.slice(0, 9_000) }) }),
    ),
  'an article of a megabyte': () =>
    call(
      hostile.key,
      'POST',
      '/wiki',
      JSON.stringify({ title: 'T', sections: Array(900).fill({ type: 'note', content: 'y'.repeat(1_000) }) }),
    ),
  'a text of a megabyte': () => call(hostile.key, 'POST', '/worklist', `{"title":"${long}","task_type":"collection"}`),
  'half a million levels': () => call(hostile.key, 'POST', '/worklist', '['.repeat(500_000)),
  '100,000 unknown fields': () =>
    call(hostile.key, 'POST', '/worklist', `{${Array.from({ length: 80_000 }, (_, n) => `"f${n}":1`).join(',')}}`),
  'numbers of a thousand digits': () =>
    call(hostile.key, 'POST', '/orders', `{"items":[${fill('1'.repeat(1_000)).join(',')}]}`),
  'escapes of a megabyte': () => call(hostile.key, 'POST', '/worklist', `{"title":"${'\\u0000'.repeat(160_000)}"}`),
  'a megabyte to sign in': () => call(null, 'POST', '/app/v1/sign-in', `{"email":"a@b.c","password":"${long}"}`),
  'an e-mail address that is slow to judge': () =>
    call(null, 'POST', '/app/v1/sign-in', JSON.stringify({ email: `${'a@'.repeat(5_000)}`, password: 'x' })),
  'a file name that is slow to judge': () =>
    call(hostile.key, 'POST', '/files/upload-url', JSON.stringify({ filename: `${'.gcode'.repeat(40_000)} ` })),
  'a search that is slow to judge': () => call(hostile.readKey, 'GET', `/printers?search=${'%25_'.repeat(30)}`),
  'a cursor of nothing': () => call(hostile.readKey, 'GET', `/jobs?cursor=${'A'.repeat(1_400)}`),
  'fifty descriptions of the API at once': () =>
    Promise.all(Array.from({ length: 50 }, () => call(null, 'GET', '/openapi.json'))),
  'two hundred wrong keys at once': () =>
    Promise.all(Array.from({ length: 200 }, (_, n) => call(`printyard_live_${n}`, 'GET', '/jobs'))),
  'a hundred lists at once': () =>
    Promise.all(Array.from({ length: 100 }, () => call(hostile.readKey, 'GET', '/printers?limit=100'))),
  'a hundred analyses at once': () =>
    Promise.all(Array.from({ length: 100 }, () => call(hostile.readKey, 'GET', '/analytics/idle'))),
  'a thousand tasks at once, by ten keys': async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => makeKey(hostile.id, ['write'])))
    const body = JSON.stringify({ title: 'Sweep', task_type: 'maintenance' })
    await Promise.all(keys.flatMap((key) => Array.from({ length: 100 }, () => call(key, 'POST', '/worklist', body))))
  },
  'fifty searches for what waits': () =>
    Promise.all(Array.from({ length: 50 }, () => call(hostile.readKey, 'GET', '/jobs/queue?limit=100'))),
  'three files of 4,000 orders at once': () =>
    Promise.all(
      Array.from({ length: 3 }, (_, n) =>
        importOf([
          'order_number,sku,quantity,unit_price',
          ...fillRows((row) => `${n}-${row},NONE-${row},1,1.00`).slice(0, 4_000),
        ]),
      ),
    ),
  'an import of 10 MB in which all is wrong': () =>
    importOf([
      'order_number,sku,quantity,unit_price,order_date,customer_email,notes',
      ...fillRows((row) => `,,-${row},x,never,no one,${'z'.repeat(950)}`),
    ]),
  'an import whose one cell has no end': () => importOf([`sku,"${long}${long}`]),
  'a hundred looks at what must be printed': () =>
    Promise.all(
      ['needs', 'shelf', 'unwanted', 'needs'].flatMap((list) =>
        Array.from({ length: 25 }, () => call(hostile.readKey, 'GET', `/production/${list}`)),
      ),
    ),
  'fifty new webhooks and their tests at once': () =>
    Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const body = JSON.stringify({ url: `https://no-${n}.invalid/` })
        const made = await call(hostile.key, 'POST', '/webhooks', body)
        return call(hostile.key, 'POST', `/webhooks/${idOf(made) || 'none'}/test`)
      }),
    ),
  'a form of 20,000 parts': async () => {
    const product = await call(hostile.key, 'POST', '/products', JSON.stringify({ name: crypto.randomUUID() }))
    const part = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n'
    const form = `${part.repeat(20_000)}--b--\r\n`
    return call(hostile.key, 'POST', `/products/${idOf(product)}/images`, form, 'multipart/form-data; boundary=b')
  },
  'an image of 900 million pixels': async () => {
    const product = await call(hostile.key, 'POST', '/products', JSON.stringify({ name: crypto.randomUUID() }))
    const form = new FormData()
    form.append('image', new Blob([new Uint8Array(drawHugePng(30_000, 30_000, 30_000))]), 'huge.png')
    return call(hostile.key, 'POST', `/products/${idOf(product)}/images`, form, '')
  },
  'a million attributes in an archive': () => uploadAndAdd(attributesBomb(), 'bomb.3mf'),
  'an archive that swells': () =>
    uploadAndAdd(buildZip([{ name: 'Metadata/plate_1.gcode', bytes: Buffer.alloc(300_000_000) }]), 'swell.3mf'),
  'a line of 50 MB': () => uploadAndAdd(Buffer.alloc(50_000_000, ';'), 'line.gcode'),
  'a frame of 256 KiB of nothing': () => sendFor(500, () => frame('telemetry', { printers: fill('{}', 200_000) })),
  'a frame of 100,000 levels': () => sendFor(500, () => `{"type":"telemetry","x":${'['.repeat(100_000)}`),
  'log lines without end': () =>
    sendFor(2_000, () => frame('log', { level: 'error', printer_id: null, message: 'z'.repeat(900) })),
  'candidates without end': () =>
    sendFor(1_000, () => {
      const one = {
        connection_type: 'virtual',
        name: 'V',
        model: null,
        address: null,
        serial: null,
        evidence: 'configured',
      }
      return frame('discovered', { candidates: Array(500).fill(one) })
    }),
  'the status of 500 printers without end': () => sendFor(4_000, flip),
}

/** Longest times in ms that a machine with a core for everyone would have taken. */
const worstOf = ({ latencies, slowdown }: Measured) =>
  Object.fromEntries(Object.entries(latencies).map(([name, { worstMs }]) => [name, Math.round(worstMs / slowdown)]))

test.each(sampleOf(Object.entries(attacks), 6))(
  '%s holds up neither the probe nor another account',
  async (name, attack) => {
    const seen: Record<string, number>[] = []
    let refused = 0
    for (let count = 0; count < tries; count += 1) {
      await watch.take()
      await attack()
      await wait(50)
      const measured = await watch.take()
      seen.push({ ...worstOf(measured), slowdown: measured.slowdown })
      refused = Object.values(measured.latencies).reduce((sum, each) => sum + each.refused, 0)
      if (refused === 0 && Object.values(worstOf(measured)).every((worstMs) => worstMs < mostMs)) break
      // What is still under way is no part of the next try.
      await wait(500)
    }
    process.stdout.write(`${name}: ${JSON.stringify(seen)}\n`)
    expect(refused).toBe(0)
    for (const each of ['livez', 'read', 'write']) {
      expect(Math.min(...seen.map((worst) => worst[each] ?? Number.POSITIVE_INFINITY))).toBeLessThan(mostMs)
    }
  },
  120_000,
)

const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024

test.runIf(process.platform === 'linux')(
  'a hub that flips the status of its printers costs little memory',
  async () => {
    const before = residentMb()
    await sendFor(4_000, flip)
    const after = residentMb()
    process.stdout.write(`resident before ${before.toFixed(0)} MB, after ${after.toFixed(0)} MB\n`)
    expect(after - before).toBeLessThan(150)
  },
  60_000,
)
