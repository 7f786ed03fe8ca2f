import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { TestAccount, TestApp } from '../app/test-app.ts'

/** An image of noise, each another one, so that no two have the same content. */
export async function drawImage(
  format: 'jpeg' | 'png' | 'webp' | 'gif' = 'png',
  { width = 60, height = 40 }: { width?: number; height?: number } = {},
): Promise<Buffer> {
  const pixels = randomBytes(width * height * 3)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer()
}

/** A PNG whose header claims this size, with rows for the first `rows` of it: a few kilobytes, whatever they claim. */
export function drawHugePng(width: number, height: number, rows: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc((width + 1) * rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, check])
}

/** A form as `fetch` would send it; a Buffer is a file. */
export async function encodeForm(fields: [name: string, value: Buffer | string][], fileName = 'photo.png') {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)], { type: 'text/html' }), fileName)
  }
  const response = new Response(form)
  return {
    contentType: response.headers.get('content-type') as string,
    body: Buffer.from(await response.arrayBuffer()),
  }
}

export async function postForm(
  t: TestApp,
  account: Pick<TestAccount, 'key'>,
  productId: string,
  form: { contentType: string; body: Buffer },
  headers: Record<string, string> = {},
) {
  return t.app.inject({
    method: 'POST',
    url: `/public/v1/products/${productId}/images`,
    headers: { authorization: `Bearer ${account.key}`, 'content-type': form.contentType, ...headers },
    payload: form.body,
  })
}

export async function postImage(
  t: TestApp,
  account: Pick<TestAccount, 'key'>,
  productId: string,
  image: Buffer,
  headers: Record<string, string> = {},
) {
  return postForm(t, account, productId, await encodeForm([['image', image]]), headers)
}
