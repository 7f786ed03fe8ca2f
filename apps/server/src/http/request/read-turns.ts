import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountId } from '../../kernel/ids.ts'
import type { App } from '../types.ts'

/**
 * Reads of one account that are worked on at once. The database answers statements in the order in which they come, so what one account
 * asks for at once would otherwise stand before the next question of every other account.
 */
const readsAtOnce = 8

/** Accounts that are kept with nothing under way, so that one that asks again and again is not made again each time. */
const mostAtRest = 1_000

/** Gives turns per account. Who has one calls what it is given when it is over. */
export function makeReadTurns(atOnce = readsAtOnce) {
  const accounts = new Map<AccountId, { running: number; waiting: (() => void)[] }>()

  /** @param begin is called with what ends the turn; at once when there is one. */
  return function takeTurn(accountId: AccountId, begin: (end: () => void) => void): void {
    let turns = accounts.get(accountId)
    if (turns === undefined) {
      turns = { running: 0, waiting: [] }
      accounts.set(accountId, turns)
    }
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      const next = turns.waiting.shift()
      if (next) return next()
      turns.running -= 1
      if (turns.running === 0 && accounts.size > mostAtRest) accounts.delete(accountId)
    }
    // Who ends hands the turn on, so that no one who comes later takes it.
    if (turns.running >= atOnce) turns.waiting.push(() => queueMicrotask(() => begin(end)))
    else {
      turns.running += 1
      begin(end)
    }
  }
}

/**
 * For a route whose work is long: an account has so many of its requests under way, and the bodies of the others are not even read
 * meanwhile.
 */
export function waitForTurn(atOnce: number) {
  const takeTurn = makeReadTurns(atOnce)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const end = await new Promise<() => void>((begin) => takeTurn(request.actor.accountId, begin))
    // Who went away while waiting has no answer that could end.
    if (request.raw.socket.destroyed) end()
    else reply.raw.once('close', end)
  }
}

/** Lets the reads of an account wait for one another, from when it is known who asks until the answer is written. */
export function takeTurnsToRead(app: App): void {
  const takeTurn = makeReadTurns()
  app.decorateRequest('endTurn')
  app.addHook('preHandler', (request, reply, done) => {
    const { scope, waitsForOthers } = request.route
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || scope === undefined || waitsForOthers) return done()
    takeTurn(request.actor.accountId, (end) => {
      request.endTurn = end
      done()
      // A caller who goes away meanwhile gets no answer. Most are answered by now, from memory.
      if (request.endTurn === end) reply.raw.once('close', end)
    })
  })
  // Not async: an answer that a handler sends itself must be on its way when the handler returns.
  app.addHook('onSend', (request, _, payload, done) => {
    const { endTurn } = request
    request.endTurn = undefined
    endTurn?.()
    done(null, payload)
  })
}
