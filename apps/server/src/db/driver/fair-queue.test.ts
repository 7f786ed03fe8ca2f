import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const everyOne = () => true

test('owners are served in turns, and what one waits for in its order', () => {
  const queue = new FairQueue<string, string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item)
  const served = Array.from({ length: 7 }, () => queue.next(everyOne))
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
})

test('an owner who comes while another waits for a thousand things is held up by one of them', () => {
  const queue = new FairQueue<string, string>()
  for (let number = 0; number < 1_000; number += 1) queue.add('many', `many ${number}`)
  queue.next(everyOne)
  queue.add('one', 'one')
  expect([queue.next(everyOne), queue.next(everyOne)]).toEqual(['many 1', 'one'])
})

test('an owner who may not be served now keeps the place in the row, and holds up none', () => {
  const queue = new FairQueue<string, string>()
  for (const item of ['a1', 'b1', 'c1']) queue.add(item.charAt(0), item)
  expect(queue.next((owner) => owner !== 'a')).toBe('b1')
  expect([queue.next(everyOne), queue.next(everyOne), queue.next(everyOne)]).toEqual(['a1', 'c1', undefined])
})
