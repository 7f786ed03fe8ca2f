import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FOLLOWS_HEADER } from '@printyard/protocol/version'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { S3Client, type S3Target } from '../../file-store/s3-client.ts'
import { createS3FileStore } from '../../file-store/s3-file-store.ts'
import { amzDate } from '../../file-store/signature.ts'
import { type FileVersionId, newId } from '../../kernel/ids.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { readSlicedFile, upload } from '../../test/farm/sliced-file.ts'
import { isS3Installed, type S3Kind, startFaultyWay, startTestS3, type TestS3 } from '../../test/services/test-s3.ts'
import { signFileUrl } from './hub-files.routes.ts'

const kinds: S3Kind[] = ['moto', 's3rver']

for (const kind of kinds)
  describe.skipIf(!isS3Installed(kind))(`files in an S3 store that clients reach: ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'printyard-signed-'))
    let s3: TestS3
    /** The address of the store for clients, which differs from that of the service. */
    let way: Awaited<ReturnType<typeof startFaultyWay>>
    /** What clients asked the store for. */
    const asked: string[] = []
    let bucket: S3Target
    let t: TestApp
    let farm: TestAccount
    let sliced: Buffer
    let file: { id: string; versions: { id: string }[] }

    beforeAll(async () => {
      s3 = await startTestS3(kind)
      way = await startFaultyWay(s3.endpoint, ({ method, url }) => void asked.push(`${method} ${url.split('?')[0]}`))
      bucket = await s3.makeBucket()
      const files = await createS3FileStore(new S3Client(bucket), join(folder, 'spool'), {
        publicEndpoint: way.endpoint,
      })
      // The test looks at no file on a disk.
      t = await createTestApp({ context: { files: files as never } })
      farm = await t.account()
      sliced = await readSlicedFile()
      const upload_token = await upload(t, farm, sliced, 'Clip "ä".gcode')
      file = (await farm.request('POST', '/files', { upload_token })).json().data
    }, 120_000)
    afterAll(async () => {
      await t?.close()
      await way?.close()
      await s3?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** Follows a redirect as a client does, with nothing but its own headers. */
    async function follow(location: unknown, headers: Record<string, string> = {}) {
      const answer = await fetch(String(location), { headers })
      return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
    }

    test('a download is redirected there, whole and in ranges, under its name', async () => {
      const answer = await farm.request('GET', `/files/${file.id}/content`)
      expect([answer.statusCode, answer.body]).toEqual([307, ''])
      const { location } = answer.headers
      expect(new URL(String(location)).origin).toBe(way.endpoint)
      asked.length = 0
      const whole = await follow(location)
      expect(whole.status).toBe(200)
      expect(whole.bytes.equals(sliced)).toBe(true)
      expect(whole.headers.get('content-disposition')).toBe(
        `attachment; filename="Clip ___.gcode"; filename*=UTF-8''Clip%20%22%C3%A4%22.gcode`,
      )
      expect(whole.headers.get('content-type')).toBe('application/octet-stream')
      const part = await follow(location, { range: 'bytes=1000-1999' })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${sliced.length}`])
      expect(part.bytes.equals(sliced.subarray(1000, 2000))).toBe(true)
      const sha256 = createHash('sha256').update(sliced).digest('hex')
      const path = `GET /${bucket.bucket}/${sha256.slice(0, 2)}/${sha256}`
      expect(asked).toEqual([path, path])
    })

    test('what needs no bytes, or our tags, is answered here', async () => {
      const first = await farm.request('GET', `/files/${file.id}/content`)
      const etag = String(first.headers.etag)
      const get = (headers: Record<string, string>) =>
        farm.request('GET', `/files/${file.id}/content`, undefined, headers)
      expect((await get({ 'if-none-match': etag })).statusCode).toBe(304)
      expect((await get({ range: `bytes=${sliced.length}-` })).statusCode).toBe(416)
      const rest = await get({ range: 'bytes=1000-', 'if-range': etag })
      expect(rest.statusCode).toBe(206)
      expect(rest.rawPayload.equals(sliced.subarray(1000))).toBe(true)
      expect((await (await t.account()).request('GET', `/files/${file.id}/content`)).statusCode).toBe(404)
    })

    test('a hub that follows is redirected as well, and one that does not gets the bytes', async () => {
      const hubId = newId('hub')
      const token_hash = createHash('sha256').update(hubId).digest()
      await t.db.sql`insert into hubs ${t.db.sql({ account_id: farm.id, id: hubId, name: 'Hub', token_hash })}`
      const versionId = file.versions[0]?.id as FileVersionId
      const url = signFileUrl(t.context, farm.id, versionId, hubId, new Date(Date.now() + 60_000))
      const older = await t.app.inject(url)
      expect(older.statusCode).toBe(200)
      expect(older.rawPayload.equals(sliced)).toBe(true)
      const answer = await t.app.inject({ url, headers: { [FOLLOWS_HEADER]: '307' } })
      expect(answer.statusCode).toBe(307)
      const rest = await follow(answer.headers.location, { range: 'bytes=5000-' })
      expect(rest.status).toBe(206)
      expect(rest.bytes.equals(sliced.subarray(5000))).toBe(true)
    })

    // Neither of the two checks signatures of addresses (`signature.test.ts` does), and one alone their time.
    test.runIf(kind === 's3rver')('an address is over after five minutes', async () => {
      const { location } = (await farm.request('GET', `/files/${file.id}/content`)).headers
      const url = new URL(String(location))
      expect(url.searchParams.get('X-Amz-Expires')).toBe('300')
      const at = (agoMs: number) => {
        url.searchParams.set('X-Amz-Date', amzDate(new Date(Date.now() - agoMs)))
        return follow(url)
      }
      expect((await at(290_000)).status).toBe(200)
      expect((await at(310_000)).status).toBe(403)
    })
  })
