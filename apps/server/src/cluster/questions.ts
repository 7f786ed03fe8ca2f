import { randomUUID } from 'node:crypto'
import type { BaseLogger } from 'pino'
import type { AccountId, HubId } from '../kernel/ids.ts'
import { openIfReadable, type SecretBox } from '../kernel/secret-box.ts'
import type { PeerQuestion, PeerReply, PeerTarget } from '../live/peers.ts'
import type { Bus } from './bus.ts'
import { makeReader, QuestionMessage } from './wire.ts'

const readMessage = makeReader(QuestionMessage)

/** Time that a process may take to say that it has a question: one that hangs or is gone does not. */
const takenMs = 2_000

/** Beyond the time that the hub has: the way of the answer. */
const wayMs = 2_000

/** Questions whose IDs are remembered, so that none is answered twice. */
const mostRemembered = 10_000

/** The answer of a process that does not hold the hub (any more), and has done nothing. */
export const notHere = { kind: 'not_here' } as const

/** Does what another process asks for. What it answers goes back; it never rejects. */
export type QuestionListener = (hub: { accountId: AccountId; hubId: HubId }, question: PeerQuestion) => Promise<unknown>

interface Waiting {
  processId: string
  isTaken: boolean
  taken(): void
  settle(reply: PeerReply): void
}

/**
 * Questions to other processes and their answers. They are sealed by the secret key of the installation, so that one who can write to
 * Redis can neither read nor make one, and a question is answered once, so that none can be repeated.
 */
export class Questions {
  readonly #processId: string
  readonly #bus: Bus
  readonly #secrets: SecretBox
  readonly #log: Pick<BaseLogger, 'warn'>
  readonly #waiting = new Map<string, Waiting>()
  readonly #seen = new Set<string>()
  #listener: QuestionListener = async () => notHere

  constructor(processId: string, bus: Bus, secrets: SecretBox, log: Pick<BaseLogger, 'warn'>) {
    this.#processId = processId
    this.#bus = bus
    this.#secrets = secrets
    this.#log = log
    bus.listen(`to:${processId}`, (text) => this.#take(text))
  }

  answerBy(listener: QuestionListener): void {
    this.#listener = listener
  }

  /** See `Peers.ask`. */
  async ask(
    target: PeerTarget,
    question: PeerQuestion,
    timeoutMs: number,
    giveUp: () => Promise<boolean> = async () => true,
  ): Promise<PeerReply> {
    if (!this.#bus.isReady) return { kind: 'unreachable' }
    const id = randomUUID()
    const { accountId, hubId, processId } = target
    const { promise, resolve } = Promise.withResolvers<PeerReply>()
    const waiting: Waiting = {
      processId,
      isTaken: false,
      taken() {
        waiting.isTaken = true
      },
      settle: resolve,
    }
    this.#waiting.set(id, waiting)
    const untaken = setTimeout(() => {
      if (waiting.isTaken) return
      giveUp().then(
        (isGivenUp) => isGivenUp && resolve({ kind: 'silent', isTaken: false }),
        (error: unknown) =>
          this.#log.warn({ err: error, hub_id: hubId }, 'a question could not be given up; its answer is waited for'),
      )
    }, takenMs)
    const unanswered = setTimeout(() => resolve({ kind: 'silent', isTaken: waiting.isTaken }), timeoutMs + wayMs)
    try {
      const received = await this.#send(processId, 'question', id, { account_id: accountId, hub_id: hubId, question })
      if (received === 0) return { kind: 'unreachable' }
      return await promise
    } catch (error) {
      // It may still have arrived, and then its answer does too.
      this.#log.warn({ err: error, hub_id: hubId }, 'whether a question to another process arrived is not known')
      return await promise
    } finally {
      clearTimeout(untaken)
      clearTimeout(unanswered)
      this.#waiting.delete(id)
    }
  }

  /** Gives up what was asked of a process that is gone, or of all when nothing arrives any more. */
  loseAnswers(processId?: string): void {
    for (const waiting of this.#waiting.values()) {
      if (processId === undefined || waiting.processId === processId) {
        waiting.settle({ kind: 'silent', isTaken: waiting.isTaken })
      }
    }
  }

  #send(processId: string, kind: QuestionMessage['kind'], id: string, content: object): Promise<number> {
    const sealed = this.#secrets.seal(content, `${kind} ${id}`).toString('base64')
    return this.#bus.publish(`to:${processId}`, { kind, id, from: this.#processId, sealed } satisfies QuestionMessage)
  }

  #take(text: string): void {
    const message = readMessage(text)
    const content =
      message && openIfReadable(this.#secrets, Buffer.from(message.sealed, 'base64'), `${message.kind} ${message.id}`)
    if (!message || !content) {
      this.#log.warn('a message in Redis was ignored: it was not sealed by the secret key of this installation')
      return
    }
    const waiting = this.#waiting.get(message.id)
    if (message.kind === 'taken') waiting?.taken()
    else if (message.kind === 'answer') waiting?.settle(replyOf((content.value as { answer: unknown }).answer))
    else this.#answer(message, content.value as SealedQuestion)
  }

  #answer({ id, from }: QuestionMessage, { account_id: accountId, hub_id: hubId, question }: SealedQuestion): void {
    if (this.#seen.has(id)) return
    this.#seen.add(id)
    for (const first of this.#seen) {
      if (this.#seen.size <= mostRemembered) break
      this.#seen.delete(first)
    }
    const reply = async () => {
      await this.#send(from, 'taken', id, {})
      const answer = await this.#listener({ accountId, hubId }, question)
      await this.#send(from, 'answer', id, { answer })
    }
    reply().catch((error: unknown) => {
      this.#log.warn({ err: error, hub_id: hubId }, 'what another process asked for could not be answered')
    })
  }
}

function replyOf(answer: unknown): PeerReply {
  const isElsewhere = (answer as { kind?: unknown } | null)?.kind === notHere.kind
  return isElsewhere ? { kind: 'unreachable' } : { kind: 'answered', answer }
}

/** Made by a process that has the same secret key, so of this program. */
interface SealedQuestion {
  account_id: AccountId
  hub_id: HubId
  question: PeerQuestion
}
