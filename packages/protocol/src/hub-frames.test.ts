import { expect, test } from 'vitest'
import { readHubFrame } from './hub-frames.ts'

function readLog(message: string) {
  const frame = { type: 'log', id: 'frame-1', ts: '2026-01-01T00:00:00.000Z', level: 'warn', printer_id: null, message }
  const read = readHubFrame(JSON.stringify(frame))
  return read.kind === 'message' && read.message.type === 'log' ? read.message.message : read
}

test.each([
  ['a NUL byte', 'too\0 hot', 'too hot'],
  ['half of a pair of surrogates', 'too \ud83d hot', 'too \ufffd hot'],
])('a frame with %s, which no database takes, is read without it', (_, sent, read) => {
  expect(readLog(sent)).toBe(read)
})

test.each([
  ['a whole pair of surrogates', '🔥 hot'],
  ['the spelling of an escape', String.raw`\u0000 \ud800`],
])('%s is read as it is', (_, text) => {
  expect(readLog(text)).toBe(text)
})
