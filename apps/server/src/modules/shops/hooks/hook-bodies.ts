import type { Readable } from 'node:stream'
import { AppError } from '../../../kernel/errors.ts'
import { FixedWindow } from '../../../kernel/fixed-window.ts'

const megabyte = 1024 * 1024
const windowSeconds = 60

/** In bytes. */
interface HookLimits {
  /** Bytes of one webhook: an order with all that plugins add to it. */
  longest: number
  /** Bytes that one client network may have in memory at once. */
  heldByNetwork: number
  /** Bytes that all may have in memory at once. */
  held: number
  /** Webhooks that are taken from one client network in a minute: of a sale day, ten webhooks a second of a hundred kilobytes. */
  perMinute: number
}

const limitsOfService: HookLimits = {
  longest: 4 * megabyte,
  heldByNetwork: 8 * megabyte,
  held: 64 * megabyte,
  perMinute: 64 * megabyte,
}

/** A body in memory, from its first byte until it is answered. */
interface HeldBody {
  network: string
  bytes: number
  refuse(error: AppError): void
}

/**
 * Reads the bodies of webhooks, which anyone may send who knows the ID of a shop. What is in memory is counted as it comes, not as it is
 * announced. When all hold too much, the network that holds the most gives way with its oldest body: a webhook of a shop is small
 * and soon answered, so that it is not the one.
 */
export class HookBodies {
  readonly #limits: HookLimits
  readonly #taken = new FixedWindow(windowSeconds * 1000)
  /** The oldest first. */
  readonly #held = new Set<HeldBody>()
  readonly #heldByNetwork = new Map<string, number>()
  #total = 0

  constructor(limits: HookLimits = limitsOfService) {
    this.#limits = limits
  }

  /** Bytes in memory. */
  get total(): number {
    return this.#total
  }

  /**
   * A body, whole, and what says that it is used no more.
   * @throws AppError `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`
   */
  async read(network: string, content: Readable): Promise<{ body: Buffer; end: () => void }> {
    const parts: Buffer[] = []
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const held: HeldBody = { network, bytes: 0, refuse: reject }
    this.#held.add(held)
    const take = (part: Buffer) => {
      parts.push(part)
      this.#add(held, part.length)
    }
    const fail = () => reject(content.errored ?? new Error('The body ended before it was whole.'))
    content.on('data', take).once('end', resolve).once('error', fail).once('close', fail)
    try {
      await promise
      return { body: Buffer.concat(parts), end: () => this.#end(held) }
    } catch (error) {
      this.#end(held)
      throw error
    } finally {
      content.off('data', take).off('end', resolve).off('error', fail).off('close', fail)
    }
  }

  #add(held: HeldBody, bytes: number): void {
    const { longest, heldByNetwork, held: mostHeld, perMinute } = this.#limits
    held.bytes += bytes
    if (this.#held.has(held)) this.#count(held.network, bytes)
    const taken = this.#taken.count(held.network, Date.now(), bytes)
    if (held.bytes > longest) held.refuse(new AppError('PAYLOAD_TOO_LARGE', { limit: `${longest / megabyte} MiB` }))
    else if (taken.calls > perMinute) held.refuse(later(Math.ceil((taken.endsAt - Date.now()) / 1000)))
    else if ((this.#heldByNetwork.get(held.network) ?? 0) > heldByNetwork) held.refuse(later(1))
    else if (this.#total > mostHeld) this.#oldestOfMost()?.refuse(later(1))
  }

  /** Finds the oldest of those that still come: what is whole is being worked for. */
  #oldestOfMost(): HeldBody | undefined {
    let most: HeldBody | undefined
    const ofNetwork = ({ network }: HeldBody) => this.#heldByNetwork.get(network) ?? 0
    for (const held of this.#held) if (most === undefined || ofNetwork(held) > ofNetwork(most)) most = held
    return most
  }

  #count(network: string, bytes: number): void {
    this.#total += bytes
    const now = (this.#heldByNetwork.get(network) ?? 0) + bytes
    if (now === 0) this.#heldByNetwork.delete(network)
    else this.#heldByNetwork.set(network, now)
  }

  #end(held: HeldBody): void {
    if (!this.#held.delete(held)) return
    this.#count(held.network, -held.bytes)
  }
}

function later(seconds: number): AppError {
  const retryAfterSeconds = Math.max(1, seconds)
  return new AppError('RATE_LIMITED', { seconds: retryAfterSeconds }, { retryAfterSeconds })
}
