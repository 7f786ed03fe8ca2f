import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { S3Client } from '@printyard/server/file-store/s3-client'
import { readConfig } from '@printyard/server/kernel/config'
import { isRedisInstalled, startTestRedis } from '@printyard/server/test/services/test-redis'
import { isS3Installed, type S3Fault, startFaultyWay, startTestS3 } from '@printyard/server/test/services/test-s3'
import { expect, onTestFinished, test } from 'vitest'
import { checkBackupBucket, checkFileBucket, checkRedis } from './stores.ts'

const keysOf = (prefix: string, keys: { accessKey: string; secretAccessKey: string }, endpoint: string) => ({
  [`${prefix}ENDPOINT`]: endpoint,
  [`${prefix}ACCESS_KEY_ID`]: keys.accessKey,
  [`${prefix}SECRET_ACCESS_KEY`]: keys.secretAccessKey,
})
/** A port on which no one listens. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test.runIf(isS3Installed('moto'))(
  'buckets are tried by an object that is deleted again, and each failure says at what',
  async () => {
    const s3 = await startTestS3('moto')
    let faultOf: (method: string) => S3Fault | undefined = () => undefined
    const way = await startFaultyWay(s3.endpoint, ({ method }) => faultOf(method))
    onTestFinished(async () => {
      await way.close()
      await s3.close()
    })
    const target = await s3.makeBucket()
    const place = `${target.bucket} at ${way.endpoint}`
    const files = readConfig({ ...keysOf('S3_', target, way.endpoint), S3_BUCKET: target.bucket })
    const backups = readConfig({
      ...keysOf('PRINTYARD_BACKUP_S3_', target, way.endpoint),
      PRINTYARD_BACKUP_COPY_TO: `s3://${target.bucket}/farm`,
    })
    expect(await checkFileBucket(files)).toMatchObject([
      { name: 'file store', status: 'ok', message: `A test object was written to ${place}, read and deleted.` },
    ])
    expect(await checkBackupBucket(backups)).toMatchObject([{ name: 'backup copies', status: 'ok' }])
    expect(await new S3Client(target).sendForText({ method: 'GET', query: { 'list-type': '2' } })).not.toContain(
      '<Key>',
    )
    expect([...(await checkFileBucket(backups)), ...(await checkBackupBucket(files))]).toEqual([])

    for (const [method, words] of Object.entries({ PUT: 'written to', GET: 'read from', DELETE: 'deleted from' })) {
      faultOf = (asked) => (asked === method ? { status: 403, code: 'AccessDenied' } : undefined)
      expect(await checkFileBucket(files)).toMatchObject([
        {
          status: 'problem',
          message: expect.stringMatching(new RegExp(`^A test object could not be ${words} ${place}: .*AccessDenied`)),
          remedy: expect.stringContaining('must be allowed to'),
        },
      ])
    }
    faultOf = () => undefined
    const missing = readConfig({ ...keysOf('S3_', target, way.endpoint), S3_BUCKET: 'not-there' })
    expect(await checkFileBucket(missing)).toMatchObject([
      { status: 'problem', message: expect.stringContaining('NoSuchBucket') },
    ])
    const nowhere = readConfig({
      ...keysOf('S3_', target, `http://127.0.0.1:${await freePort()}`),
      S3_BUCKET: target.bucket,
    })
    const [unreachable] = await checkFileBucket(nowhere)
    expect(unreachable).toMatchObject({ status: 'problem', remedy: expect.stringContaining('S3_ENDPOINT') })
    for (const text of [unreachable?.message, unreachable?.shareable.message])
      expect(text).not.toContain(target.secretAccessKey)
    expect(unreachable?.shareable.message).not.toContain('127.0.0.1')
  },
  60_000,
)

test.runIf(isS3Installed('moto'))(
  'the address from which others download is tried by a signed URL, and nothing is left in the bucket',
  async () => {
    const s3 = await startTestS3('moto')
    let fault: S3Fault | undefined
    const way = await startFaultyWay(s3.endpoint, () => fault)
    onTestFinished(async () => {
      await way.close()
      await s3.close()
    })
    const target = await s3.makeBucket()
    const look = async (publicEndpoint: string) => {
      const settings = { S3_BUCKET: target.bucket, S3_PUBLIC_ENDPOINT: publicEndpoint }
      const [finding] = await checkFileBucket(readConfig({ ...keysOf('S3_', target, s3.endpoint), ...settings }))
      return finding
    }
    expect(await look(way.endpoint)).toMatchObject({
      status: 'ok',
      message: expect.stringContaining(`downloaded from ${way.endpoint} by a signed URL`),
    })
    fault = { status: 403, code: 'SignatureDoesNotMatch' }
    expect(await look(way.endpoint)).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/could not be downloaded from .*S3_PUBLIC_ENDPOINT.*403 SignatureDoesNotMatch/),
      remedy: expect.stringContaining('must lead to the store'),
    })
    const gone = await look(`http://127.0.0.1:${await freePort()}`)
    expect(gone).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/^The S3 store works, but nothing answers at .*S3_PUBLIC_ENDPOINT.*ECONNREFUSED/),
      remedy: expect.stringContaining('unset it'),
    })
    expect(gone?.shareable.message).not.toContain('127.0.0.1')
    expect(JSON.stringify(gone)).not.toContain(target.secretAccessKey)
    expect(await new S3Client(target).sendForText({ method: 'GET', query: { 'list-type': '2' } })).not.toContain(
      '<Key>',
    )
  },
  60_000,
)

test.runIf(isRedisInstalled())(
  'Redis is asked for an answer and its version; one that refuses, hangs or is gone is told apart',
  async () => {
    const redis = await startTestRedis()
    onTestFinished(() => redis.close())
    const look = async (redisUrl: string) => (await checkRedis({ redisUrl }))[0]
    expect(await checkRedis({ redisUrl: undefined })).toEqual([])
    const well = await look(redis.url)
    expect(well).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^(Redis|Valkey) \d+\.\d+.* answers at 127/),
    })
    const wrong = await look(redis.url.replace('a-password', 'another'))
    expect(wrong).toMatchObject({ status: 'problem', message: expect.stringContaining('refuses the credentials') })
    expect(JSON.stringify(wrong)).not.toContain('another')
    redis.signal('SIGSTOP')
    expect(await look(redis.url)).toMatchObject({ status: 'warning', message: expect.stringContaining('2000 ms') })
    redis.signal('SIGCONT')
    await redis.kill()
    const gone = await look(redis.url)
    expect(gone).toMatchObject({ status: 'warning', remedy: expect.stringContaining('REDIS_URL') })
    expect(JSON.stringify(gone)).not.toContain('a-password')
  },
  30_000,
)
