import { openDatabase } from '@printyard/server/db/database'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-postgres'
import { insertAccountWithHubs, makeDataDirectory, startService } from './farm.ts'
import { fetchOk } from './fetch-ok.ts'
import { connectPrintingHub } from './printing-farm.ts'
import { atMost, type Benchmark } from './result.ts'

const printers = 200
const warmUpSeconds = 5
const measuredSeconds = 20

export const livePush: Benchmark = {
  name: 'live-push',
  what: `What one stream of events carries while ${printers} printers print and report each second`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const { url } = await startService(scope, dataDir)
    const { key, hub: made } = await addHub(dataDir)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const printerIds: string[] = []
    for (let number = 0; number < printers; number += 1) {
      const printer = { name: `Printer ${number}`, model: 'MK4S', hub_id: made.id, connection_type: 'virtual' }
      const body = await fetchOk(`${url}/public/v1/printers`, headers, {
        method: 'POST',
        body: JSON.stringify(printer),
      })
      printerIds.push(JSON.parse(body).data.id)
    }
    const stream = await listen(scope, `${url}/public/v1/events/stream`, key)
    await connectPrintingHub(scope, url, made.token, printerIds)
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

async function addHub(dataDir: string) {
  const { connection, close } = embeddedConnection(dataDir)
  const database = openDatabase({ target: connection })
  try {
    const { key, hubs } = await insertAccountWithHubs(database.sql, 1)
    const [hub] = hubs
    if (!hub) throw new Error('no hub was made')
    return { key, hub }
  } finally {
    await database.close()
    close()
  }
}

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
