import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { type AccountId, newId } from '../../kernel/ids.ts'
import { makeReadTurns, waitForTurn } from './read-turns.ts'

test('an account has so many turns at once, the others in the order in which they came; another account waits for none', async () => {
  const turns = makeReadTurns(2)
  const takeTurn = (account: AccountId) => new Promise<() => void>((begin) => turns(account, begin))
  const [one, other] = [newId('account'), newId('account')]
  const started: number[] = []
  const ends: (() => void)[] = []
  for (let number = 0; number < 5; number += 1) {
    void takeTurn(one).then((end) => {
      started.push(number)
      ends.push(end)
    })
  }
  await nextTurn()
  expect(started).toEqual([0, 1])
  const endOther = await takeTurn(other)
  ends[1]?.()
  // A second time it is over already.
  ends[1]?.()
  await nextTurn()
  expect(started).toEqual([0, 1, 2])
  ends[0]?.()
  ends[2]?.()
  await nextTurn()
  expect(started).toEqual([0, 1, 2, 3, 4])
  ends[3]?.()
  ends[4]?.()
  endOther()
  // Free again for both.
  for (const account of [one, other]) for (const end of await Promise.all([takeTurn(account), takeTurn(account)])) end()
})

test('a request has its turn until its answer ends, and none when its caller went away while it waited', async () => {
  const waitsFor = waitForTurn(1)
  const accountId = newId('account')
  const started: string[] = []
  const send = (name: string) => {
    const raw = { socket: { destroyed: false } }
    const answer = new EventEmitter()
    // What a turn looks at of a request and its reply.
    const request = { actor: { accountId }, raw } as unknown as FastifyRequest
    void waitsFor(request, { raw: answer } as unknown as FastifyReply).then(() => started.push(name))
    const leave = () => {
      raw.socket.destroyed = true
    }
    return { leave, end: () => answer.emit('close') }
  }
  const first = send('first')
  const second = send('second')
  send('third')
  await nextTurn()
  expect(started).toEqual(['first'])
  second.leave()
  first.end()
  await nextTurn()
  await nextTurn()
  expect(started).toEqual(['first', 'second', 'third'])
})
