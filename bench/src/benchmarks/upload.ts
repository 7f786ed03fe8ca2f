import { once } from 'node:events'
import { copyFile, open } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { insertAccountWithKey, insertIntoDatabase, makeDataDirectory, startService } from '../farms/farm.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { readResidentMb } from '../harness/process-figures.ts'
import { atLeast, type Benchmark, lessThan } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'

const megabytes = 500
const rounds = 3
/** How often the memory of the service is looked at while an upload runs. */
const lookEveryMs = 20

export const upload: Benchmark = {
  name: 'upload',
  what: `Uploading a file of ${megabytes} MB, beside a copy of it that is on the disk when it ends`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const { key } = await insertIntoDatabase(dataDir, (sql) => insertAccountWithKey(sql))
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const source = join(await makeDataDirectory(scope), 'source')
    await writeSource(source)
    const look = () => readResidentMb(service.process.pid)
    const before = look()
    let most = before
    const timer = setInterval(() => {
      most = Math.max(most ?? 0, look() ?? 0)
    }, lookEveryMs)
    scope.defer(() => clearInterval(timer))

    const copies: number[] = []
    const uploads: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      // What was stored before would be replaced, which takes the disk longer than anything new.
      await changeSource(source, round)
      copies.push(await secondsOf(() => copySynced(source, `${source}-copy-${round}`)))
      const init = { method: 'POST', body: JSON.stringify({ filename: `upload-${round}.gcode` }) }
      const { upload_url } = JSON.parse(await fetchOk(`${service.url}/public/v1/files/upload-url`, headers, init)).data
      uploads.push(await secondsOf(() => send(upload_url, source)))
    }
    const ratios = uploads.map((seconds, round) => (copies[round] ?? Number.NaN) / seconds)
    return {
      name: 'upload',
      times_ms: { 'copy, synced': Math.round(median(copies) * 1000), upload: Math.round(median(uploads) * 1000) },
      goals: [
        atLeast('of the speed of the copy', median(ratios), 0.5),
        lessThan('more MB resident', most === undefined || before === undefined ? null : most - before, 100),
      ],
    }
  },
}

/** Lines of G-code, as slicers write them; each part of it is another one. */
async function writeSource(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (let part = 0; part < megabytes; part += 1) {
      const line = `G1 X${part}.125 Y${(part * 7) % 250}.5 E0.03125 ; layer ${part}\n`
      await file.write(line.repeat(Math.ceil(1e6 / line.length)).slice(0, 1e6))
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Other content of the same length, for each round. */
async function changeSource(path: string, round: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.write(`; round ${round}\n`, 0)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  const file = await open(to, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Out of two buffers in turn: one for each megabyte would have the garbage collector of this process stop it all the while. */
async function send(url: string, path: string): Promise<void> {
  const put = request(url, { method: 'PUT', headers: { 'content-length': megabytes * 1e6 } })
  const answered = once(put, 'response') as Promise<[IncomingMessage]>
  const file = await open(path)
  try {
    const buffers = [Buffer.allocUnsafeSlow(1 << 20), Buffer.allocUnsafeSlow(1 << 20)]
    let sent: Promise<void> = Promise.resolve()
    for (let turn = 0; ; turn += 1) {
      const { bytesRead, buffer } = await file.read(buffers[turn % 2] as Buffer)
      await sent
      if (bytesRead === 0) break
      sent = new Promise((resolve, reject) => {
        put.write(buffer.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve()))
      })
    }
  } finally {
    await file.close()
  }
  put.end()
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`an upload was answered by ${response.statusCode}`)
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
