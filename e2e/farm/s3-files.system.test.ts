import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { S3Client, tagsOf } from '@printyard/server/file-store/s3-client'
import { readSlicedFile } from '@printyard/server/test/farm/sliced-file'
import { isS3Installed, startFaultyWay, startTestS3, type TestS3 } from '@printyard/server/test/services/test-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FarmDatabase, openFarmDatabase } from '../test/farm-database.ts'
import {
  apiClient,
  eventually,
  type FarmProcess,
  makeFarmFolder,
  startHubProcess,
  startServiceProcess,
} from '../test/farm-processes.ts'
import { runCli } from '../test/run-cli.ts'

type Service = Awaited<ReturnType<typeof startServiceProcess>>

describe.skipIf(!isS3Installed('moto'))('files in an S3 store', () => {
  let s3: TestS3
  /** The address at which hubs and browsers reach the store, and what they asked it for. */
  let outside: Awaited<ReturnType<typeof startFaultyWay>>
  const askedOutside: string[] = []
  let database: FarmDatabase
  let folder: Awaited<ReturnType<typeof makeFarmFolder>>
  let settings: Record<string, string>
  let left: Service
  let right: Service
  let hub: FarmProcess | undefined
  let content: Buffer
  let sha256: string

  beforeAll(async () => {
    ;[s3, database, folder, content] = await Promise.all([
      startTestS3('moto'),
      openFarmDatabase(),
      makeFarmFolder(),
      readSlicedFile(),
    ])
    outside = await startFaultyWay(s3.endpoint, ({ method, url }) => void askedOutside.push(`${method} ${url}`))
    sha256 = createHash('sha256').update(content).digest('hex')
    settings = { DATABASE_URL: database.db.url, PRINTYARD_SECRET_KEY: 'ab'.repeat(32), ...(await newBucket()) }
    ;[left, right] = await Promise.all([startService('left'), startService('right')])
  }, 120_000)
  afterAll(async () => {
    await Promise.all([hub?.kill(), left?.kill(), right?.kill()])
    await outside?.close()
    await s3?.close()
    await database?.db.close()
    await folder?.remove()
  }, 60_000)

  const startService = (name: string) => startServiceProcess(join(folder.path, name), { settings })

  async function newBucket() {
    const { endpoint, bucket, accessKey, secretAccessKey } = await s3.makeBucket()
    return {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKey,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      S3_PUBLIC_ENDPOINT: outside.endpoint,
    }
  }

  test('what one process takes in, the other serves, and its hub fetches from the store and prints', async () => {
    const api = { left: apiClient(left.url, database.key), right: apiClient(right.url, database.key) }
    const place = await api.left<{ data: { upload_url: string; token: string } }>('POST', '/files/upload-url', {
      filename: 'clip.gcode',
    })
    const put = await fetch(new URL(place.body.data.upload_url, left.url), { method: 'PUT', body: content })
    expect(put.status).toBe(200)
    const file = await api.right<{ data: { id: string; print_time_seconds: number } }>('POST', '/files', {
      upload_token: place.body.data.token,
    })
    expect(file).toMatchObject({ status: 201, body: { data: { print_time_seconds: expect.any(Number) } } })

    const { id: hubId, token } = await database.createHub('Hub')
    hub = startHubProcess({ url: right.url, token, dataDir: join(folder.path, 'hub'), speed: 5_000 })
    const printer = await api.right<{ data: { id: string } }>('POST', '/printers', {
      name: 'Printer',
      model: 'MK4S',
      hub_id: hubId,
      connection_type: 'virtual',
    })
    const printerId = printer.body.data.id
    await eventually(
      'the printer to be idle',
      () => api.right<{ data: { status: string } }>('GET', `/printers/${printerId}/status`),
      ({ body }) => body.data.status === 'idle',
    )
    await api.right('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
    const job = await api.left<{ data: { id: string } }>('POST', '/jobs', {
      print_file_id: file.body.data.id,
      printer_id: printerId,
    })
    expect((await api.right('POST', `/jobs/${job.body.data.id}/start`)).status).toBe(200)
    await eventually(
      'the job to be completed',
      () => api.left<{ data: { status: string } }>('GET', `/jobs/${job.body.data.id}`),
      ({ body }) => body.data.status === 'completed',
    )
    const path = `/${settings.S3_BUCKET}/${sha256.slice(0, 2)}/${sha256}`
    expect(askedOutside.map((request) => request.split('?')[0])).toEqual([`GET ${path}`])

    const download = await fetch(`${right.url}/public/v1/files/${file.body.data.id}/content`, {
      headers: { authorization: `Bearer ${database.key}` },
    })
    expect(download.url.startsWith(`${outside.endpoint}${path}?`)).toBe(true)
    expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
  }, 90_000)

  test('a backup holds the files of the bucket, and its restore puts them into another', async () => {
    const backups = join(folder.path, 'backups')
    const made = await runCli(['backup', '--to', backups, '--json', '--data-dir', join(folder.path, 'left')], {
      env: settings,
      timeLimitMs: 60_000,
    })
    expect(made.stderr).toBe('')
    const report = made.document<{ path: string; files: number; missing_files: string[] }>()
    // The print file, and the picture that was drawn of it.
    expect(report).toMatchObject({ files: 2, missing_files: [] })

    const { DATABASE_URL: _, ...others } = settings
    const other = await newBucket()
    const restored = await runCli(['restore', report.path, '--json', '--data-dir', join(folder.path, 'restored')], {
      env: { ...others, ...other },
      timeLimitMs: 60_000,
    })
    expect(restored.document()).toMatchObject({ files: 2 })
    const bucket = new S3Client({
      endpoint: other.S3_ENDPOINT,
      bucket: other.S3_BUCKET,
      accessKey: other.S3_ACCESS_KEY_ID,
      secretAccessKey: other.S3_SECRET_ACCESS_KEY,
      region: 'us-east-1',
    })
    const keys = tagsOf(await bucket.sendForText({ method: 'GET', query: { 'list-type': '2' } }), 'Key')
    expect(keys).toHaveLength(2)
    expect(keys).toContain(`${sha256.slice(0, 2)}/${sha256}`)
  }, 120_000)

  test('a service of another installation does not start on the same bucket', async () => {
    const { DATABASE_URL: _, ...others } = settings
    const refused = await runCli(['serve', '--data-dir', join(folder.path, 'other')], {
      env: { ...others, PRINTYARD_PORT: '0' },
      timeLimitMs: 60_000,
    })
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toMatch(/S3_BUCKET +holds the files of another installation/)
  }, 90_000)

  test('without the store the service says so, and what needs no file goes on', async () => {
    await s3.close()
    const ready = await fetch(new URL('/readyz', left.url))
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      checks: expect.arrayContaining([
        { name: 'database', ok: true },
        { name: 'storage', ok: false, problem: expect.stringContaining('file store does not answer') },
      ]),
    })
    expect((await apiClient(left.url, database.key)('GET', '/jobs')).status).toBe(200)
  }, 30_000)
})
