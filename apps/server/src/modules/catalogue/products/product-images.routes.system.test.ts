import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ProductId } from '../../../kernel/ids.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { createTestApp } from '../../../test/app/test-app.ts'
import { addProduct } from '../../../test/farm/test-catalogue.ts'
import { drawHugePng, drawImage, encodeForm, postForm, postImage } from '../../../test/farm/test-images.ts'
import { explaining, readPlan } from '../../../test/run/query-plan.ts'
import { removeStaleUploads } from '../../files/uploads.service.ts'
import { listImagesOfProducts } from '../images/product-images.queries.ts'

let product: { id: string; updated_at: string }
const { t, account: farm } = accountForEachTest()
beforeEach(async () => {
  product = await addProduct(farm)
})

interface Image {
  id: string
  sort_order: number
  url: string
  thumb_url: string
}

async function addImage(image?: Buffer): Promise<Image> {
  const answer = await postImage(t, farm, product.id, image ?? (await drawImage()))
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

const listed = async () => (await farm.request('GET', `/products/${product.id}/images`)).json().data as Image[]

const eventsOf = (accountId: string) =>
  t.db.sql`
    select type, subject_id, data from events
    where account_id = ${accountId} and type like 'product.image%' order by id`

async function storedPaths(imageId: string): Promise<string[]> {
  const [row] = await t.db.sql`
    select sha256, thumb_sha256 from product_images where account_id = ${farm.id} and id = ${imageId}`
  return [t.context.files.pathOf(row?.sha256), t.context.files.pathOf(row?.thumb_sha256)]
}

const get = (url: string) => t.app.inject(new URL(url).pathname)

describe('POST /products/{id}/images', () => {
  test.each(['jpeg', 'png', 'webp', 'gif'] as const)('keeps a %s, and makes a WebP thumbnail', async (format) => {
    const content = await drawImage(format, { width: 700, height: 500 })
    const image = await addImage(content)
    expect(image).toEqual({
      id: expect.stringMatching(/^img_/),
      sort_order: 0,
      url: expect.stringMatching(/^http:\/\/localhost:80\/images\/[0-9a-f]{32}$/),
      thumb_url: `${image.url}/thumb`,
    })
    const full = await get(image.url)
    expect(full.rawPayload.equals(content)).toBe(true)
    expect(full.headers).toMatchObject({
      'content-type': `image/${format}`,
      'content-length': String(content.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    const thumb = await get(image.thumb_url)
    expect(thumb.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' })
    expect(await sharp(thumb.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 480, height: 343 })
    expect(await eventsOf(farm.id)).toEqual([
      { type: 'product.image_added', subject_id: product.id, data: { image_id: image.id } },
    ])
  })

  test('the first image is the image_url of the product, which shows all of them in order', async () => {
    const images = [await addImage(), await addImage(), await addImage()]
    expect(images.map((image) => image.sort_order)).toEqual([0, 1, 2])
    expect(await listed()).toEqual(images)
    const shown = (await farm.request('GET', `/products/${product.id}`)).json().data
    expect(shown).toMatchObject({ image_url: images[0]?.url, images })
    expect(shown.updated_at > product.updated_at).toBe(true)
    const other = await addProduct(farm)
    expect((await farm.request('GET', '/products')).json().data).toEqual([other, shown])
    expect(other).toMatchObject({ image_url: null, images: [] })
  })

  test('fields besides the image are dropped, and neither its name nor its claimed type counts', async () => {
    const form = await encodeForm(
      [
        ['caption', 'unknown'],
        ['other', Buffer.from('not an image')],
        ['image', await drawImage('jpeg')],
      ],
      '../../<script>.html',
    )
    const answer = await postForm(t, farm, product.id, form)
    expect(answer.statusCode, answer.body).toBe(201)
    expect((await get(answer.json().data.url)).headers['content-type']).toBe('image/jpeg')
  })

  test('bytes that are no image, or a damaged one, are refused and nothing is kept', async () => {
    const image = await drawImage('jpeg', { width: 300, height: 200 })
    const refused = [
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      image.subarray(0, image.length >> 1),
      drawHugePng(60_000, 60_000, 10),
    ]
    for (const bytes of refused) {
      const answer = await postImage(t, farm, product.id, bytes)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error.code).toBe('INVALID_FILE')
    }
    expect(await listed()).toEqual([])
  })

  test('5 MB are taken, one byte more is not', async () => {
    const image = await drawImage('gif')
    const grown = (sizeBytes: number) => Buffer.concat([image, Buffer.alloc(sizeBytes - image.length)])
    const tooLarge = await postImage(t, farm, product.id, grown(5_000_001))
    expect(tooLarge.statusCode).toBe(413)
    expect(tooLarge.json().error).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('5 MB'),
    })
    expect(await listed()).toEqual([])
    await addImage(grown(5_000_000))
  })

  test.each<[string, [string, Buffer | string][], unknown]>([
    ['no field', [], { image: ['is required'] }],
    ['a file of another name', [['picture', Buffer.from('x')]], { image: ['is required'] }],
    ['text instead of a file', [['image', 'photo.png']], { image: ['must be a file'] }],
    [
      'two files',
      [
        ['image', Buffer.from('a')],
        ['image', Buffer.from('b')],
      ],
      { image: ['must be a single file'] },
    ],
  ])('%s is refused by name', async (_, fields, details) => {
    const answer = await postForm(t, farm, product.id, await encodeForm(fields))
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details })
  })

  test('a body that is no form, or a broken one, is refused in its own way', async () => {
    const { contentType, body } = await encodeForm([['image', await drawImage()]])
    const send = async (type: string, content: Buffer) =>
      (await postForm(t, farm, product.id, { contentType: type, body: content })).json().error.code
    expect(await send('application/json', Buffer.from('{}'))).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect(await send('image/png', await drawImage())).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect(await send('multipart/form-data', body)).toBe('VALIDATION_ERROR')
    expect(await send(contentType, Buffer.from('no boundary in here'))).toBe('VALIDATION_ERROR')
    expect(await send(contentType, body.subarray(0, body.length - 100))).toBe('UPLOAD_INCOMPLETE')
    expect(await listed()).toEqual([])
  })

  test('a product has at most 20 images, however many come at once', async () => {
    for (let n = 0; n < 17; n++) await addImage()
    const more = await Promise.all(Array.from({ length: 6 }, () => drawImage()))
    const answers = await Promise.all(more.map((image) => postImage(t, farm, product.id, image)))
    const statuses = answers.map((answer) => answer.statusCode).sort()
    expect(statuses).toEqual([201, 201, 201, 409, 409, 409])
    const refused = answers.find((answer) => answer.statusCode === 409)
    expect(refused?.json().error.code).toBe('IMAGE_CAP_REACHED')
    expect((await listed()).map((image) => image.sort_order)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    const incoming = join(t.context.config.dataDir, 'files', 'incoming')
    await t.settled(async () => (await readdir(incoming)).length === 0)
  })

  test('an Idempotency-Key covers the bytes of the image, however they are wrapped', async () => {
    const content = await drawImage()
    const key = { 'idempotency-key': 'photo-1' }
    const first = await postImage(t, farm, product.id, content, key)
    const again = await postForm(t, farm, product.id, await encodeForm([['image', content]], 'renamed.png'), key)
    expect(again.statusCode).toBe(201)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toBe(first.body)
    const other = await postImage(t, farm, product.id, await drawImage(), key)
    expect(other.json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await listed()).toHaveLength(1)
  })
})

describe('over a real connection', () => {
  test('an image without end is refused while it is still coming', async () => {
    const address = new URL(await t.app.listen({ host: '127.0.0.1', port: 0 }))
    const upload = httpRequest({
      host: address.hostname,
      port: address.port,
      method: 'POST',
      path: `/public/v1/products/${product.id}/images`,
      headers: {
        authorization: `Bearer ${farm.key}`,
        'content-type': 'multipart/form-data; boundary=b',
        'transfer-encoding': 'chunked',
      },
    })
    upload.on('error', () => undefined)
    const answered = new Promise<{ status: number | undefined; text: string }>((resolve) => {
      upload.on('response', async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode, text })
      })
    })
    upload.write('--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n')
    let isAnswered = false
    void answered.then(() => {
      isAnswered = true
    })
    for (let mb = 0; mb < 200 && !isAnswered; mb++) {
      upload.write(Buffer.alloc(1_000_000))
      await wait(5)
    }
    const { status, text } = await answered
    expect(status).toBe(413)
    expect(JSON.parse(text).error.code).toBe('PAYLOAD_TOO_LARGE')
    upload.destroy()
    expect(await listed()).toEqual([])
    // The service is none the worse for it.
    await addImage()
  })
})

describe('PUT /products/{id}/images/order', () => {
  const order = (imageIds: unknown) =>
    farm.request('PUT', `/products/${product.id}/images/order`, { image_ids: imageIds })

  test('gives the images another order, and the product another image_url', async () => {
    const [a, b, c] = [await addImage(), await addImage(), await addImage()]
    const answer = await order([c.id, a.id, b.id])
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toEqual([
      { ...c, sort_order: 0 },
      { ...a, sort_order: 1 },
      { ...b, sort_order: 2 },
    ])
    expect(await listed()).toEqual(answer.json().data)
    expect((await farm.request('GET', `/products/${product.id}`)).json().data.image_url).toBe(c.url)
    expect((await eventsOf(farm.id)).at(-1)).toMatchObject({
      type: 'product.images_ordered',
      data: { image_ids: [c.id, a.id, b.id] },
    })
  })

  test('takes exactly the images that are there', async () => {
    const [a, b] = [await addImage(), await addImage()]
    const other = (await postImage(t, farm, (await addProduct(farm)).id, await drawImage())).json().data
    const wrong = ['must name each image of the product exactly once, and no other']
    for (const ids of [[], [a.id], [a.id, b.id, other.id], [a.id, other.id], [a.id, 'img_unknown']]) {
      const answer = await order(ids)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details: { image_ids: wrong } })
    }
    expect((await order([a.id, a.id])).json().error.details).toEqual({ image_ids: ['must not repeat items'] })
    expect((await order(undefined)).json().error.details).toEqual({ image_ids: ['is required'] })
    expect(await listed()).toEqual([a, b])
  })
})

describe('DELETE /products/{id}/images/{imageId}', () => {
  test('lets the next ones move up, and takes the bytes and the address away', async () => {
    const [a, b, c] = [await addImage(), await addImage(), await addImage()]
    const paths = await storedPaths(a.id)
    expect(paths.map(existsSync)).toEqual([true, true])
    const answer = await farm.request('DELETE', `/products/${product.id}/images/${a.id}`)
    expect(answer.json()).toEqual({ success: true, data: { id: a.id, deleted: true } })
    expect(await listed()).toEqual([
      { ...b, sort_order: 0 },
      { ...c, sort_order: 1 },
    ])
    expect((await farm.request('GET', `/products/${product.id}`)).json().data.image_url).toBe(b.url)
    expect(paths.map(existsSync)).toEqual([false, false])
    for (const url of [a.url, a.thumb_url]) expect((await get(url)).statusCode).toBe(404)
    expect((await farm.request('DELETE', `/products/${product.id}/images/${a.id}`)).statusCode).toBe(404)
    expect((await addImage()).sort_order).toBe(2)
  })

  test('leaves bytes that another image needs, and the hourly sweep leaves both', async () => {
    const content = await drawImage()
    const [a, b] = [await addImage(content), await addImage(content)]
    expect(a.url).not.toBe(b.url)
    const paths = await storedPaths(b.id)
    await farm.request('DELETE', `/products/${product.id}/images/${a.id}`)
    await removeStaleUploads(t.context)
    expect(paths.map(existsSync)).toEqual([true, true])
    expect((await get(b.url)).rawPayload.equals(content)).toBe(true)
    expect((await get(b.thumb_url)).statusCode).toBe(200)
  })

  test('does not take an image of another product', async () => {
    const image = await addImage()
    const other = await addProduct(farm)
    const answer = await farm.request('DELETE', `/products/${other.id}/images/${image.id}`)
    expect(answer.statusCode).toBe(404)
    expect(await listed()).toEqual([image])
  })
})

test('images added, moved and deleted at the same time end in an order without gaps', async () => {
  const images = await Promise.all(Array.from({ length: 6 }, () => addImage()))
  const ids = images.map((image) => image.id)
  await Promise.all([
    ...ids.slice(0, 3).map((id) => farm.request('DELETE', `/products/${product.id}/images/${id}`)),
    farm.request('PUT', `/products/${product.id}/images/order`, { image_ids: ids.toReversed() }),
    addImage(),
    addImage(),
  ])
  expect((await listed()).map((image) => image.sort_order)).toEqual([0, 1, 2, 3, 4])
})

test('the images of a page of products are read by their index, however many there are', async () => {
  for (const { id } of [farm, await t.account()]) {
    await t.db.sql`
      insert into products (account_id, id, name) select ${id}, 'prd_' || n, 'Many ' || n from generate_series(1, 2000) n`
    await t.db.sql`
      insert into product_images
        (account_id, id, product_id, sort_order, token, content_type, sha256, thumb_sha256)
      select ${id}, 'img_' || n, 'prd_' || (n / 2 + 1), n % 2, ${id} || n, 'image/png', ${id} || n, ${id} || -n
      from generate_series(0, 3999) n`
  }
  await t.db.sql`analyze products, product_images`
  const ids = Array.from({ length: 50 }, (_, n) => `prd_${n + 1}` as ProductId)
  const page = readPlan(await listImagesOfProducts(explaining(t.db.sql), farm.id, ids))
  expect(page.indexes).toEqual(['product_images_order_key'])
  expect(page.nodes).not.toContain('Seq Scan')
})

test('behind a proxy the addresses are those of the public URL', async () => {
  const proxied = await createTestApp({ config: { publicUrl: 'https://farm.example' } })
  try {
    const account = await proxied.account()
    const { id } = await addProduct(account)
    const answer = await postImage(proxied, account, id, await drawImage())
    expect(answer.json().data.url).toMatch(/^https:\/\/farm\.example\/images\/[0-9a-f]{32}$/)
  } finally {
    await proxied.close()
  }
})

test.each(['', 'x', '0'.repeat(31), '0'.repeat(32), '../../etc/passwd', '%00', `${'0'.repeat(32)}/large`])(
  'the address /images/%s shows nothing, and may not be kept',
  async (path) => {
    const answer = await t.app.inject(`/images/${path}`)
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['cache-control']).toBe('no-store')
  },
)

test('bytes that are gone from the disk are our weather, and not kept for a year', async () => {
  const image = await addImage()
  const [path = ''] = await storedPaths(image.id)
  await t.context.files.remove(path.split('/').at(-1) as string)
  const answer = await get(image.url)
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['cache-control']).toBe('no-store')
})

const routes = [
  ['GET', '/products/{id}/images', 'read', undefined],
  ['PUT', '/products/{id}/images/order', 'write', { image_ids: [] }],
  ['DELETE', '/products/{id}/images/img_1', 'write', undefined],
] as const

test.each(routes)('%s %s needs a key of its scope, and shows no other account', async (method, path, scope, body) => {
  const url = path.replace('{id}', product.id)
  const keyless = await t.app.inject({ method, url: `/public/v1${url}`, ...(body && { payload: body }) })
  expect(keyless.json().error.code).toBe('UNAUTHORIZED')
  const others = (['read', 'write', 'control'] as const).filter((each) => each !== scope)
  const scopeless = await (await t.account({ scopes: others })).request(method, url, body)
  expect(scopeless.json().error.code).toBe('INSUFFICIENT_SCOPE')
  const stranger = await t.account()
  const foreign = await stranger.request(method, url, body)
  expect(foreign.statusCode).toBe(404)
  expect(foreign.body).toBe((await stranger.request(method, path.replace('{id}', 'prd_unknown'), body)).body)
})

test('adding an image needs a key of its scope, and finds no product of another account', async () => {
  const image = await drawImage()
  expect((await postImage(t, { key: 'none' }, product.id, image)).json().error.code).toBe('TOKEN_INVALID')
  const reader = await t.account({ scopes: ['read', 'control'] })
  expect((await postImage(t, reader, product.id, image)).json().error.code).toBe('INSUFFICIENT_SCOPE')
  const stranger = await t.account()
  const foreign = await postImage(t, stranger, product.id, image)
  expect(foreign.statusCode).toBe(404)
  expect(foreign.body).toBe((await postImage(t, stranger, 'prd_unknown', image)).body)
  expect((await postImage(t, farm, '%00', image)).json().error.code).toBe('VALIDATION_ERROR')
  expect(await listed()).toEqual([])
})

test('the description of the API says that the image is a file in a form', async () => {
  const { paths } = (await t.app.inject('/public/v1/openapi.json')).json()
  const { content } = paths['/public/v1/products/{id}/images'].post.requestBody
  expect(Object.keys(content)).toEqual(['multipart/form-data'])
  expect(content['multipart/form-data'].schema).toMatchObject({
    required: ['image'],
    properties: { image: { type: 'string', format: 'binary' } },
  })
})
