import type { CommandErrorCode } from '@printyard/protocol/commands'
import type { HubMessageBody } from '@printyard/protocol/messages'
import type { StillErrorCode } from '@printyard/protocol/still'
import type { HubId } from '../kernel/ids.ts'

/**
 * Reason why a hub gives no answer. `offline`: it was never asked; `isElsewhere` when the process that holds it could not be reached.
 * `silent`: it was asked, and whether it did anything is not known.
 */
type Unanswered = { kind: 'offline'; isElsewhere?: true } | { kind: 'silent'; why: 'timeout' | 'hub_lost' }

/** Outcome of a command. `pending`: the printer has taken it and carries it out later; when, for people. */
export type CommandAnswer =
  | { kind: 'succeeded'; pending?: string }
  | { kind: 'refused'; code: CommandErrorCode; message: string }
  | Unanswered

/** Outcome of asking for a picture. */
export type StillAnswer =
  | { kind: 'still'; bytes: Buffer }
  | { kind: 'refused'; code: StillErrorCode; message: string }
  | Unanswered

/** Outcome of a connection test. */
export type TestAnswer = { kind: 'tested'; result: HubMessageBody<'connection_tested'> } | Unanswered

interface Answers {
  command: CommandAnswer
  connection_test: TestAnswer
  still: StillAnswer
}

type QuestionKind = keyof Answers

interface Waiting {
  hubId: HubId
  settle(answer: Answers[QuestionKind]): void
}

/** Questions to hubs that wait for their answer. Kept in memory: a request does not outlive a restart of the service. */
export class PendingAnswers {
  readonly #waiting = new Map<string, Waiting>()

  /** Waits for the answer of this hub, for as long as the hub stays connected. `ask` sends the question, or settles it at once. */
  wait<K extends QuestionKind>(
    kind: K,
    { hubId, id, timeoutMs }: { hubId: HubId; id: string; timeoutMs: number },
    ask: (settle: (answer: Answers[K]) => void) => void,
  ): Promise<Answers[K]> {
    return new Promise((resolve) => {
      const key = keyOf(kind, id)
      const timer = setTimeout(() => settle({ kind: 'silent', why: 'timeout' }), timeoutMs)
      const settle = (answer: Answers[K]) => {
        clearTimeout(timer)
        this.#waiting.delete(key)
        resolve(answer)
      }
      this.#waiting.set(key, { hubId, settle: settle as Waiting['settle'] })
      ask(settle)
    })
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  isWaiting(kind: QuestionKind, hubId: HubId, id: string): boolean {
    return this.#waiting.get(keyOf(kind, id))?.hubId === hubId
  }

  /** Hands on the answer of a hub. False when it is not waited for any more, or another hub was asked. */
  answer<K extends QuestionKind>(kind: K, hubId: HubId, id: string, answer: Answers[K]): boolean {
    const waiting = this.#waiting.get(keyOf(kind, id))
    if (waiting?.hubId !== hubId) return false
    waiting.settle(answer)
    return true
  }

  /** Settles what a hub was asked that is gone. */
  loseHub(hubId: HubId): void {
    for (const waiting of [...this.#waiting.values()]) {
      if (waiting.hubId === hubId) waiting.settle({ kind: 'silent', why: 'hub_lost' })
    }
  }
}

const keyOf = (kind: QuestionKind, id: string) => `${kind} ${id}`
