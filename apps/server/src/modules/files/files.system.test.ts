import { existsSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { buildGcode3mf } from '@printyard/print-files/test/build-gcode-3mf'
import { buildZip } from '@printyard/print-files/test/build-zip'
import { drawPng } from '@printyard/print-files/test/draw-picture'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { addTestFile, putBytes, readSlicedFile, slicedFileName, upload } from '../../test/farm/sliced-file.ts'

let sliced: Buffer
let farm: TestAccount
let stranger: TestAccount
const t = appForAllTests()
beforeAll(async () => {
  sliced = await readSlicedFile()
})
beforeEach(async () => {
  farm = await t.account()
  stranger = await t.account()
})

/** Content of its own, so that tests do not share stored bytes. */
const slicedAnew = () => Buffer.concat([sliced, Buffer.from(`; ${newId('frame')}\n`)])

async function hashesOf(account: TestAccount): Promise<{ sha256: string; thumbnail_sha256: string }[]> {
  return t.db.sql`
    select sha256, thumbnail_sha256 from print_file_versions where account_id = ${account.id} order by version_number`
}

async function addProduct(account: TestAccount): Promise<string> {
  const id = newId('product')
  await t.db.sql`insert into products ${t.db.sql({ account_id: account.id, id, name: `Bracket ${id}` })}`
  return id
}

async function addJob(account: TestAccount, file: { id: string; versions: { id: string }[] }, status: string) {
  const id = newId('job')
  await t.db.sql`insert into jobs ${t.db.sql({
    account_id: account.id,
    id,
    status,
    print_file_id: file.id,
    file_version_id: file.versions[0]?.id as string,
    file_name: 'x',
    number_of_units: 1,
    quantity_per_print: 1,
    plates_total: 1,
    created_by: 'system',
  })}`
  return id
}

describe('adding a file', () => {
  test('a file tells whether it is sliced, what is odd about it, and which other one has the same content', async () => {
    const bytes = slicedAnew()
    const add = async (content: Buffer, name: string) =>
      (await farm.request('POST', '/files', { upload_token: await upload(t, farm, content, name) })).json().data
    const first = await add(bytes, 'bracket.gcode')
    expect(first).toMatchObject({ is_sliced: true, warnings: [], same_as: null })
    expect(await add(bytes, 'again.gcode')).toMatchObject({ same_as: { id: first.id, name: 'bracket.gcode' } })
    const cut = await add(bytes.subarray(0, Math.floor(bytes.length * 0.6)), 'cut.gcode')
    expect(cut).toMatchObject({ same_as: null, warnings: [expect.stringContaining('cut short')] })
    const model = await add(Buffer.from(`solid a\n facet normal 0 0 1\nendsolid ${newId('frame')}\n`), 'part.stl')
    expect(model).toMatchObject({ is_sliced: false })
    // What another account has is none of ours.
    const other = await stranger.request('POST', '/files', { upload_token: await upload(t, stranger, bytes) })
    expect(other.json().data.same_as).toBeNull()
  })

  test('an uploaded file is read, and what its slicer said is answered', async () => {
    const product = await addProduct(farm)
    const token = await upload(t, farm, sliced)
    const added = await farm.request('POST', '/files', {
      upload_token: token,
      product_id: product,
      number_of_units: 4,
      notes: 'first try',
    })
    expect(added.statusCode).toBe(201)
    const file = added.json().data
    expect(file).toMatchObject({
      name: slicedFileName,
      product_id: product,
      number_of_units: 4,
      file_size_bytes: sliced.length,
      filament_type: 'PLA',
      nozzle_diameter: 0.4,
      has_thumbnail: true,
      versions: [{ version_number: 1, notes: 'first try', is_current_version: true }],
    })
    expect(file.printer_model_id).toMatch(/MK4S/)
    expect(file.print_time_seconds).toBeGreaterThan(60)
    expect(file.layer_count).toBeGreaterThan(1)
    expect((await farm.request('GET', `/files/${file.id}`)).json().data).toEqual(file)
    const events = await t.db
      .sql`select type, actor from events where account_id = ${farm.id} and subject_id = ${file.id}`
    expect(events).toEqual([{ type: 'file.created', actor: expect.stringMatching(/^key:/) }])
  })

  test('neither hashes nor places in the store leave the service', async () => {
    await addTestFile(t, farm, sliced)
    const [stored] = await hashesOf(farm)
    for (const path of ['/files', `/files/${(await farm.request('GET', '/files')).json().data[0].id}`]) {
      const { body } = await farm.request('GET', path)
      expect(body).not.toContain(stored?.sha256)
      expect(body).not.toMatch(/sha256|metadata|original_name|archive_plate/)
    }
  })

  test('a token works once', async () => {
    const token = await upload(t, farm, sliced)
    expect((await farm.request('POST', '/files', { upload_token: token })).statusCode).toBe(201)
    const again = await farm.request('POST', '/files', { upload_token: token })
    expect(again.statusCode).toBe(400)
    expect(again.json().error).toMatchObject({ code: 'FILE_NOT_UPLOADED', message: expect.stringContaining('used') })
    expect((await putBytes(t, token, sliced)).json().error.code).toBe('UPLOAD_TOKEN_INVALID')
  })

  test('of two requests with one token one makes the file', async () => {
    const token = await upload(t, farm, sliced)
    const answers = await Promise.all([1, 2].map(() => farm.request('POST', '/files', { upload_token: token })))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 400])
    expect((await farm.request('GET', '/files')).json().data).toHaveLength(1)
  })

  test('a repeated request with its idempotency key gets the same file, although the token is used', async () => {
    const token = await upload(t, farm, sliced)
    const add = () => farm.request('POST', '/files', { upload_token: token }, { 'idempotency-key': 'add-1' })
    const [first, second] = [await add(), await add()]
    expect(second.statusCode).toBe(201)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.json()).toEqual(first.json())
  })

  test("another account's token is unknown", async () => {
    const token = await upload(t, stranger, sliced)
    const answer = await farm.request('POST', '/files', { upload_token: token })
    expect(answer.json().error.code).toBe('FILE_NOT_UPLOADED')
  })

  test('an address to which nothing was sent makes no file', async () => {
    const { token } = (await farm.request('POST', '/files/upload-url', { filename: 'a.gcode' })).json().data
    const answer = await farm.request('POST', '/files', { upload_token: token })
    expect(answer.json().error).toMatchObject({ code: 'FILE_NOT_UPLOADED' })
  })

  test("another account's product is no product, and the upload stays usable", async () => {
    const token = await upload(t, farm, sliced)
    const foreign = await addProduct(stranger)
    const refused = await farm.request('POST', '/files', { upload_token: token, product_id: foreign })
    expect(refused.statusCode).toBe(404)
    expect(refused.json().error.code).toBe('PRODUCT_NOT_FOUND')
    expect((await farm.request('POST', '/files', { upload_token: token })).statusCode).toBe(201)
  })

  test('what is no print file is refused with the reason, its bytes are removed, and the address takes another', async () => {
    const picture = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(newId('frame'))])
    const token = await upload(t, farm, picture)
    const [row] = await t.db.sql<{ sha256: string }[]>`select sha256 from uploads where account_id = ${farm.id}`
    const path = t.context.files.pathOf(row?.sha256 as string)
    expect(existsSync(path)).toBe(true)
    const refused = await farm.request('POST', '/files', { upload_token: token })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().error).toMatchObject({
      code: 'INVALID_FILE',
      message: expect.stringContaining('it looks like a picture'),
    })
    expect(existsSync(path)).toBe(false)
    await putBytes(t, token, sliced)
    expect((await farm.request('POST', '/files', { upload_token: token })).statusCode).toBe(201)
  })

  test('a truncated archive is refused as damaged', async () => {
    const archive = buildGcode3mf()
    const token = await upload(t, farm, archive.subarray(0, archive.length - 40), 'cut.gcode.3mf')
    const refused = await farm.request('POST', '/files', { upload_token: token })
    expect(refused.json().error.code).toBe('INVALID_FILE')
  })

  test('an archive that would unpack to far more than it is, is refused', async () => {
    const bomb = buildZip([
      { name: '[Content_Types].xml', bytes: '<Types/>' },
      { name: 'Metadata/slice_info.config', bytes: Buffer.alloc(80 * 1024 * 1024, 0x20) },
      { name: 'Metadata/plate_1.gcode', bytes: 'G28\n' },
    ])
    expect(bomb.length).toBeLessThan(200_000)
    const token = await upload(t, farm, bomb, 'bomb.gcode.3mf')
    const refused = await farm.request('POST', '/files', { upload_token: token })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().error.code).toBe('INVALID_FILE')
  })

  test('of several plates the first is taken, another when named, and a wrong one is refused with those there are', async () => {
    const archive = buildGcode3mf({
      plates: [
        { index: 2, predictionSeconds: 600 },
        { index: 3, predictionSeconds: 1200 },
      ],
    })
    const first = await farm.request('POST', '/files', { upload_token: await upload(t, farm, archive, 'a.gcode.3mf') })
    expect(first.json().data.print_time_seconds).toBe(600)
    const token = await upload(t, farm, archive, 'a.gcode.3mf')
    const wrong = await farm.request('POST', '/files', { upload_token: token, plate: 1 })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json().error.details).toEqual({ plate: ['must be one of the plates of the file: 2, 3'] })
    const third = await farm.request('POST', '/files', { upload_token: token, plate: 3 })
    expect(third.json().data.print_time_seconds).toBe(1200)
    const plates = await t.db.sql`
      select archive_plate from print_file_versions where account_id = ${farm.id} order by created_at`
    expect(plates).toEqual([{ archive_plate: 2 }, { archive_plate: 3 }])
  })
})

describe('listing', () => {
  test('files come newest first, in pages, and by product, model and part of the name', async () => {
    const product = await addProduct(farm)
    const one = await addTestFile(t, farm, sliced, { name: 'Hook 100%', product_id: product })
    const two = await addTestFile(t, farm, sliced, { name: 'Bracket' })
    await addTestFile(t, stranger, sliced)
    const ids = async (query: string) =>
      (await farm.request('GET', `/files?${query}`)).json().data.map((file: { id: string }) => file.id)
    expect(await ids('')).toEqual([two.id, one.id])
    expect(await ids('limit=1&offset=1')).toEqual([one.id])
    expect(await ids(`product_id=${product}`)).toEqual([one.id])
    expect(await ids('search=hook')).toEqual([one.id])
    expect(await ids('search=0%25')).toEqual([one.id])
    expect(await ids('search=_')).toEqual([])
    expect(await ids('printer_model_id=nothing')).toEqual([])
  })

  test.each(['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'search='])('%s is refused', async (query) => {
    expect((await farm.request('GET', `/files?${query}`)).json().error.code).toBe('VALIDATION_ERROR')
  })
})

describe('changing a file', () => {
  test('name, product and pieces are changed, and only those given', async () => {
    const product = await addProduct(farm)
    const file = await addTestFile(t, farm, sliced, { product_id: product })
    const renamed = await farm.request('PATCH', `/files/${file.id}`, { name: 'New' })
    expect(renamed.json().data).toMatchObject({ name: 'New', product_id: product, number_of_units: 1 })
    const freed = await farm.request('PATCH', `/files/${file.id}`, { product_id: null, number_of_units: 3 })
    expect(freed.json().data).toMatchObject({ name: 'New', product_id: null, number_of_units: 3 })
  })

  test.each([[{}], [{ name: '' }], [{ name: null }], [{ number_of_units: 0 }], [{ number_of_units: '2' }]])(
    '%j is refused',
    async (body) => {
      const file = await addTestFile(t, farm, sliced)
      const answer = await farm.request('PATCH', `/files/${file.id}`, body)
      expect(answer.json().error.code).toBe('VALIDATION_ERROR')
    },
  )

  test("another account's product is no product", async () => {
    const file = await addTestFile(t, farm, sliced)
    const answer = await farm.request('PATCH', `/files/${file.id}`, { product_id: await addProduct(stranger) })
    expect(answer.json().error.code).toBe('PRODUCT_NOT_FOUND')
  })
})

describe('versions', () => {
  test('a new version becomes the current one, and an older one can be made so again', async () => {
    const file = await addTestFile(t, farm, sliced, { number_of_units: 2 })
    const archive = buildGcode3mf({ plates: [{ predictionSeconds: 777 }] })
    const token = await upload(t, farm, archive, 'b.gcode.3mf')
    const second = await farm.request('POST', `/files/${file.id}/versions`, { upload_token: token, notes: 'faster' })
    expect(second.statusCode).toBe(201)
    expect(second.json().data.file).toMatchObject({
      file_size_bytes: archive.length,
      print_time_seconds: 777,
      number_of_units: 2,
      versions: [
        { version_number: 2, notes: 'faster', is_current_version: true },
        { version_number: 1, is_current_version: false },
      ],
    })
    const back = await farm.request('PUT', `/files/${file.id}/versions/1/current`)
    expect(back.statusCode).toBe(200)
    expect(back.json().data).toMatchObject({ file_size_bytes: sliced.length })
    const absent = await farm.request('PUT', `/files/${file.id}/versions/3/current`)
    expect(absent.json().error.code).toBe('NOT_FOUND')
    expect((await farm.request('GET', `/files/${file.id}`)).json().data).toEqual(back.json().data)
  })

  test('versions added at the same time get numbers of their own', async () => {
    const file = await addTestFile(t, farm, sliced)
    const tokens = await Promise.all([1, 2, 3].map(() => upload(t, farm, sliced)))
    const answers = await Promise.all(
      tokens.map((token) => farm.request('POST', `/files/${file.id}/versions`, { upload_token: token })),
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201])
    const { versions } = (await farm.request('GET', `/files/${file.id}`)).json().data
    expect(versions.map((version: { version_number: number }) => version.version_number)).toEqual([4, 3, 2, 1])
  })

  test('a hundred versions are the most', async () => {
    const file = await addTestFile(t, farm, sliced)
    await t.db.sql`
      insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
        sha256, file_size_bytes, format, is_sliced, metadata)
      select account_id, id || '_' || n, print_file_id, n, false, original_name, sha256, file_size_bytes, format,
        is_sliced, metadata
      from print_file_versions, generate_series(2, 100) n
      where account_id = ${farm.id} and print_file_id = ${file.id}`
    const token = await upload(t, farm, sliced)
    const answer = await farm.request('POST', `/files/${file.id}/versions`, { upload_token: token })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.code).toBe('MAX_VERSIONS_REACHED')
  })
})

describe('deleting a file', () => {
  test('takes it from the lists and its bytes from the store', async () => {
    const file = await addTestFile(t, farm, slicedAnew())
    const [stored] = await hashesOf(farm)
    const deleted = await farm.request('DELETE', `/files/${file.id}`)
    expect(deleted.json()).toEqual({ success: true, data: { id: file.id, deleted: true } })
    expect((await farm.request('GET', '/files')).json().data).toEqual([])
    expect((await farm.request('GET', `/files/${file.id}`)).statusCode).toBe(404)
    expect((await farm.request('DELETE', `/files/${file.id}`)).statusCode).toBe(404)
    expect(existsSync(t.context.files.pathOf(stored?.sha256 as string))).toBe(false)
  })

  test('leaves bytes that another account needs', async () => {
    const content = slicedAnew()
    const mine = await addTestFile(t, farm, content)
    const theirs = await addTestFile(t, stranger, content)
    const [stored] = await hashesOf(farm)
    const path = t.context.files.pathOf(stored?.sha256 as string)
    await farm.request('DELETE', `/files/${mine.id}`)
    expect(existsSync(path)).toBe(true)
    expect((await stranger.request('GET', `/files/${theirs.id}/content`)).rawPayload.equals(content)).toBe(true)
    await stranger.request('DELETE', `/files/${theirs.id}`)
    expect(existsSync(path)).toBe(false)
  })

  test('never takes bytes that another account is just sending', async () => {
    const content = slicedAnew()
    for (let round = 0; round < 15; round++) {
      const mine = await addTestFile(t, farm, content)
      const [token] = await Promise.all([
        upload(t, stranger, content),
        farm.request('DELETE', `/files/${mine.id}`),
        farm.request('DELETE', `/files/${mine.id}`),
      ])
      const added = await stranger.request('POST', '/files', { upload_token: token })
      expect(added.statusCode, `round ${round}`).toBe(201)
      const { id } = added.json().data
      const got = await stranger.request('GET', `/files/${id}/content`)
      expect(got.rawPayload.equals(content), `round ${round}`).toBe(true)
      await stranger.request('DELETE', `/files/${id}`)
    }
  })

  test('is refused while a job is still to print it', async () => {
    const file = await addTestFile(t, farm, sliced)
    const job = await addJob(farm, file, 'queued')
    const refused = await farm.request('DELETE', `/files/${file.id}`)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().error.code).toBe('RESOURCE_IN_USE')
    await t.db.sql`update jobs set status = 'completed' where account_id = ${farm.id} and id = ${job}`
    expect((await farm.request('DELETE', `/files/${file.id}`)).statusCode).toBe(200)
  })
})

describe('downloads', () => {
  test('the picture is served with a fixed type and may be kept for a while', async () => {
    const picture = drawPng(64, 64, [200, 100, 0])
    const file = await addTestFile(t, farm, buildGcode3mf({ plates: [{ thumbnail: picture }] }))
    expect(file).toMatchObject({ has_thumbnail: true })
    const answer = await farm.request('GET', `/files/${file.id}/thumbnail`)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(picture)).toBe(true)
    const [stored] = await hashesOf(farm)
    const path = t.context.files.pathOf(stored?.thumbnail_sha256 as string)
    expect(existsSync(path)).toBe(true)
    await farm.request('DELETE', `/files/${file.id}`)
    expect(existsSync(path)).toBe(false)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(answer.rawPayload.length),
      'cache-control': 'private, max-age=300',
      'x-content-type-options': 'nosniff',
    })
  })

  test('a file that shows nothing and prints nothing has no picture', async () => {
    const file = await addTestFile(t, farm, Buffer.from('solid part\n facet normal 0 0 1\nendsolid part\n'))
    expect((await farm.request('GET', `/files/${file.id}/thumbnail`)).json().error.code).toBe('NOT_FOUND')
  })

  test('the bytes come as an attachment, whole or one range of them', async () => {
    const file = await addTestFile(t, farm, sliced)
    const get = (range?: string) => farm.request('GET', `/files/${file.id}/content`, undefined, range ? { range } : {})
    const whole = await get()
    expect(whole.statusCode).toBe(200)
    expect(whole.rawPayload.equals(sliced)).toBe(true)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(sliced.length),
      'content-disposition': `attachment; filename="${slicedFileName}"; filename*=UTF-8''${slicedFileName}`,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
    const part = await get('bytes=10-19')
    expect(part.statusCode).toBe(206)
    expect(part.rawPayload.equals(sliced.subarray(10, 20))).toBe(true)
    expect(part.headers).toMatchObject({
      'content-length': '10',
      'content-range': `bytes 10-19/${sliced.length}`,
    })
    const outside = await get(`bytes=${sliced.length}-`)
    expect(outside.statusCode).toBe(416)
    expect(outside.headers['content-range']).toBe(`bytes */${sliced.length}`)
    expect(outside.json().error.code).toBe('RANGE_NOT_SATISFIABLE')
    expect((await get('bytes=0-1,5-6')).rawPayload.equals(sliced)).toBe(true)
  })

  test('a name that is not plain text cannot break the header', async () => {
    const token = await upload(t, farm, sliced, 'Größe "5".gcode')
    const { id } = (await farm.request('POST', '/files', { upload_token: token })).json().data
    const { headers } = await farm.request('GET', `/files/${id}/content`)
    expect(headers['content-disposition']).toBe(
      `attachment; filename="Gr__e _5_.gcode"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%225%22.gcode`,
    )
  })

  test.skipIf(!existsSync('/proc/self/fd'))('a download that breaks off leaves no file open', async () => {
    const file = await addTestFile(t, farm, Buffer.concat([sliced, Buffer.alloc(20_000_000, '; filler\n')]))
    const [stored] = await hashesOf(farm)
    const path = t.context.files.pathOf(stored?.sha256 as string)
    const listOpen = async () => {
      const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
      return (await Promise.all(links)).filter((target) => target === path)
    }
    const address = await t.app.listen({ host: '127.0.0.1', port: 0 })
    let mostOpen = 0
    for (let round = 0; round < 10; round++) {
      const abort = new AbortController()
      const answer = await fetch(`${address}/public/v1/files/${file.id}/content`, {
        headers: { authorization: `Bearer ${farm.key}` },
        signal: abort.signal,
      })
      await answer.body?.getReader().read()
      mostOpen = Math.max(mostOpen, (await listOpen()).length)
      abort.abort()
    }
    expect(mostOpen).toBeGreaterThan(0)
    await vi.waitFor(async () => expect(await listOpen()).toEqual([]))
  })

  test('bytes that are gone from the disk are our weather, not a missing file', async () => {
    const file = await addTestFile(t, farm, slicedAnew())
    const [stored] = await hashesOf(farm)
    await t.context.files.remove(stored?.sha256 as string)
    const answer = await farm.request('GET', `/files/${file.id}/content`)
    expect(answer.statusCode).toBe(503)
    expect(answer.json().error.message).toContain('stored file')
  })
})

test('the description of the API says what each file route takes and answers', async () => {
  const { paths } = (await t.app.inject('/public/v1/openapi.json')).json()
  const binary = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  const put = paths['/public/v1/files/upload/{token}'].put
  expect(put.requestBody.content).toEqual(binary)
  expect(put.security).toEqual([])
  const download = paths['/public/v1/files/{id}/content'].get
  expect(Object.keys(download.responses)).toEqual(expect.arrayContaining(['200', '206', '304', '404', '416']))
  expect(download.responses[206].content).toEqual(binary)
})
