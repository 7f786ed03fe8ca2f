import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { settings } from '@printyard/server/kernel/config'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFarmFolder, startServiceProcess } from '../test/farm-processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: Awaited<ReturnType<typeof makeFarmFolder>>
let service: Awaited<ReturnType<typeof startServiceProcess>>
beforeAll(async () => {
  folder = await makeFarmFolder()
  service = await startServiceProcess(join(folder.path, 'data'))
}, 90_000)
afterAll(async () => {
  await service?.stop()
  await folder?.remove()
}, 30_000)

test('the tour of the README works as it stands, line by line', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const steps = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, step]) => step)
  expect(steps.length).toBeGreaterThan(6)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', steps.join('\n')], {
    cwd: root,
    env: {
      ...process.env,
      URL: service.url,
      PRINTYARD_DATA_DIR: join(folder.path, 'data'),
      PRINTYARD_HUB_DISCOVERY: 'off',
    },
    timeout: 150_000,
    maxBuffer: 10_000_000,
  })
  expect(stdout).toContain('"status":"completed"')
}, 160_000)

test('the README explains every setting', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  for (const { variable, description } of Object.values(settings)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${variable}\``))
    expect(row, variable).toContain(description)
  }
})
