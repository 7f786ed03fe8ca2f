import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { addProduct } from '../test/farm/test-catalogue.ts'
import { drawImage, postImage } from '../test/farm/test-images.ts'
import { dataOf, expectForm, type Form, keepsCommonPromises } from './expectations.ts'

const imageForm: Form = { id: 'string', sort_order: 'number', url: 'string', thumb_url: 'string' }

type Image = { id: string; sort_order: number; url: string; thumb_url: string }

let productId: string
const { t, account } = accountForAllTests()
beforeEach(async () => {
  productId = (await addProduct(account)).id
})

const list = async (): Promise<Image[]> => dataOf(await account.request('GET', `/products/${productId}/images`))
const heroOf = async () => dataOf(await account.request('GET', `/products/${productId}`)).image_url
const fetchImage = (address: string) => t.app.inject({ method: 'GET', url: new URL(address).pathname })

async function addImage(size?: { width: number; height: number }): Promise<Image & { bytes: Buffer }> {
  const bytes = await drawImage('png', size)
  return { ...dataOf(await postImage(t, account, productId, bytes), 201), bytes }
}

keepsCommonPromises({ method: 'GET', path: '/products/:id/images', scope: 'read' }, () => ({
  t,
  account,
  id: productId,
}))

test('200: an empty list without images, and then the product has no image_url', async () => {
  expect(await list()).toEqual([])
  expect(await heroOf()).toBeNull()
})

test('200: images by sort_order with exactly their fields; the first one is the image_url of the product', async () => {
  const [a, b, c] = [await addImage(), await addImage(), await addImage()]
  const images = await list()
  for (const image of images) expectForm(image, imageForm)
  expect(images.map(({ id, sort_order }) => [id, sort_order])).toEqual([
    [a.id, 0],
    [b.id, 1],
    [c.id, 2],
  ])
  expect(await heroOf()).toBe(images[0]?.url)
  await account.request('PUT', `/products/${productId}/images/order`, { image_ids: [c.id, a.id, b.id] })
  const reordered = await list()
  expect(reordered.map(({ id, sort_order }) => [id, sort_order])).toEqual([
    [c.id, 0],
    [a.id, 1],
    [b.id, 2],
  ])
  expect(await heroOf()).toBe(c.url)
})

test('url and thumb_url need no key, cannot be guessed, and show the image and a smaller WebP of it', async () => {
  const image = await addImage({ width: 1000, height: 600 })
  expect(image.url).toMatch(/^https?:\/\/.+\/[0-9a-f]{32}$/)
  const [whole, thumb] = await Promise.all([fetchImage(image.url), fetchImage(image.thumb_url)])
  expect([whole.statusCode, whole.headers['content-type']]).toEqual([200, 'image/png'])
  expect(whole.rawPayload.equals(image.bytes)).toBe(true)
  expect([thumb.statusCode, thumb.headers['content-type']]).toEqual([200, 'image/webp'])
  const { format, width = 0 } = await sharp(thumb.rawPayload).metadata()
  expect(format).toBe('webp')
  expect(width).toBeLessThan(1000)
  expect(thumb.rawPayload.length).toBeLessThan(whole.rawPayload.length)
  expect(whole.headers['cache-control']).toContain('immutable')
})

test('images of other products are not among them', async () => {
  await addImage()
  productId = (await addProduct(account)).id
  expect(await list()).toEqual([])
})
