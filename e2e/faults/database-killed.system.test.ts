import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { type Answer, startTestFarm, type TestFarm } from '../test/test-farm.ts'

let farm: TestFarm
let fileId: string
beforeAll(async () => {
  farm = await startTestFarm({ hasOwnPostgres: true })
  fileId = await farm.addFile()
}, 90_000)
afterAll(() => farm?.end(), 30_000)

async function killPostgres(): Promise<void> {
  const [pid] = (await readFile(join(farm.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

test('while PostgreSQL is killed again and again, requests wait or answer 503, and no acknowledged job is lost', async () => {
  const acknowledged: string[] = []
  const others: Answer[] = []
  let isOver = false
  async function enqueueAll(): Promise<void> {
    while (!isOver) {
      const answer = await farm.request<{ id: string }>('POST', '/jobs', { print_file_id: fileId })
      if (answer.status === 201) acknowledged.push(answer.body.data.id)
      else others.push(answer)
      await wait(20)
    }
  }
  const clients = [enqueueAll(), enqueueAll(), enqueueAll()]
  const healingMs: number[] = []
  for (let kills = 0; kills < 3; kills += 1) {
    await wait(500)
    await killPostgres()
    const killedAt = performance.now()
    const before = acknowledged.length
    await eventually(
      'a job being accepted again',
      async () => acknowledged.length,
      (now) => now > before + 3,
      15_000,
    )
    healingMs.push(performance.now() - killedAt)
  }
  isOver = true
  await Promise.all(clients)

  expect(Math.max(...healingMs)).toBeLessThan(10_000)
  expect(others.length).toBeGreaterThan(0)
  for (const refused of others) {
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const present = new Set<string>()
  for (let offset = 0; ; offset += 100) {
    const jobs = await farm.ask<{ id: string }[]>(200, 'GET', `/jobs?limit=100&offset=${offset}`)
    for (const job of jobs) present.add(job.id)
    if (jobs.length < 100) break
  }
  expect(acknowledged.filter((id) => !present.has(id))).toEqual([])
  const ready = await fetch(`${farm.service.url}/readyz`)
  expect(ready.status).toBe(200)
}, 60_000)

test('a PostgreSQL that dies again and again ends the service with 1 and the reason, and nothing is lost', async () => {
  const job = await farm.ask<{ id: string }>(201, 'POST', '/jobs', { print_file_id: fileId })
  let hasEnded = false
  const ended = farm.service.ended.then((code) => {
    hasEnded = true
    return code
  })
  for (let looks = 0; looks < 400 && !hasEnded; looks += 1) {
    // Between two lives there is nothing to kill.
    await killPostgres().catch(() => undefined)
    await wait(100)
  }
  expect(await ended).toBe(1)
  const sentence = farm.service
    .log()
    .split('\n')
    .findLast((line) => line !== '' && !line.startsWith('{'))
  expect(sentence).toContain('is not started again')

  await farm.startAgain()
  expect(await farm.job(job.id)).toMatchObject({ status: 'queued' })
}, 90_000)
