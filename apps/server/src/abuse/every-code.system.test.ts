import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLocalFileStore } from '../file-store/local-file-store.ts'
import type { Scope } from '../kernel/actor.ts'
import { catalogue, type ErrorCode } from '../kernel/errors.ts'
import type { PrinterId } from '../kernel/ids.ts'
import { createHubWithToken } from '../modules/hubs/hubs.service.ts'
import { createApiKey, revokeApiKey } from '../modules/people/api-keys/api-keys.service.ts'
import { inlineResponses } from '../test/app/inline-responses.ts'
import { systemWork } from '../test/app/system-work.ts'
import { createTestApp, type TestAccount, type TestApp } from '../test/app/test-app.ts'
import { addTestFile, readSlicedFile, upload } from '../test/farm/sliced-file.ts'
import { addProduct, addSku, itemOf } from '../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../test/farm/test-farm.ts'
import { drawImage, encodeForm } from '../test/farm/test-images.ts'
import { type ApiDocument, type GivenAnswer, listOperations, makeAnswerCheck } from './described-api.ts'

/** An answer as it came over the wire. */
interface Answer extends GivenAnswer {
  /** The body, whatever it is. */
  json: { success?: boolean; error?: { code: string; message: string; details?: unknown } }
}

interface Provoked {
  /** The operation that must declare the code, as the API description names it. */
  at: string
  send: () => Promise<Answer>
}

/** A code that no described operation answers, and why. It is provoked anyway. */
interface Elsewhere {
  because: string
  send: () => Promise<Answer>
}

/** A code that no request with a key can meet: it is answered to people. Says which test provokes it. */
interface ForPeople {
  because: string
  testedIn: string
}

let t: TestApp
let farm: TestFarm
let account: TestAccount
let url: string
/** Another service, that may be damaged: each code that needs damage has its own part of it. */
let frail: TestApp
let frailAccount: TestAccount
let frailUrl: string
let check: ReturnType<typeof makeAnswerCheck>
let document: ApiDocument
let sliced: Buffer

beforeAll(async () => {
  // Nothing here waits for a time-out: a hub that is silent is made to speak by the test.
  t = await createTestApp({ context: { timeouts: { commandMs: 60_000, startMs: 60_000 } } })
  farm = await createTestFarm(t)
  account = farm.account
  url = t.app.listeningOrigin
  frail = await createTestApp()
  frailAccount = await frail.account()
  frailUrl = await frail.app.listen({ host: '127.0.0.1', port: 0 })
  document = inlineResponses(t.app.swagger() as unknown as ApiDocument)
  check = makeAnswerCheck(document)
  sliced = await readSlicedFile()
})
afterAll(async () => {
  await farm?.hub.close()
  await t?.close()
  await frail?.close()
})

interface Sent {
  headers?: Record<string, string>
  key?: string | null
  base?: string
}

/** Sends a request over a real connection, by default with the key of the farm; an object becomes JSON. */
async function call(method: string, path: string, body?: object | string, sent: Sent = {}): Promise<Answer> {
  const { headers = {}, key = account.key, base = url } = sent
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
  const answer = await fetch(`${base}${path.startsWith('/hub/') ? '' : '/public/v1'}${path}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(!isRaw && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    signal: AbortSignal.timeout(25_000),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text,
    json: JSON.parse(text) as Answer['json'],
  }
}

/** A thing that a code needs to be there; answers its data. */
async function made(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const answer = await account.request(method, path, body)
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.body}`)
  return answer.json().data
}

async function keyWith({ scopes = ['read'] as Scope[], expiresAt = null as Date | null } = {}) {
  const input = { name: 'special', scopes, expiresAt }
  return createApiKey(systemWork(t.db.sql, account.id), input)
}

async function printerOn(hubId: string | null): Promise<PrinterId> {
  const name = `Printer ${crypto.randomUUID()}`
  const printer = { name, model: 'MK4S', connection_type: 'virtual', ...(hubId !== null && { hub_id: hubId }) }
  return (await made('POST', '/printers', printer)).id
}

/** A queued job; null leaves it without a printer. */
async function queued(printerId: string | null): Promise<string> {
  const body = { print_file_id: farm.fileId, ...(printerId !== null && { printer_id: printerId }) }
  return (await made('POST', '/jobs', body)).id
}

/** A job that is paused on its printer; one at a time, so it is stopped by `finish`. */
async function paused(): Promise<{ jobId: string; finish: () => Promise<void> }> {
  const jobId = await farm.queueJob()
  await farm.print(jobId)
  await made('POST', `/jobs/${jobId}/pause`)
  return {
    jobId,
    async finish() {
      farm.hub.onCommand(() => ({ ok: true }))
      await made('POST', `/jobs/${jobId}/stop`)
      farm.hub.telemetry(farm.printerId, { status: 'idle' })
      await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
      await made('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
    },
  }
}

async function orderOf(...quantities: number[]) {
  const sku = await addSku(account)
  const items = quantities.map((quantity) => ({ product_sku_id: sku.id, quantity, unit_price: 100 }))
  const order = await made('POST', '/orders', { items })
  const item = await itemOf(account, sku)
  return {
    order,
    stock: (adjustment: number) => made('POST', `/inventory/${item.id}/adjust`, { adjustment, reason: 'manual' }),
  }
}

const newJob = (fields: object) => () => call('POST', '/jobs', { print_file_id: farm.fileId, ...fields })

async function twice(path: string, body: object): Promise<Answer> {
  await made('POST', path, body)
  return call('POST', path, body)
}

/** How each code of the catalogue is met. A new code fails here, and in the types, until it is added. */
const codes: Record<ErrorCode, Provoked | Elsewhere | ForPeople> = {
  VALIDATION_ERROR: { at: 'POST /public/v1/jobs', send: () => call('POST', '/jobs', {}) },
  NOT_FOUND: { at: 'GET /public/v1/jobs/{id}', send: () => call('GET', '/jobs/job_none') },
  METHOD_NOT_ALLOWED: {
    because: 'it is the answer where there is no operation',
    send: () => call('PUT', '/jobs', {}),
  },
  PAYLOAD_TOO_LARGE: {
    at: 'POST /public/v1/jobs',
    send: () => call('POST', '/jobs', { color: 'x'.repeat(1024 * 1024) }),
  },
  URI_TOO_LONG: {
    because: 'it is the answer before any operation is looked for',
    send: () => call('GET', `/jobs?cursor=${'x'.repeat(9_000)}`),
  },
  HEADERS_TOO_LARGE: {
    because: 'it is the answer before any operation is looked at',
    send: () => call('GET', '/jobs', undefined, { headers: { 'x-note': 'x'.repeat(20_000) } }),
  },
  UNSUPPORTED_MEDIA_TYPE: {
    at: 'POST /public/v1/jobs',
    send: () => call('POST', '/jobs', 'print_file_id=1', { headers: { 'content-type': 'text/csv' } }),
  },

  UNAUTHORIZED: { at: 'GET /public/v1/jobs', send: () => call('GET', '/jobs', undefined, { key: null }) },
  TOKEN_INVALID: { at: 'GET /public/v1/jobs', send: () => call('GET', '/jobs', undefined, { key: 'nothing' }) },
  TOKEN_REVOKED: {
    at: 'GET /public/v1/jobs',
    async send() {
      const { id, key } = await keyWith()
      await t.db.begin((sql) => revokeApiKey(systemWork(sql, account.id), id))
      return call('GET', '/jobs', undefined, { key })
    },
  },
  TOKEN_EXPIRED: {
    at: 'GET /public/v1/jobs',
    send: async () => call('GET', '/jobs', undefined, await keyWith({ expiresAt: new Date(Date.now() - 1000) })),
  },
  INSUFFICIENT_SCOPE: {
    at: 'POST /public/v1/jobs',
    send: async () => call('POST', '/jobs', {}, await keyWith({ scopes: ['read', 'control'] })),
  },
  RATE_LIMITED: {
    at: 'POST /hub/v1/join',
    async send() {
      for (let tries = 0; tries < 100; tries++) {
        const answer = await call('POST', '/hub/v1/join', { code: 'ABCD-EFGH' }, { base: frailUrl })
        if (answer.status === 429) return answer
      }
      throw new Error('joining was never limited')
    },
  },

  IDEMPOTENCY_KEY_REUSED: {
    at: 'POST /public/v1/worklist',
    async send() {
      const headers = { 'idempotency-key': 'reused' }
      await call('POST', '/worklist', { title: 'One', task_type: 'collection' }, { headers })
      return call('POST', '/worklist', { title: 'Two', task_type: 'collection' }, { headers })
    },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    at: 'POST /public/v1/jobs/{id}/resume',
    async send() {
      const { jobId, finish } = await paused()
      farm.hub.onCommand(() => undefined)
      const resume = () =>
        call('POST', `/jobs/${jobId}/resume`, undefined, { headers: { 'idempotency-key': 'running' } })
      const first = resume()
      const { command_id } = await farm.hub.waitFor('command', (command) => command.kind === 'resume')
      const second = await resume()
      farm.hub.send('result', { command_id, printer_id: farm.printerId, ok: true, code: null, message: null })
      await first
      await finish()
      return second
    },
  },

  FILE_NOT_FOUND: { at: 'POST /public/v1/jobs', send: newJob({ print_file_id: 'fil_none' }) },
  PRINTER_NOT_FOUND: { at: 'POST /public/v1/jobs', send: newJob({ printer_id: 'prn_none' }) },
  PRODUCT_NOT_FOUND: { at: 'POST /public/v1/jobs', send: newJob({ product_id: 'prd_none' }) },
  SKU_NOT_FOUND: { at: 'POST /public/v1/jobs', send: newJob({ product_sku_id: 'sku_none' }) },
  HUB_NOT_FOUND: {
    at: 'POST /public/v1/printers',
    send: () =>
      call('POST', '/printers', { name: 'New', model: 'MK4S', connection_type: 'virtual', hub_id: 'hub_none' }),
  },
  FINISHED_GOOD_NOT_FOUND: {
    at: 'POST /public/v1/assembly',
    send: () => call('POST', '/assembly', { finished_good_id: 'inv_none' }),
  },
  USER_NOT_FOUND: {
    at: 'POST /public/v1/worklist',
    send: () => call('POST', '/worklist', { title: 'Sweep', task_type: 'maintenance', assigned_to: 'usr_none' }),
  },

  FILE_NOT_UPLOADED: {
    at: 'POST /public/v1/files',
    async send() {
      const { token } = await made('POST', '/files/upload-url', { filename: 'clip.gcode' })
      return call('POST', '/files', { upload_token: token })
    },
  },
  INVALID_FILE: {
    at: 'POST /public/v1/files',
    send: async () =>
      call('POST', '/files', { upload_token: await upload(t, account, Buffer.alloc(500, 7), 'clip.gcode.3mf') }),
  },
  FILE_NOT_SLICED: {
    at: 'POST /public/v1/jobs',
    async send() {
      const file = await addTestFile(t, account, sliced)
      await t.db.sql`
        update print_file_versions set is_sliced = false where account_id = ${account.id} and print_file_id = ${file.id}`
      return call('POST', '/jobs', { print_file_id: file.id })
    },
  },
  UPLOAD_TOKEN_INVALID: {
    at: 'PUT /public/v1/files/upload/{token}',
    send: () => call('PUT', `/files/upload/${'x'.repeat(43)}`, 'bytes', { key: null }),
  },
  UPLOAD_INCOMPLETE: {
    at: 'PUT /public/v1/files/upload/{token}',
    async send() {
      const { token } = await made('POST', '/files/upload-url', { filename: 'clip.gcode', size_bytes: 1000 })
      return call('PUT', `/files/upload/${token}`, 'too little', { key: null })
    },
  },
  QUOTA_EXCEEDED: {
    at: 'POST /public/v1/colors',
    async send() {
      const few = await createTestApp({ config: { quotas: { ...t.context.config.quotas, colors: 0 } } })
      try {
        const base = await few.app.listen({ host: '127.0.0.1', port: 0 })
        const { key } = await few.account()
        return await call('POST', '/colors', { color_name: 'Red', hex_code: '#FF0000' }, { key, base })
      } finally {
        await few.close()
      }
    },
  },
  PRECONDITION_FAILED: {
    at: 'PATCH /public/v1/printers/{id}',
    send: () =>
      call('PATCH', `/printers/${farm.printerId}`, { location: 'Hall 2' }, { headers: { 'if-match': '"old"' } }),
  },
  SESSION_EXPIRED: {
    because: 'only people have sessions',
    testedIn: '../modules/people/sign-in/sessions.routes.system.test.ts',
  },
  INVALID_CREDENTIALS: {
    because: 'only people sign in',
    testedIn: '../modules/people/sign-in/sign-in.routes.system.test.ts',
  },
  CODE_REQUIRED: {
    because: 'only people sign in',
    testedIn: '../modules/people/sign-in/sign-in.routes.system.test.ts',
  },
  CODE_INVALID: {
    because: 'only people sign in',
    testedIn: '../modules/people/sign-in/sign-in.routes.system.test.ts',
  },
  PROOF_REQUIRED: {
    because: 'people show to be there before what could take an account over',
    testedIn: '../modules/people/sign-in/proof.system.test.ts',
  },
  SECOND_FACTOR_REQUIRED: {
    because: 'an account may ask its members for a second factor',
    testedIn: '../modules/people/sign-in/proof.system.test.ts',
  },
  PASSKEY_INVALID: {
    because: 'people sign in by passkeys',
    testedIn: '../modules/people/sign-in/passkeys.system.test.ts',
  },
  ORIGIN_REFUSED: {
    because: 'only browsers send a cookie by themselves',
    testedIn: '../modules/people/sign-in/sessions.routes.system.test.ts',
  },
  HOST_REFUSED: {
    because: 'only browsers are asked for their name',
    testedIn: '../http/spine.system.test.ts',
  },
  HTTPS_REQUIRED: {
    because: 'it is the answer in plain text of a service that has a certificate',
    testedIn: '../tls/one-port.system.test.ts',
  },
  SETUP_CODE_INVALID: {
    because: 'it is answered before there is a key',
    testedIn: '../modules/people/sign-in/set-up.system.test.ts',
  },
  ALREADY_SET_UP: {
    because: 'only people set a service up',
    testedIn: '../modules/people/sign-in/set-up.system.test.ts',
  },
  NOT_OPERATOR: {
    because: 'only people look after the whole service',
    testedIn: '../modules/backups/backups.routes.system.test.ts',
  },
  BACKUP_RUNNING: {
    because: 'only people look after the whole service',
    testedIn: '../modules/backups/backups.routes.system.test.ts',
  },
  EXPORT_RUNNING: {
    because: 'only owners take an account along',
    testedIn: '../modules/account-data/download/download.system.test.ts',
  },
  EVENTS_REMOVED: {
    at: 'GET /public/v1/events',
    // Of the first millisecond of 1970.
    send: () => call('GET', `/events?after=evt_${'0'.repeat(26)}`),
  },
  STREAM_LIMIT_REACHED: {
    at: 'GET /public/v1/events/stream',
    async send() {
      const { key } = await keyWith()
      const leaving = new AbortController()
      const headers = { authorization: `Bearer ${key}` }
      for (let opened = 0; opened < 20; opened += 1) {
        await fetch(`${url}/public/v1/events/stream`, { headers, signal: leaving.signal })
      }
      try {
        return await call('GET', '/events/stream', undefined, { key })
      } finally {
        leaving.abort()
      }
    },
  },
  FORBIDDEN: {
    because: 'a key has scopes, and only a person who is signed in has a role',
    testedIn: '../modules/people/api-keys/api-keys.service.system.test.ts',
  },
  FILE_LINK_INVALID: {
    because: 'only hubs fetch by such an address, which is no part of the described API',
    send: () => call('GET', '/hub/v1/files/ver_none?account=a&hub=b&expires=1&signature=c', undefined, { key: null }),
  },
  MAX_VERSIONS_REACHED: {
    at: 'POST /public/v1/files/{id}/versions',
    async send() {
      const file = await addTestFile(t, account, sliced)
      await t.db.sql`
        insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
          sha256, file_size_bytes, format, is_sliced, metadata)
        select account_id, id || '_' || n, print_file_id, n, false, original_name, sha256, file_size_bytes, format,
          is_sliced, metadata
        from print_file_versions, generate_series(2, 100) n
        where account_id = ${account.id} and print_file_id = ${file.id}`
      return call('POST', `/files/${file.id}/versions`, { upload_token: await upload(t, account, sliced) })
    },
  },
  RANGE_NOT_SATISFIABLE: {
    at: 'GET /public/v1/files/{id}/content',
    async send() {
      const file = await addTestFile(t, account, sliced)
      return call('GET', `/files/${file.id}/content`, undefined, { headers: { range: 'bytes=999999999-' } })
    },
  },
  JOIN_CODE_INVALID: {
    at: 'POST /hub/v1/join',
    send: () => call('POST', '/hub/v1/join', { code: 'ABCD-EFGH' }, { key: null }),
  },

  NO_RECIPE: {
    at: 'POST /public/v1/jobs',
    send: async () => call('POST', '/jobs', { product_sku_id: (await addSku(account)).id }),
  },
  PRINTER_MODEL_MISMATCH: {
    at: 'POST /public/v1/jobs',
    async send() {
      const printer = await made('POST', '/printers', { name: 'Other', model: 'XL', connection_type: 'virtual' })
      return call('POST', '/jobs', { print_file_id: farm.fileId, printer_id: printer.id })
    },
  },
  JOB_DOES_NOT_FIT: {
    at: 'POST /public/v1/jobs/{id}/start',
    async send() {
      const printerId = await printerOn(farm.hubId)
      const jobId = await queued(printerId)
      farm.hub.telemetry(printerId, { status: 'idle', filament_type: 'PLA' })
      await t.settled(() => t.context.printers.find(printerId)?.state.filament_type === 'PLA')
      await made('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
      return call('POST', `/jobs/${jobId}/start`)
    },
  },
  NO_PRINTER_ASSIGNED: {
    at: 'POST /public/v1/jobs/{id}/start',
    send: async () => call('POST', `/jobs/${await queued(null)}/start`),
  },
  NO_HUB_ASSIGNED: {
    at: 'POST /public/v1/jobs/{id}/start',
    send: async () => call('POST', `/jobs/${await queued(await printerOn(null))}/start`),
  },
  PRINTER_UNAVAILABLE: {
    at: 'POST /public/v1/jobs/{id}/start',
    async send() {
      const printerId = await printerOn(farm.hubId)
      await made('PUT', `/printers/${printerId}/maintenance`, { in_maintenance: true })
      return call('POST', `/jobs/${await queued(printerId)}/start`)
    },
  },
  INVALID_STATE: {
    at: 'POST /public/v1/printers/{id}/control',
    send: () => call('POST', `/printers/${farm.printerId}/control`, { action: 'pause' }),
  },
  JOB_STATE_CHANGED: {
    at: 'POST /public/v1/jobs/{id}/resume',
    send: async () => call('POST', `/jobs/${await queued(null)}/resume`),
  },
  PRINTER_OUT_OF_REACH: {
    at: 'POST /public/v1/jobs/{id}/stop',
    async send() {
      const own = await createTestFarm(t)
      const jobId = await own.queueJob()
      await own.print(jobId)
      own.hub.telemetry(own.printerId, { status: 'offline', run: null })
      await t.settled(() => t.context.printers.find(own.printerId)?.state.status === 'offline')
      const answer = await call('POST', `/jobs/${jobId}/stop`, undefined, { key: own.account.key })
      await own.hub.close()
      return answer
    },
  },
  HUB_OFFLINE: {
    at: 'POST /public/v1/jobs/{id}/start',
    async send() {
      const hub = await createHubWithToken(systemWork(t.db.sql, account.id), 'Away')
      return call('POST', `/jobs/${await queued(await printerOn(hub.id))}/start`)
    },
  },
  COMMAND_NOT_SUPPORTED: {
    at: 'POST /public/v1/printers/{id}/light',
    async send() {
      farm.hub.onCommand(() => ({ ok: false, code: 'NOT_SUPPORTED', message: 'it has no light' }))
      const answer = await call('POST', `/printers/${farm.printerId}/light`, { state: true })
      farm.hub.onCommand(() => ({ ok: true }))
      return answer
    },
  },
  HUB_COMMAND_FAILED: {
    at: 'POST /public/v1/jobs/{id}/resume',
    async send() {
      const { jobId, finish } = await paused()
      farm.hub.onCommand(() => ({ ok: false, code: 'PRINTER_REFUSED', message: 'no filament' }))
      const answer = await call('POST', `/jobs/${jobId}/resume`)
      await finish()
      return answer
    },
  },

  LAST_OWNER: {
    because: 'only people change who belongs to an account',
    testedIn: '../modules/people/members/members.system.test.ts',
  },
  TASK_LINK_INVALID: {
    because: 'only messages to people have such links',
    testedIn: '../modules/notifications/delivery/notifications.system.test.ts',
  },
  TASK_TAKEN: {
    because: 'only messages to people have such links',
    testedIn: '../modules/notifications/delivery/notifications.system.test.ts',
  },
  INVITATION_INVALID: {
    because: 'only people are invited',
    testedIn: '../modules/people/invitations/invitations.system.test.ts',
  },
  MAIL_REFUSED: {
    because: 'only people have passwords',
    testedIn: '../modules/people/password-resets/passwords.system.test.ts',
  },
  RESET_LINK_INVALID: {
    because: 'only people have passwords',
    testedIn: '../modules/people/password-resets/passwords.system.test.ts',
  },
  TASK_ALREADY_COMPLETED: {
    at: 'PUT /public/v1/worklist/{id}/status',
    async send() {
      const task = await made('POST', '/worklist', { title: 'Sweep', task_type: 'maintenance' })
      await made('PUT', `/worklist/${task.id}/status`, { status: 'completed' })
      return call('PUT', `/worklist/${task.id}/status`, { status: 'completed' })
    },
  },

  ALREADY_EXISTS: {
    at: 'PUT /public/v1/worklist/{id}/status',
    async send() {
      const collection = async () => {
        const attempt = await farm.print(await farm.queueJob())
        await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
        farm.hub.telemetry(farm.printerId, { status: 'idle' })
        await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
        const open = await account.request('GET', '/worklist?task_type=collection&status=pending')
        return open.json().data[0].id
      }
      const clear = () => made('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
      const first = await collection()
      await made('PUT', `/worklist/${first}/status`, { status: 'cancelled' })
      await clear()
      await collection()
      const answer = await call('PUT', `/worklist/${first}/status`, { status: 'pending' })
      await clear()
      return answer
    },
  },
  DUPLICATE_NAME: { at: 'POST /public/v1/products', send: () => twice('/products', { name: 'Same' }) },
  DUPLICATE_SKU: {
    at: 'POST /public/v1/skus',
    send: async () => twice('/skus', { product_id: (await addProduct(account)).id, sku: 'SAME' }),
  },
  DUPLICATE_ORDER_NUMBER: {
    at: 'POST /public/v1/orders',
    async send() {
      const sku = await addSku(account)
      const items = [{ product_sku_id: sku.id, quantity: 1, unit_price: 100 }]
      return twice('/orders', { order_number: 'SAME', items })
    },
  },
  INVALID_PRODUCT_SKU: {
    at: 'POST /public/v1/orders',
    send: () => call('POST', '/orders', { items: [{ product_sku_id: 'sku_none', quantity: 1, unit_price: 100 }] }),
  },
  ORDER_HAS_OPEN_ITEMS: {
    at: 'PATCH /public/v1/orders/{id}',
    async send() {
      const { order } = await orderOf(1)
      return call('PATCH', `/orders/${order.id}`, { status: 'shipped' })
    },
  },
  ITEM_NOT_MAPPED: {
    at: 'POST /public/v1/orders/{id}/fulfill',
    async send() {
      const items = [{ sku: 'SHOP-1', quantity: 1, unit_price: 100 }]
      const order = await made('POST', '/orders', { allow_unmapped: true, items })
      return call('POST', `/orders/${order.id}/fulfill`)
    },
  },
  ORDER_ALREADY_FULFILLED: {
    at: 'POST /public/v1/orders/{id}/fulfill',
    async send() {
      const { order, stock } = await orderOf(1)
      await stock(1)
      await made('POST', `/orders/${order.id}/fulfill`)
      return call('POST', `/orders/${order.id}/fulfill`)
    },
  },
  ORDER_CANNOT_FULFILL: {
    at: 'POST /public/v1/orders/{id}/fulfill',
    async send() {
      const { order } = await orderOf(1)
      await made('DELETE', `/orders/${order.id}`)
      return call('POST', `/orders/${order.id}/fulfill`)
    },
  },
  ALL_ITEMS_FULFILLED: {
    at: 'POST /public/v1/orders/{id}/items/{itemId}/fulfill',
    async send() {
      const { order, stock } = await orderOf(1, 1)
      await stock(2)
      const path = `/orders/${order.id}/items/${order.items[0].id}/fulfill`
      await made('POST', path)
      return call('POST', path)
    },
  },
  DUPLICATE_SLUG: { at: 'POST /public/v1/wiki', send: () => twice('/wiki', { title: 'Same', slug: 'same' }) },
  DUPLICATE_COLOR: {
    at: 'POST /public/v1/colors',
    send: () => twice('/colors', { color_name: 'Same', hex_code: '#FF0000' }),
  },
  IMAGE_CAP_REACHED: {
    at: 'POST /public/v1/products/{id}/images',
    async send() {
      const product = await addProduct(account)
      const post = async () => {
        const { contentType, body } = await encodeForm([['image', await drawImage()]])
        return call('POST', `/products/${product.id}/images`, body, { headers: { 'content-type': contentType } })
      }
      for (let images = 0; images < 20; images++) await post()
      return post()
    },
  },
  INSUFFICIENT_QUANTITY: {
    at: 'POST /public/v1/materials/components/{id}/consume',
    async send() {
      const { id } = await made('POST', '/materials/components', { name: 'Screw' })
      return call('POST', `/materials/components/${id}/consume`, { quantity: 1 })
    },
  },
  INSUFFICIENT_STOCK: {
    at: 'POST /public/v1/inventory/{id}/adjust',
    async send() {
      const item = await itemOf(account, await addSku(account))
      return call('POST', `/inventory/${item.id}/adjust`, { adjustment: -1, reason: 'damaged' })
    },
  },
  UNKNOWN_INVENTORY_ITEM: {
    at: 'PUT /public/v1/skus/{id}/bom',
    async send() {
      const { id } = await addSku(account)
      return call('PUT', `/skus/${id}/bom`, { inventory: [{ inventory_item_id: 'mat_x', quantity_required: 1 }] })
    },
  },
  INSUFFICIENT_FOR_KIT: {
    at: 'POST /public/v1/skus/{id}/assemble',
    async send() {
      const [kit, part] = [await addSku(account), await addSku(account)]
      await call('PUT', `/skus/${kit.id}/bom`, { children: [{ child_sku_id: part.id, quantity_required: 2 }] })
      return call('POST', `/skus/${kit.id}/assemble`, { quantity: 3 })
    },
  },
  PRINT_FILE_NOT_FOUND: {
    at: 'POST /public/v1/products/kit',
    send: () =>
      call('POST', '/products/kit', {
        name: 'Kit of an unknown file',
        variants: [{ color: 'Red' }],
        parts: [{ name: 'Base', quantity_per_kit: 1, print_file_id: 'fil_x' }],
      }),
  },
  SKU_IN_USE_BY_ORDER: {
    at: 'DELETE /public/v1/skus/{id}',
    async send() {
      const sku = await addSku(account)
      const items = [{ product_sku_id: sku.id, quantity: 1, unit_price: 100 }]
      await made('POST', '/orders', { customer_name: 'A', items })
      return call('DELETE', `/skus/${sku.id}`)
    },
  },
  PART_IN_EXTERNAL_BOM: {
    at: 'DELETE /public/v1/skus/{id}',
    async send() {
      const [kit, part] = [await addSku(account), await addSku(account)]
      await call('PUT', `/skus/${kit.id}/bom`, { children: [{ child_sku_id: part.id, quantity_required: 1 }] })
      return call('DELETE', `/skus/${part.id}`)
    },
  },
  RESOURCE_IN_USE: { at: 'DELETE /public/v1/hubs/{id}', send: () => call('DELETE', `/hubs/${farm.hubId}`) },

  ALREADY_PUBLISHED: {
    at: 'POST /public/v1/wiki/{id}/publish',
    async send() {
      const article = await made('POST', '/wiki', { title: 'Published', category: 'Floor' })
      await made('POST', `/wiki/${article.id}/publish`)
      return call('POST', `/wiki/${article.id}/publish`)
    },
  },
  ALREADY_UNPUBLISHED: {
    at: 'POST /public/v1/wiki/{id}/unpublish',
    async send() {
      const article = await made('POST', '/wiki', { title: 'Draft' })
      return call('POST', `/wiki/${article.id}/unpublish`)
    },
  },

  SERVICE_UNAVAILABLE: {
    at: 'GET /public/v1/files/{id}/content',
    async send() {
      const file = await addTestFile(frail, frailAccount, sliced)
      await rm(join(frail.context.config.dataDir, 'files'), { recursive: true })
      return call('GET', `/files/${file.id}/content`, undefined, { key: frailAccount.key, base: frailUrl })
    },
  },
  STORAGE_FULL: {
    at: 'PUT /public/v1/files/upload/{token}',
    async send() {
      const full = await createLocalFileStore(join(frail.context.config.dataDir, 'full'), {
        reservedBytes: Number.MAX_SAFE_INTEGER,
      })
      Object.assign(frail.context.files, { receive: full.receive })
      const place = await frailAccount.request('POST', '/files/upload-url', { filename: 'clip.gcode' })
      return call('PUT', `/files/upload/${place.json().data.token}`, 'bytes', { key: null, base: frailUrl })
    },
  },
  INTERNAL_ERROR: {
    at: 'GET /public/v1/colors',
    async send() {
      await frail.db.sql`/* every account: the damage is to the table */ alter table colors rename to misplaced`
      return call('GET', '/colors', undefined, { key: frailAccount.key, base: frailUrl })
    },
  },
}

test('the table and the catalogue name the same codes', () => {
  expect(Object.keys(codes).sort()).toEqual(Object.keys(catalogue).sort())
})

test.each(Object.entries(codes))(
  '%s is answered over HTTP with its status, in the envelope, where it is declared',
  async (code, how) => {
    if ('testedIn' in how) {
      expect(await readFile(new URL(how.testedIn, import.meta.url), 'utf8')).toContain(`code: '${code}'`)
      const declaring = listOperations(document).filter((each) => Object.values(each.codes).flat().includes(code))
      expect(declaring.map((each) => each.name)).toEqual([])
      return
    }
    const answer = await how.send()
    const [status] = catalogue[code as ErrorCode]
    expect([answer.status, answer.json.error?.code], answer.text.slice(0, 500)).toEqual([status, code])
    expect(answer.json).toEqual({
      success: false,
      error: {
        code,
        message: expect.stringMatching(/^[A-Z].+[.;?]$|: /),
        ...(answer.json.error && 'details' in answer.json.error && { details: expect.anything() }),
      },
    })
    // Nothing that its thrower forgot to fill in.
    expect(answer.json.error?.message).not.toMatch(/[{}]|undefined|\[object/)
    expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    if ('because' in how) {
      const declaring = listOperations(document).filter((each) => each.codes[String(status)]?.includes(code))
      expect(declaring.map((each) => each.name)).toEqual([])
      return
    }
    const operation = listOperations(document).find((each) => each.name === how.at)
    if (!operation) throw new Error(`there is no ${how.at}`)
    expect(operation.codes[String(status)]).toContain(code)
    expect(check(operation, answer)).toEqual([])
  },
)

test('every code that an operation declares is one of the catalogue', () => {
  const declared = listOperations(document).flatMap((each) =>
    Object.entries(each.codes).flatMap(([status, list]) => list.map((code) => [status, code] as const)),
  )
  expect(declared.length).toBeGreaterThan(300)
  const wrong = declared.filter(([status, code]) => String(catalogue[code as ErrorCode]?.[0]) !== status)
  expect(wrong).toEqual([])
})
