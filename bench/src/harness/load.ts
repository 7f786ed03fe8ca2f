import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from './child.ts'
import { readCpuSeconds } from './process-figures.ts'
import { median } from './statistics.ts'

export interface LoadTask {
  url: string
  connections: number
  seconds: number
  headers: Record<string, string>
  /** Asked for in turn by each connection. */
  paths: string[]
  /** Sent by POST with each request; without it all are GET. */
  body?: string
}

export interface LoadResult {
  requests: number
  seconds: number
  p50_ms: number
  p99_ms: number
  /** Anything but an answer of 2xx. */
  failures: number
}

/** One server under load, as the medians of its rounds. */
export interface ServerFigures {
  server: string
  requests_per_s: number
  /** Of each round, in the order in which they ran. */
  rounds_requests_per_s: number[]
  /** Null of a program that tells only its rate. */
  p50_ms: number | null
  p99_ms: number | null
  /** Processor time of the server's own process per request; steadier than requests per second. Null off Linux. */
  cpu_us_per_request: number | null
  rounds_cpu_us_per_request: number[]
}

export interface Contestant {
  name: string
  /** Whose processor time is counted, unless its load counts that itself. */
  process?: Child
  /** What the load generator sends; or a load of its own, for so many seconds and with so much at once. */
  task: Omit<LoadTask, 'connections' | 'seconds'> | ((seconds: number, atOnce: number) => Promise<RoundResult>)
  /** Default: what all of them have. */
  atOnce?: number
  /** Before each of its rounds, the first of which does not count. */
  prepare?: () => Promise<void>
}

/** What one round came to. */
export interface RoundResult extends Omit<LoadResult, 'p50_ms' | 'p99_ms'> {
  p50_ms: number | null
  p99_ms: number | null
  /** Processor time of the servers, where the load counts it. */
  cpuSeconds?: number | undefined
}

export const connections = 32
const rounds = 7
const warmUpSeconds = 2
const roundSeconds = 2

/**
 * Puts each server under the same load in turn (A B C A B C …), so that whatever else the machine does meets them all.
 *
 * @throws when a server answers anything but 2xx: it would be fast at the wrong thing.
 */
export async function compareUnderLoad(
  contestants: Contestant[],
  { atOnce = connections, turns = rounds }: { atOnce?: number; turns?: number } = {},
): Promise<ServerFigures[]> {
  const play = async (contestant: Contestant, seconds: number) => {
    await contestant.prepare?.()
    return await runRound(contestant, seconds, contestant.atOnce ?? atOnce)
  }
  for (const contestant of contestants) await play(contestant, warmUpSeconds)
  const measured = contestants.map(() => [] as Awaited<ReturnType<typeof runRound>>[])
  for (let round = 0; round < turns; round += 1) {
    for (const [index, contestant] of contestants.entries()) {
      measured[index]?.push(await play(contestant, roundSeconds))
      await wait(100)
    }
  }
  return contestants.map(({ name }, index) => {
    const results = measured[index] ?? []
    const cpu = results.flatMap(({ cpuSeconds, requests }) =>
      cpuSeconds === null ? [] : [(cpuSeconds / requests) * 1e6],
    )
    const rates = results.map(({ requests, seconds }) => Math.round(requests / seconds))
    return {
      server: name,
      requests_per_s: Math.round(median(rates)),
      rounds_requests_per_s: rates,
      p50_ms: medianOfKnown(results.map((result) => result.p50_ms)),
      p99_ms: medianOfKnown(results.map((result) => result.p99_ms)),
      cpu_us_per_request: cpu.length === 0 ? null : Math.round(median(cpu) * 10) / 10,
      rounds_cpu_us_per_request: cpu.map((us) => Math.round(us * 10) / 10),
    }
  })
}

/** How much of a bare server's speed is ours: the median over the rounds, each beside its neighbour in time. */
export function ratioTo(ours: ServerFigures, bare: ServerFigures): number {
  return median(
    ours.rounds_requests_per_s.map((rate, round) => rate / (bare.rounds_requests_per_s[round] ?? Number.NaN)),
  )
}

function medianOfKnown(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : median(known)
}

/** The processor time of a request beside that of another server, in the same way. Null where it is not known. */
export function cpuRatioTo(ours: ServerFigures, other: ServerFigures): number | null {
  const ratios = ours.rounds_cpu_us_per_request.map(
    (us, round) => us / (other.rounds_cpu_us_per_request[round] ?? Number.NaN),
  )
  return ratios.length === 0 ? null : median(ratios)
}

async function runRound({ name, process: server, task }: Contestant, seconds: number, atOnce: number) {
  const cpuNow = () => (server === undefined ? undefined : readCpuSeconds(server.pid))
  const before = cpuNow()
  const result: RoundResult = await (typeof task === 'function'
    ? task(seconds, atOnce)
    : generateLoad({ ...task, connections: atOnce, seconds }))
  const after = cpuNow()
  if (result.failures > 0 || result.requests === 0) {
    throw new Error(`${name}: ${result.failures} of ${result.requests} requests failed`)
  }
  const counted = before === undefined || after === undefined ? undefined : after - before
  return { ...result, cpuSeconds: result.cpuSeconds ?? counted ?? null }
}

/** Puts this load on a server, from a process of its own. */
export async function generateLoad(task: LoadTask): Promise<LoadResult> {
  const generator = startChild(fileURLToPath(new URL('load-generator.ts', import.meta.url)), [JSON.stringify(task)])
  const line = await generator.lineMatching(/^(\{.*\})$/, (task.seconds + 20) * 1000)
  await generator.stop()
  // Written by the load generator.
  return JSON.parse(line) as LoadResult
}
