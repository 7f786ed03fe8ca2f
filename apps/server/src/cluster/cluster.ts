/**
 * Several processes of the service on one database, as far as Redis is needed for it. Decision 0071 says why so.
 *
 * - `bus.ts`: channels between the processes, by pub/sub of Redis; nothing is stored there.
 * - `live-share.ts`: each tells what the hubs report that are connected to it, and takes what the others tell, so that `live/` shows
 *   the hubs of all (`ConnectedHubs.find`, `LivePrinters.find`); `findHere` is what this process holds itself.
 * - `change-share.ts`: each tells of which accounts it changed something in the database, so that streams and schedulers look at once.
 * - `questions.ts`: questions to the process that holds a hub, such as to give it a command. `gateway/peer-questions.ts` answers them.
 * - `wire.ts`: the forms of all messages. Whatever comes from Redis is read by them.
 *
 * What is written to the database on the word of a hub is written by the process that holds it: its fence (`live/fences.ts`) says which
 * that is, whatever Redis says. So what is lost or made up in Redis can show a wrong picture, and never print anything twice.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import { type Config, ConfigError } from '../kernel/config.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { every } from '../kernel/timers.ts'
import type { ConnectedHubs } from '../live/hubs.ts'
import type { PeerQuestion, PeerReply, Peers, PeerTarget } from '../live/peers.ts'
import type { LivePrinters } from '../live/printers.ts'
import type { Outage } from '../redis/outage.ts'
import { RedisRefusedError } from '../redis/redis-connection.ts'
import { Bus } from './bus.ts'
import { ChangeShare } from './change-share.ts'
import { LiveShare } from './live-share.ts'
import { type QuestionListener, Questions } from './questions.ts'
import { makeReader, ProcessNote } from './wire.ts'

/** Interval at which what changed is told, in ms: a few times a second for each hub, however much it reports. */
const shareEveryMs = 400

const beatEveryMs = 2_000

/** A process that was not heard for so long is gone, and messages have stopped to arrive when one's own beat was not. */
const goneAfterMs = 10_000

/** Time that a start waits for what the other processes know, in ms. */
const greetMs = 2_000

const readNote = makeReader(ProcessNote)
const notes = 'processes'

interface Needs {
  config: Pick<Config, 'redisUrl'>
  processId: string
  installationId: string
  secrets: SecretBox
  clock: Clock
  log: Pick<BaseLogger, 'warn' | 'info'>
}

/** The other processes, heard and asked over Redis. */
export class Cluster implements Peers {
  readonly isShared = true
  readonly #needs: Needs
  readonly #bus: Bus
  readonly #questions: Questions
  /** Time when each process was heard last, in ms of the monotonic clock. */
  readonly #heardAtMs = new Map<string, number>()
  readonly #endings: (() => void)[] = []
  #share: LiveShare | undefined
  #hearingSinceMs = Number.POSITIVE_INFINITY
  #ownBeatAtMs = Number.NEGATIVE_INFINITY
  /** Since when not even what this process tells arrives here, although it is connected. */
  #deafSince: Date | undefined
  /** Processes that have told what they know since this one hears, and how many are to; not known before the hello is out. */
  readonly #greeted = new Set<string>()
  #toGreet = Number.POSITIVE_INFINITY
  #mustGreet = false

  constructor(needs: Needs) {
    this.#needs = needs
    this.#bus = new Bus(needs.installationId)
    this.#questions = new Questions(needs.processId, this.#bus, needs.secrets, needs.log)
    this.#bus.listen(notes, (text) => this.#hear(text))
  }

  get isReady(): boolean {
    return this.#bus.isReady
  }

  get isCurrent(): boolean {
    if (!this.#bus.isReady || this.#deafSince) return false
    // A process that has not told within this time is gone.
    return this.#greeted.size >= this.#toGreet || performance.now() - this.#hearingSinceMs > goneAfterMs
  }

  outage(): Outage | undefined {
    const { out, in: incoming } = this.#bus.awaySince
    const heard = incoming ?? this.#deafSince
    const [since] = [out, heard].filter((at) => at !== undefined).sort((a, b) => a.getTime() - b.getTime())
    if (!since) return undefined
    const words = [
      out && 'other processes cannot be sent anything',
      heard && 'what their hubs report is not heard, and stays as it was',
    ]
    return { problem: `does not work over Redis: ${words.filter((word) => word).join('; ')}`, since }
  }

  ask(
    target: PeerTarget,
    question: PeerQuestion,
    timeoutMs: number,
    giveUp?: () => Promise<boolean>,
  ): Promise<PeerReply> {
    return this.#questions.ask(target, question, timeoutMs, giveUp)
  }

  /** From now on this does what others ask for. */
  answerBy(listener: QuestionListener): void {
    this.#questions.answerBy(listener)
  }

  /**
   * Takes part until `close`. Resolves when what the others know is known here too, or they did not tell in time.
   *
   * @throws ConfigError when Redis refuses the credentials
   */
  async join(live: {
    hubs: ConnectedHubs
    printers: LivePrinters
    db: Pick<Database, 'onChange' | 'reportChangeElsewhere'>
  }): Promise<void> {
    const { config, processId, clock, log } = this.#needs
    if (config.redisUrl === undefined) return
    const share = new LiveShare({ processId, bus: this.#bus, clock }, live, (other) => this.#recordHeard(other))
    this.#share = share
    const changes = new ChangeShare(processId, this.#bus, live.db)
    this.#endings.push(
      () => share.close(),
      () => changes.close(),
    )
    try {
      await this.#bus.open(config.redisUrl, log, () => this.#beginHearing())
    } catch (error) {
      if (!(error instanceof RedisRefusedError)) throw error
      throw new ConfigError([{ variable: 'REDIS_URL', problem: 'has a name or password that Redis refuses' }])
    }
    this.#endings.push(
      every(shareEveryMs, 'tell other processes what hubs report', log, () => this.#tell()),
      every(beatEveryMs, 'tell other processes that this one is there', log, () => this.#beat()),
    )
    await this.#greetAll()
  }

  async close(): Promise<void> {
    for (const end of this.#endings) end()
    try {
      if (this.#bus.isReady) await this.#note('bye')
    } catch (error) {
      // The others see by themselves that it is gone.
      this.#needs.log.info({ err: error }, 'other processes were not told that this one stops')
    }
    this.#bus.close()
  }

  /** Messages arrive from here on; what was told before is asked for. */
  #beginHearing(): void {
    this.#hearingSinceMs = performance.now()
    this.#greeted.clear()
    this.#toGreet = Number.POSITIVE_INFINITY
    this.#mustGreet = true
  }

  async #greetAll(): Promise<void> {
    const untilMs = performance.now() + greetMs
    await this.#tell().catch(() => undefined)
    while (this.#bus.isReady && !this.isCurrent && performance.now() < untilMs) await wait(10)
  }

  async #tell(): Promise<void> {
    if (!this.#bus.isReady) return
    if (this.#mustGreet) {
      this.#mustGreet = false
      this.#share?.markAll()
      try {
        // Its own is one of those that hear it.
        this.#toGreet = (await this.#note('hello')) - 1
      } catch (error) {
        this.#mustGreet = true
        throw error
      }
    }
    await this.#share?.tell()
  }

  async #beat(): Promise<void> {
    const nowMs = performance.now()
    const isHearing = this.#bus.isReady && nowMs - this.#ownBeatAtMs < goneAfterMs / 2
    if (!isHearing) {
      const silentMs = nowMs - Math.max(this.#ownBeatAtMs, this.#hearingSinceMs)
      if (silentMs > goneAfterMs / 2) {
        this.#questions.loseAnswers()
        this.#hearingSinceMs = nowMs
        if (this.#bus.isReady) this.#deafSince ??= new Date()
        this.#bus.renew('Nothing arrives from Redis, not even what this process has told.')
      }
    } else if (nowMs - this.#hearingSinceMs > goneAfterMs) this.#dropSilent(nowMs)
    if (this.#bus.isReady) await this.#note('beat')
  }

  #dropSilent(nowMs: number): void {
    for (const [processId, heardAtMs] of this.#heardAtMs) {
      if (nowMs - Math.max(heardAtMs, this.#hearingSinceMs) > goneAfterMs) this.#drop(processId)
    }
  }

  #drop(processId: string): void {
    this.#heardAtMs.delete(processId)
    this.#questions.loseAnswers(processId)
    this.#share?.dropProcess(processId)
  }

  #hear(text: string): void {
    const note = readNote(text)
    if (!note) return
    if (note.process === this.#needs.processId) {
      this.#ownBeatAtMs = performance.now()
      this.#deafSince = undefined
      return
    }
    if (note.kind === 'bye') {
      this.#drop(note.process)
      return
    }
    this.#recordHeard(note.process)
    if (note.kind === 'told' && note.to === this.#needs.processId) this.#greeted.add(note.process)
    if (note.kind === 'hello') void this.#answerHello(note.process)
  }

  /** From here on its silence is noticed, whatever it has told. */
  #recordHeard(processId: string): void {
    this.#heardAtMs.set(processId, performance.now())
  }

  async #answerHello(to: string): Promise<void> {
    this.#share?.markAll()
    try {
      await this.#share?.tell()
      await this.#note('told', to)
    } catch (error) {
      this.#needs.log.warn({ err: error }, 'another process was not told what is known here; it is told soon')
    }
  }

  /** Answers how many processes hear it. */
  async #note(kind: ProcessNote['kind'], to?: string): Promise<number> {
    const note: ProcessNote = { process: this.#needs.processId, kind, ...(to !== undefined && { to }) }
    return this.#bus.publish(notes, note)
  }
}
