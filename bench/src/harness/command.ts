import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeDataDirectory, startHub, startService } from '../farms/farm.ts'
import { fetchOk } from './fetch-ok.ts'
import { type Benchmark, lessThan } from './result.ts'
import { median } from './statistics.ts'

const sample = fileURLToPath(new URL('../../../apps/server/demo-files/shelf-bracket_mk4s_pla.gcode', import.meta.url))
const rounds = 100
const warmUpRounds = 10

export const command: Benchmark = {
  name: 'command',
  what: 'POST /public/v1/jobs/{id}/resume: request, hub, virtual printer (which itself takes no time), answer',
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const hub = await startHub(scope, service.url, dataDir, await makeDataDirectory(scope))
    const api = `${service.url}/public/v1`
    const headers = { authorization: `Bearer ${hub.key}`, 'content-type': 'application/json' }
    const post = async (path: string, body?: object) => {
      const init = { method: 'POST', ...(body && { body: JSON.stringify(body) }) }
      return JSON.parse(await fetchOk(api + path, headers, init)).data
    }

    const { upload_url, token } = await post('/files/upload-url', { filename: 'bracket.gcode' })
    await fetchOk(upload_url, {}, { method: 'PUT', body: await readFile(sample) })
    const file = await post('/files', { upload_token: token, name: 'Bracket' })
    const [printerId] = hub.printerIds
    await post(`/printers/${printerId}/control`, { action: 'clear_bed' })
    const job = await post('/jobs', { print_file_id: file.id, printer_id: printerId })
    await post(`/jobs/${job.id}/start`)
    await untilPrinting(`${api}/jobs/${job.id}`, headers)

    const pauses: number[] = []
    const resumes: number[] = []
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      const pause = await timed(() => post(`/jobs/${job.id}/pause`))
      const resume = await timed(() => post(`/jobs/${job.id}/resume`))
      if (round < warmUpRounds) continue
      pauses.push(pause)
      resumes.push(resume)
    }
    return {
      name: 'command',
      times_ms: {
        'pause, p50': rounded(median(pauses)),
        'resume, slowest of all': rounded(Math.max(...resumes)),
      },
      goals: [lessThan('ms of a resume, p50', median(resumes), 10)],
    }
  },
}

async function untilPrinting(url: string, headers: Record<string, string>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (JSON.parse(await fetchOk(url, headers)).data.status === 'printing') return
    await wait(100)
  }
  throw new Error('The job did not begin to print')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const rounded = (value: number) => Math.round(value * 10) / 10
