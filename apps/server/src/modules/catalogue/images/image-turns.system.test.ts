import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { appForAllTests } from '../../../test/app/app-hooks.ts'
import type { TestAccount } from '../../../test/app/test-app.ts'
import { drawImage } from '../../../test/farm/test-images.ts'

/** Forms of one account that are read at once. */
const formsAtOnce = 8

const t = appForAllTests()
let port: number
let image: Buffer
beforeAll(async () => {
  port = Number(new URL(await t.app.listen({ host: '127.0.0.1', port: 0 })).port)
  image = await drawImage('png', { width: 30, height: 30 })
})

async function productOf(account: TestAccount): Promise<string> {
  return (await account.request('POST', '/products', { name: crypto.randomUUID() })).json().data.id
}

/** Sends so much of a form with an image; `answer` is what has come back. */
function sendForm(account: TestAccount, productId: string, { part = 1 } = {}): { socket: Socket; answer(): string } {
  const head =
    '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
  const form = Buffer.concat([Buffer.from(head), image, Buffer.from('\r\n--b--\r\n')])
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.on('error', () => undefined)
  socket.write(
    `POST /public/v1/products/${productId}/images HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${account.key}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length}\r\n\r\n`,
  )
  socket.write(form.subarray(0, Math.floor(form.length * part)))
  onTestFinished(() => void socket.destroy())
  return { socket, answer: () => answer }
}

test('an account has so many images read at once, the next is not even read, and another account waits for none', async () => {
  const [hostile, other] = [await t.account(), await t.account()]
  const productId = await productOf(hostile)
  const held = Array.from({ length: formsAtOnce }, () => sendForm(hostile, productId, { part: 0.5 }))
  await wait(100)
  const next = sendForm(hostile, productId)
  const ofOther = sendForm(other, await productOf(other))
  await expect.poll(ofOther.answer).toContain('HTTP/1.1 201')
  expect(next.answer()).toBe('')
  held[0]?.socket.destroy()
  await expect.poll(next.answer).toContain('HTTP/1.1 201')
})
