import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openStream, sealStream } from './sealed-stream.ts'

const master = randomBytes(32)
const chunk = 64 * 1024
const stored = chunk + 16
const head = 8 + 32

const seal = (content: Buffer, purpose = 'table jobs') =>
  buffer(Readable.from(pieces(content, 10_007)).pipe(sealStream(master, purpose)))

const open = (sealed: Buffer, purpose = 'table jobs', key = master) =>
  buffer(Readable.from(pieces(sealed, 7_919)).pipe(openStream(key, purpose)))

function pieces(content: Buffer, size: number): Buffer[] {
  const count = Math.max(1, Math.ceil(content.length / size))
  return Array.from({ length: count }, (_, index) => content.subarray(index * size, (index + 1) * size))
}

test.each([0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 5])(
  '%d bytes come back as they were',
  async (size) => {
    const content = randomBytes(size)
    const sealed = await seal(content)
    expect(sealed.length).toBe(head + size + 16 * Math.max(1, Math.ceil(size / chunk)))
    expect((await open(sealed)).equals(content)).toBe(true)
  },
)

test('the same content is sealed in another way each time', async () => {
  const content = randomBytes(100)
  expect((await seal(content)).equals(await seal(content))).toBe(false)
})

const content = randomBytes(3 * chunk + 100)
const changes: [string, (sealed: Buffer) => Buffer][] = [
  [
    'a changed bit',
    (sealed) =>
      Buffer.concat([sealed.subarray(0, 5_000), Buffer.from([(sealed[5_000] ?? 0) ^ 1]), sealed.subarray(5_001)]),
  ],
  ['a changed salt', (sealed) => Buffer.concat([sealed.subarray(0, 10), Buffer.from([1]), sealed.subarray(11)])],
  ['a last chunk that is cut off', (sealed) => sealed.subarray(0, head + 3 * stored)],
  ['a cut within a chunk', (sealed) => sealed.subarray(0, head + stored + 1_000)],
  ['nothing but the head', (sealed) => sealed.subarray(0, head)],
  ['a part of the head', (sealed) => sealed.subarray(0, 20)],
  ['nothing at all', () => Buffer.alloc(0)],
  ['bytes at the end', (sealed) => Buffer.concat([sealed, Buffer.from('more')])],
  [
    'two chunks that changed places',
    (sealed) =>
      Buffer.concat([
        sealed.subarray(0, head),
        sealed.subarray(head + stored, head + 2 * stored),
        sealed.subarray(head, head + stored),
        sealed.subarray(head + 2 * stored),
      ]),
  ],
  [
    'a chunk that is left out',
    (sealed) => Buffer.concat([sealed.subarray(0, head + stored), sealed.subarray(head + 2 * stored)]),
  ],
]

test.each(changes)('%s is refused', async (_, change) => {
  await expect(open(change(await seal(content)))).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' })
})

test('a part opens only as what it is, and by its own key', async () => {
  const sealed = await seal(content)
  await expect(open(sealed, 'table orders')).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' })
  await expect(open(sealed, 'table jobs', randomBytes(32))).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' })
})
