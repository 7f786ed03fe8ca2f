import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { drawHugePng, drawImage } from '../../../test/farm/test-images.ts'
import { createThumbnailer } from './thumbnails.ts'

const [own, other] = [newId('account'), newId('account')]
const inTurns = createThumbnailer()
const thumbnailer = { make: (image: Buffer) => inTurns.make(image, own) }
const invalid = (why: string) => ({ code: 'INVALID_FILE', message: expect.stringContaining(why) })

test.each(['jpeg', 'png', 'webp', 'gif'] as const)('a thumbnail of a %s is a WebP of its form', async (format) => {
  const { imageType, bytes } = await thumbnailer.make(await drawImage(format, { width: 900, height: 300 }))
  expect(imageType).toBe(`image/${format}`)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 480, height: 160 })
})

test('a small image is not enlarged', async () => {
  const { bytes } = await thumbnailer.make(await drawImage('png', { width: 30, height: 50 }))
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 50 })
})

test('what the camera wrote is not in the thumbnail, and its sideways images stand upright', async () => {
  const photo = await sharp({ create: { width: 100, height: 50, channels: 3, background: 'red' } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Someone' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect((await sharp(photo).metadata()).exif).toBeDefined()
  const { bytes } = await thumbnailer.make(photo)
  const { width, height, exif, orientation } = await sharp(bytes).metadata()
  expect({ width, height, exif, orientation }).toEqual({
    width: 50,
    height: 100,
    exif: undefined,
    orientation: undefined,
  })
})

describe('refused is', () => {
  test.each(['jpeg', 'png', 'webp', 'gif'] as const)('a %s that is cut off, wherever', async (format) => {
    const image = await drawImage(format, { width: 300, height: 200 })
    for (const part of [0.01, 0.5, 0.95]) {
      const cut = image.subarray(0, Math.max(16, Math.floor(image.length * part)))
      await expect(thumbnailer.make(cut), `${part}`).rejects.toMatchObject(invalid('damaged'))
    }
  })

  test('an image whose bytes were changed', async () => {
    const image = await drawImage('png', { width: 300, height: 200 })
    image.fill(0, image.length >> 1, (image.length >> 1) + 100)
    await expect(thumbnailer.make(image)).rejects.toMatchObject(invalid('damaged'))
  })

  test.each([
    ['nothing', ''],
    ['a drawing in SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['a page', '<!doctype html><img src="x">'],
    ['a TIFF', 'II*\0\b\0\0\0'],
  ])('%s', async (_, content) => {
    await expect(thumbnailer.make(Buffer.from(content))).rejects.toMatchObject(invalid('not a JPEG'))
  })

  test('an image that claims billions of pixels, without making room for them', async () => {
    const bomb = drawHugePng(60_000, 60_000, 100)
    expect(bomb.length).toBeLessThan(20_000)
    const before = process.resourceUsage().maxRSS
    await expect(thumbnailer.make(bomb)).rejects.toMatchObject(invalid('60000 × 60000 pixels'))
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000)
  })

  test('an image of just more than 50 million pixels; one of just as many is taken', async () => {
    await expect(thumbnailer.make(drawHugePng(10_000, 5_001, 5_001))).rejects.toMatchObject(invalid('50 million'))
    expect((await thumbnailer.make(drawHugePng(10_000, 5_000, 5_000))).imageType).toBe('image/png')
  })

  test('what comes when 32 wait already; those are served', async () => {
    const image = await drawImage()
    const waiting = Array.from({ length: 32 }, () => thumbnailer.make(image))
    await expect(thumbnailer.make(image)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })
    expect((await Promise.all(waiting)).length).toBe(32)
    expect((await thumbnailer.make(image)).imageType).toBe('image/png')
  })

  test('what waits too long for its turn', async () => {
    const impatient = createThumbnailer({ longestWaitMs: 1 })
    const [slow, next] = [drawHugePng(10_000, 5_000, 5_000), await drawImage()]
    const first = impatient.make(slow, own)
    await expect(impatient.make(next, own)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await first).imageType).toBe('image/png')
  })
})

test('the event loop goes on while an image is decoded', async () => {
  const image = await drawImage('jpeg', { width: 2000, height: 1500 })
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  await thumbnailer.make(image)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
})

test('accounts take turns: an image does not wait for all those of another account, nor are they counted for it', async () => {
  const image = await drawImage('png', { width: 300, height: 200 })
  const done: string[] = []
  const many = Array.from({ length: 32 }, (_, number) =>
    inTurns.make(image, own).then(() => done.push(`own ${number}`)),
  )
  const one = inTurns.make(image, other).then(() => done.push('other'))
  await one
  expect(done.at(-1)).toBe('other')
  // One was being made, and one was next.
  expect(done.length).toBeLessThanOrEqual(3)
  await Promise.all(many)
  expect(done).toHaveLength(33)
})
