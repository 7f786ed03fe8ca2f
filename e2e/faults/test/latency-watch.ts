import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** One address that is asked again and again. */
interface Watched {
  name: string
  url: string
  headers?: Record<string, string>
  /** Sent by PATCH; without one it is read. */
  change?: object
}

/** How long answers took, in ms. */
type Latencies = Record<string, { worstMs: number; p99Ms: number; answers: number; refused: number }>

export interface LatencyWatch {
  /**
   * What was measured since the last call, or the start. `slowdown` is how many times as long as its own processor time a thread
   * that does nothing else took meanwhile: 1 on a machine with a core for everyone.
   */
  take(): Promise<{ latencies: Latencies; slowdown: number }>
  stop(): Promise<void>
}

/** Asks each address one question after another, from a thread of its own: what the test does holds up no measurement. */
export function watchLatency(watched: readonly Watched[]): LatencyWatch {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: watched })
  const bystander = new Worker(fileURLToPath(import.meta.url), { workerData: 'bystander' })
  async function takeFrom(thread: Worker): Promise<unknown> {
    thread.postMessage('take')
    const [taken] = await once(thread, 'message')
    return taken
  }
  return {
    async take() {
      // Posted below.
      const [latencies, slowdown] = (await Promise.all([takeFrom(worker), takeFrom(bystander)])) as [Latencies, number]
      return { latencies, slowdown }
    },
    async stop() {
      await worker.terminate()
      await bystander.terminate()
    },
  }
}

/** Works a tenth of the time, and compares the time that passed with the processor time that it had. */
function standBy(): void {
  const workMs = 10
  let passedMs = 0
  let workedMs = 0
  setInterval(() => {
    const startedAt = performance.now()
    const before = process.threadCpuUsage()
    const usedMs = () => {
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1000
    }
    while (usedMs() < workMs);
    workedMs += usedMs()
    passedMs += performance.now() - startedAt
  }, 10 * workMs)
  parentPort?.on('message', () => {
    parentPort?.postMessage(workedMs === 0 ? 1 : Math.max(1, passedMs / workedMs))
    passedMs = 0
    workedMs = 0
  })
}

const pauseMs = 10

function ask({ url, headers = {}, change }: Watched, agent: Agent): Promise<number> {
  const body = change && JSON.stringify(change)
  const sent = { ...headers, ...(body && { 'content-type': 'application/json', 'content-length': body.length }) }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: body ? 'PATCH' : 'GET', headers: sent, agent }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function measure(watched: readonly Watched[]): void {
  const agent = new Agent({ keepAlive: true })
  let samples = new Map<string, { ms: number[]; refused: number }>()
  const of = (name: string) => {
    const known = samples.get(name) ?? { ms: [], refused: 0 }
    samples.set(name, known)
    return known
  }
  const pending = new Map<string, number>()
  for (const each of watched) {
    void (async () => {
      for (;;) {
        const startedAt = performance.now()
        pending.set(each.name, startedAt)
        const status = await ask(each, agent)
        pending.delete(each.name)
        const { ms } = of(each.name)
        ms.push(performance.now() - startedAt)
        if (status !== 200) of(each.name).refused += 1
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    })()
  }
  parentPort?.on('message', () => {
    const latencies: Latencies = {}
    for (const { name } of watched) {
      const { ms, refused } = of(name)
      // What is not answered yet has taken so long already.
      const waiting = pending.get(name)
      const sorted = [...ms, ...(waiting === undefined ? [] : [performance.now() - waiting])].sort((a, b) => a - b)
      latencies[name] = {
        worstMs: Math.round(sorted.at(-1) ?? 0),
        p99Ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? sorted.at(-1) ?? 0),
        answers: ms.length,
        refused,
      }
    }
    samples = new Map()
    parentPort?.postMessage(latencies)
  })
}

if (!isMainThread) {
  if (workerData === 'bystander') standBy()
  // The watched addresses come from `watchLatency`.
  else measure(workerData as Watched[])
}
