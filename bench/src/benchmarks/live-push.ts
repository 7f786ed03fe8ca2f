import { makeDataDirectory, startService } from '../farms/farm.ts'
import { addHubsWithPrinters, connectPrintingHub } from '../farms/printing-farm.ts'
import { atMost, type Benchmark } from '../harness/result.ts'

const printers = 200
const warmUpSeconds = 5
const measuredSeconds = 20

export const livePush: Benchmark = {
  name: 'live-push',
  what: `What one stream of events carries while ${printers} printers print and report each second`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const { url } = await startService(scope, dataDir)
    const { key, hubs } = await addHubsWithPrinters(url, dataDir, { hubs: 1, printersEach: printers })
    const stream = await listen(scope, `${url}/public/v1/events/stream`, key)
    for (const { token, printerIds } of hubs) await connectPrintingHub(scope, url, token, printerIds)
    await passSeconds(warmUpSeconds)
    const before = { ...stream }
    await passSeconds(measuredSeconds)
    const bytes = stream.bytes - before.bytes
    const frames = stream.frames - before.frames
    return {
      name: 'live-push',
      compared: {
        stream: {
          'frames/s': (frames / measuredSeconds).toFixed(1),
          'bytes a frame': frames === 0 ? '-' : (bytes / frames).toFixed(0),
        },
      },
      goals: [atMost('KB/s', bytes / 1000 / measuredSeconds, 20)],
    }
  },
}

const passSeconds = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Counts what comes until the scope ends. */
async function listen(scope: AsyncDisposableStack, url: string, key: string) {
  const leaving = new AbortController()
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal: leaving.signal })
  if (!answer.ok || !answer.body) throw new Error(`${url} answers ${answer.status}`)
  const seen = { bytes: 0, frames: 0 }
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      seen.bytes += chunk.length
      seen.frames += decoder.decode(chunk, { stream: true }).split('\n\n').length - 1
    }
  })()
  scope.defer(async () => {
    leaving.abort()
    // It ends by being aborted.
    await reading.catch(() => undefined)
  })
  return seen
}
