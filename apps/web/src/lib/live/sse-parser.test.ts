import { expect, test } from 'vitest'
import { createSseParser } from './sse-parser.ts'

const stream = ': hello\n\nid: evt_1\nevent: change\ndata: {"a":\ndata: 1}\n\nevent: live\r\ndata:{}\r\n\r\ndata: x\n\n'
const messages = [
  { id: 'evt_1', event: 'change', data: '{"a":\n1}' },
  { id: 'evt_1', event: 'live', data: '{}' },
  { id: 'evt_1', event: 'message', data: 'x' },
]

test('messages are the same wherever the network cuts the stream', () => {
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const parse = createSseParser()
    expect([...parse(stream.slice(0, cut)), ...parse(stream.slice(cut))], `cut at ${cut}`).toEqual(messages)
  }
})

test('a message without its blank line waits, and a heartbeat is none', () => {
  const parse = createSseParser()
  expect(parse(': \n\ndata: half')).toEqual([])
  expect(parse('\n\n')).toEqual([{ id: undefined, event: 'message', data: 'half' }])
})
