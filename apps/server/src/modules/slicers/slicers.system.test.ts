import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { readSlicedFile, slicedFileName } from '../../test/farm/sliced-file.ts'
import { addSku, itemOf } from '../../test/farm/test-catalogue.ts'

let farm: TestAccount
let sliced: Buffer
const t = appForAllTests({ config: { maxFileMb: 2 } })
beforeAll(async () => {
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  sliced = await readSlicedFile()
})
beforeEach(async () => {
  farm = await t.account()
})

const boundary = '------------------------d74496d66958873e'

/** The form as curl inside PrusaSlicer and OrcaSlicer writes it: `print` and `path` first, the file last. */
function formOf(content: Buffer, fields: Record<string, string>, fileName = slicedFileName): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return Buffer.concat([Buffer.from(parts.join('') + head), content, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

function send(payload: Buffer, key: string | undefined = farm.key, type = `multipart/form-data; boundary=${boundary}`) {
  return t.app.inject({
    method: 'POST',
    url: '/octoprint/api/files/local',
    payload,
    headers: { 'content-type': type, ...(key !== undefined && { 'x-api-key': key }) },
  })
}

const upload = (content: Buffer, print = false, fileName?: string) =>
  send(formOf(content, { print: String(print), path: '' }, fileName))

async function listFiles(): Promise<{ id: string; name: string }[]> {
  return (await farm.request('GET', '/files')).json().data
}
async function listJobs(): Promise<{ status: string; printer_id: string | null }[]> {
  return (await farm.request('GET', '/jobs')).json().data
}

test('the button that tests the connection is answered as by OctoPrint', async () => {
  const ask = (headers: Record<string, string>) =>
    t.app.inject({ method: 'GET', url: '/octoprint/api/version', headers })
  const answer = await ask({ 'x-api-key': farm.key })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({ api: '0.1', text: expect.stringMatching(/^OctoPrint/) })
  expect((await ask({ authorization: `Bearer ${farm.key}` })).statusCode).toBe(200)
  expect(answer.headers['x-ratelimit-limit']).toBeDefined()
})

test('a sliced file becomes a print file with what the slicer wrote about it, and nothing is queued', async () => {
  const answer = await upload(sliced)
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toMatchObject({
    done: true,
    effectivePrint: false,
    files: { local: { name: slicedFileName, origin: 'local' } },
  })
  const [file] = await listFiles()
  expect(answer.json().files.local.refs.print_file).toMatch(new RegExp(`/public/v1/files/${file?.id}$`))
  const detail = (await farm.request('GET', `/files/${file?.id}`)).json().data
  expect(detail.print_time_seconds).toBeGreaterThan(60)
  expect(await listJobs()).toEqual([])
})

test('"upload and print" queues a job that the scheduler may give to any printer', async () => {
  const answer = await upload(sliced, true)
  expect(answer.json()).toMatchObject({ effectivePrint: true })
  expect(await listJobs()).toMatchObject([{ status: 'queued', printer_id: null }])
})

test('`print` behind the file counts as well', async () => {
  const whole = formOf(sliced, {})
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  const field = `\r\n--${boundary}\r\nContent-Disposition: form-data; name="print"\r\n\r\ntrue`
  const form = Buffer.concat([whole.subarray(0, whole.length - end.length), Buffer.from(field), end])
  expect((await send(form)).json()).toMatchObject({ effectivePrint: true })
})

test('the same name with other bytes is a new version, with the same bytes nothing new', async () => {
  const versionCount = async () => {
    const [file] = await listFiles()
    return (await farm.request('GET', `/files/${file?.id}`)).json().data.versions.length
  }
  await upload(sliced)
  await upload(sliced)
  expect([(await listFiles()).length, await versionCount()]).toEqual([1, 1])
  await upload(Buffer.concat([sliced, Buffer.from('\n; changed\n')]))
  expect([(await listFiles()).length, await versionCount()]).toEqual([1, 2])
})

test('two first uploads of a name at once make one file', async () => {
  const changed = Buffer.concat([sliced, Buffer.from('\n; other\n')])
  const answers = await Promise.all([upload(sliced), upload(changed)])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  expect(await listFiles()).toHaveLength(1)
})

test('the files of another account are not touched', async () => {
  await upload(sliced)
  const other = await t.account()
  await send(formOf(sliced, { print: 'false' }), other.key)
  expect((await other.request('GET', '/files')).json().data).toHaveLength(1)
  expect(await listFiles()).toHaveLength(1)
})

test('refusals are one sentence in the form of OctoPrint', async () => {
  const readOnly = await t.account({ scopes: ['read'] })
  const form = formOf(sliced, { print: 'false' })
  const refusals = [
    [await send(form, ''), 401, 'UNAUTHORIZED'],
    [await send(form, 'wrong'), 401, 'TOKEN_INVALID'],
    [await send(form, readOnly.key), 403, 'INSUFFICIENT_SCOPE'],
    [await send(Buffer.from('{}'), farm.key, 'application/json'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [await send(form.subarray(0, form.length - 200)), 400, 'UPLOAD_INCOMPLETE'],
    [await upload(sliced, false, 'letter.docx'), 400, 'VALIDATION_ERROR'],
    [await upload(Buffer.from('nothing that prints'), true), 400, 'INVALID_FILE'],
    [await upload(Buffer.alloc(2_000_001, 'G1 X1\n')), 413, 'PAYLOAD_TOO_LARGE'],
  ] as const
  for (const [answer, status, code] of refusals) {
    expect({ status: answer.statusCode, body: answer.json() }).toEqual({
      status,
      body: { code, error: expect.stringMatching(/\w.+/) },
    })
  }
  expect(await listFiles()).toEqual([])
  expect(await readdir(join(t.context.config.dataDir, 'files', 'incoming'))).toEqual([])
})

test('a slicer that is closed in the middle of an upload leaves nothing behind', async () => {
  const form = formOf(sliced, { print: 'true' })
  const { port } = t.app.server.address() as AddressInfo
  const client = httpRequest({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/octoprint/api/files/local',
    agent: false,
    headers: {
      'x-api-key': farm.key,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': form.length,
    },
  })
  client.on('error', () => undefined)
  const incoming = () => readdir(join(t.context.config.dataDir, 'files', 'incoming'))
  client.write(form.subarray(0, Math.floor(form.length / 2)))
  await t.settled(async () => (await incoming()).length === 1)
  client.destroy()
  await t.settled(async () => (await incoming()).length === 0)
  expect(await listFiles()).toEqual([])
  expect(await listJobs()).toEqual([])
})

const questions = async () => (await farm.request('GET', '/worklist?status=pending')).json().data
const planOf = async (jobId: string) => (await farm.request('GET', `/jobs/${jobId}/plan`)).json().data
const newestJob = async () => (await farm.request('GET', '/jobs')).json().data[0]

test('a plate of a file with one recipe makes its SKU, by that recipe', async () => {
  await upload(sliced)
  const [file] = await listFiles()
  const [sku, ring] = [await addSku(farm), await addSku(farm)]
  const recipe = (
    await farm.request('POST', '/recipes', {
      product_sku_id: sku.id,
      print_file_id: file?.id,
      units_per_plate: 3,
      also_makes: [{ product_sku_id: ring.id, units: 2 }],
    })
  ).json().data
  await upload(sliced, true)
  const job = await newestJob()
  expect(job).toMatchObject({ product_sku_id: sku.id, number_of_units: 3 })
  expect(await planOf(job.id)).toMatchObject({
    recipe_id: recipe.id,
    plates_total: 1,
    outputs: [
      { product_sku_id: sku.id, units: 3 },
      { product_sku_id: ring.id, units: 2 },
    ],
  })
  expect(await questions()).toEqual([])
})

test('in an account without products no one is asked what a plate makes', async () => {
  await upload(sliced, true)
  expect(await newestJob()).toMatchObject({ product_sku_id: null })
  expect(await questions()).toEqual([])
})

test('else the worklist asks what it makes; the answer is credited also after the print, once', async () => {
  const sku = await addSku(farm)
  await upload(sliced, true)
  const job = await newestJob()
  expect(job).toMatchObject({ product_sku_id: null })
  expect(await questions()).toMatchObject([
    { task_type: 'quality_check', title: `Which product does ${slicedFileName} make?` },
  ])
  expect((await farm.request('POST', `/jobs/${job.id}/complete`)).statusCode).toBe(200)
  expect((await itemOf(farm, sku)).ready_stock).toBe(0)
  const name = (product_sku_id: string | null) => farm.request('PUT', `/jobs/${job.id}/product`, { product_sku_id })
  expect((await name('sku_x')).json().error.code).toBe('SKU_NOT_FOUND')
  expect((await name(sku.id)).json().data).toMatchObject({ product_sku_id: sku.id, status: 'completed' })
  expect((await itemOf(farm, sku)).ready_stock).toBe(1)
  expect(await questions()).toEqual([])
  expect((await name(sku.id)).json().error.code).toBe('ALREADY_EXISTS')
  expect((await itemOf(farm, sku)).ready_stock).toBe(1)
})

test('the answer may be a SKU of one of several recipes of the file, or that it makes nothing', async () => {
  await upload(sliced)
  const [file] = await listFiles()
  const [red, blue] = [await addSku(farm), await addSku(farm)]
  for (const { id } of [red, blue]) {
    await farm.request('POST', '/recipes', { product_sku_id: id, print_file_id: file?.id, units_per_plate: 4 })
  }
  await upload(sliced, true)
  const first = await newestJob()
  const answer = await farm.request('PUT', `/jobs/${first.id}/product`, { product_sku_id: blue.id })
  expect(answer.json().data).toMatchObject({ product_sku_id: blue.id, number_of_units: 4, status: 'queued' })
  expect((await planOf(first.id)).outputs).toMatchObject([{ units: 4, units_per_plate: 4 }])
  await upload(sliced, true)
  const second = await newestJob()
  expect(await questions()).toHaveLength(1)
  const nothing = await farm.request('PUT', `/jobs/${second.id}/product`, { product_sku_id: null })
  expect(nothing.json().data).toMatchObject({ product_sku_id: null })
  expect(await questions()).toEqual([])
})
