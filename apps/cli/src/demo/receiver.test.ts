import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from './receiver.ts'

test('the receiver takes what is sent to it, on the port of the start before or on another one', async () => {
  const first = await startReceiver()
  onTestFinished(() => first.stop())
  const answer = await fetch(`${first.url}/shop`, { method: 'POST', body: '{"type":"order.fulfilled"}' })
  expect(answer.status).toBe(204)
  const second = await startReceiver(first.port)
  onTestFinished(() => second.stop())
  expect(second.port).not.toBe(first.port)
  const third = await startReceiver()
  await third.stop()
  const again = await startReceiver(third.port)
  onTestFinished(() => again.stop())
  expect(again.port).toBe(third.port)
})
