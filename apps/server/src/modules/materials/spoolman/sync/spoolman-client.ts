import type { Context } from '../../../../context/context.ts'
import { openSender } from '../../../outbound/open-sender.ts'
import type { Answered, Sender } from '../../../outbound/send-request.ts'
import { readSpool, type Spool } from './read-spool.ts'

/** A page of spools with all that people note of each. */
const reads = { mostBytes: 8 * 1024 * 1024, withinMs: 30_000 }
const pageSize = 200

/** Characters of an answer that people are shown. */
const shownAnswer = 200

/**
 * Reason why a call to Spoolman came to nothing. `away`: it did not answer, or with an error of its own, so that what was asked may have been
 * done; `refused`: it said no; `missing`: it has no such spool; `unlike`: it answered what Spoolman does not.
 */
export class SpoolmanProblem extends Error {
  readonly kind: 'away' | 'refused' | 'missing' | 'unlike'

  constructor(kind: SpoolmanProblem['kind'], message: string) {
    super(message)
    this.name = 'SpoolmanProblem'
    this.kind = kind
  }
}

/** What is asked of a Spoolman. All of it throws SpoolmanProblem. */
export interface SpoolmanClient {
  /** Its version. */
  readVersion(): Promise<string>
  /** Spools from a place on, archived ones as well; none after the last. */
  listSpools(offset: number): Promise<{ spools: Spool[]; next: number | null }>
  findSpool(id: number): Promise<Spool>
  /** Adds to what a spool was used; a repeat adds it once more. */
  useSpool(id: number, milligrams: number): Promise<void>
  /** Says what is left on a spool; a repeat changes nothing. */
  setRemaining(spool: Spool, milligrams: number): Promise<void>
}

/** Answers what calls the Spoolmans of all accounts. */
export function spoolmanSender(context: Context): Sender {
  return context.memory.hold(makeSender, context)
}

function makeSender(context: Context): Sender {
  return openSender(context, 'Printyard-Spoolman', context.config.outboundNetworks)
}

/** @param url where Spoolman is, without `/api/v1` */
export function createSpoolmanClient(sender: Sender, url: string, signal?: AbortSignal): SpoolmanClient {
  async function call(method: 'GET' | 'PUT' | 'PATCH', path: string, body?: object): Promise<unknown> {
    const answered = await sender.send(
      {
        url: `${url}/api/v1${path}`,
        method,
        headers: { accept: 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        reads,
        isOnce: method !== 'GET',
      },
      signal,
    )
    if (answered.failure !== null) throw problemOf(answered)
    if (answered.isCut) throw new SpoolmanProblem('away', 'The answer broke off, or is too long.')
    try {
      return JSON.parse(answered.text) as unknown
    } catch {
      throw new SpoolmanProblem('unlike', `The address answers, but not as Spoolman: ${shown(answered)}`)
    }
  }

  return {
    async readVersion() {
      const info = (await call('GET', '/info')) as { version?: unknown } | null
      if (typeof info?.version !== 'string')
        throw new SpoolmanProblem('unlike', 'The address answers, but not as Spoolman.')
      return info.version.slice(0, 50)
    },
    async listSpools(offset) {
      const rows = await call('GET', `/spool?allow_archived=true&sort=id:asc&limit=${pageSize}&offset=${offset}`)
      if (!Array.isArray(rows)) throw new SpoolmanProblem('unlike', 'The list of spools is no list.')
      return { spools: rows.map(asSpool), next: rows.length < pageSize ? null : offset + rows.length }
    },
    async findSpool(id) {
      return asSpool(await call('GET', `/spool/${id}`))
    },
    async useSpool(id, milligrams) {
      await call('PUT', `/spool/${id}/use`, { use_weight: milligrams / 1_000 })
    },
    async setRemaining({ id, full }, milligrams) {
      // More than a full spool weighs is a spool that was filled again: else Spoolman would keep to its full weight.
      const fits = full !== null && milligrams <= full
      const body = fits
        ? { remaining_weight: milligrams / 1_000 }
        : { initial_weight: milligrams / 1_000, used_weight: 0 }
      await call('PATCH', `/spool/${id}`, body)
    },
  }
}

function asSpool(value: unknown): Spool {
  const spool = readSpool(value)
  if (spool === undefined) throw new SpoolmanProblem('unlike', 'The answer of Spoolman is not a spool.')
  return spool
}

function problemOf(answered: Answered): SpoolmanProblem {
  const { status_code: status } = answered
  const words = status === null ? shown(answered) : `${status} ${shown(answered)}`.trim()
  if (status === 404) return new SpoolmanProblem('missing', words)
  const isRefusal = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429
  return new SpoolmanProblem(isRefusal ? 'refused' : 'away', words)
}

function shown({ answer, text }: Answered): string {
  return (messageIn(text) ?? answer ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, shownAnswer).toWellFormed()
}

function messageIn(text: string): string | undefined {
  try {
    const { message, detail } = JSON.parse(text) as { message?: unknown; detail?: unknown }
    return [message, detail].find((words) => typeof words === 'string')
  } catch {
    return undefined
  }
}
