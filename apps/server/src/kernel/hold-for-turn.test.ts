import { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { holdForTurn } from './hold-for-turn.ts'

function record() {
  const written: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk))
      done()
    },
    writev: (chunks, done) => {
      written.push(chunks.map(({ chunk }) => String(chunk)).join(''))
      done()
    },
  })
  return { written, stream }
}

test('what is written in one turn goes out in one piece, and that of the next in another', async () => {
  const { written, stream } = record()
  for (const text of ['a', 'b', 'c']) {
    holdForTurn(stream)
    stream.write(text)
  }
  expect(written).toEqual([])
  await nextTurn()
  expect(written).toEqual(['abc'])
  holdForTurn(stream)
  stream.write('d')
  await nextTurn()
  expect(written).toEqual(['abc', 'd'])
})

test('streams are held each for itself, and one that has ended is left alone', async () => {
  const [one, other] = [record(), record()]
  holdForTurn(one.stream)
  one.stream.write('a')
  other.stream.write('b')
  expect([one.written, other.written]).toEqual([[], ['b']])
  one.stream.destroy()
  await nextTurn()
  expect(one.written).toEqual([])
})
