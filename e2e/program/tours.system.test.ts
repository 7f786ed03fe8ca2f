import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { settings } from '@printyard/server/kernel/config'
import { quotas } from '@printyard/server/kernel/quotas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFarmFolder, startServiceProcess } from '../test/farm-processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: Awaited<ReturnType<typeof makeFarmFolder>>
let service: Awaited<ReturnType<typeof startServiceProcess>>
beforeAll(async () => {
  folder = await makeFarmFolder()
  service = await startServiceProcess(join(folder.path, 'data'), {
    settings: { PRINTYARD_RATE_LIMIT_PER_MINUTE: '120' },
  })
}, 90_000)
afterAll(async () => {
  await service?.stop()
  await folder?.remove()
}, 30_000)

/** The commands of a document, in order. */
async function stepsOf(document: string): Promise<string[]> {
  const text = await readFile(join(root, document), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, step]) => step ?? '')
}

async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: root,
    env: {
      ...process.env,
      URL: service.url,
      PRINTYARD_DATA_DIR: join(folder.path, 'data'),
      PRINTYARD_HUB_DISCOVERY: 'off',
    },
    timeout: 280_000,
    maxBuffer: 10_000_000,
  })
  return stdout
}

test('the tours of the README and of the API, and the walk from an order to a parcel, work as they stand, line by line', async () => {
  const readme = await stepsOf('README.md')
  const tour = await stepsOf('docs/api/tour.md')
  const walk = await stepsOf('docs/closed-loop.md')
  expect(readme.length).toBeGreaterThan(6)
  expect(tour.length).toBeGreaterThan(8)
  expect(walk.length).toBeGreaterThan(6)
  // The others go on with the farm of the first, whose last line stops the hub, on a cleared plate and with a key of its own each:
  // keys are counted apart.
  const stop = /^kill .*$/m
  const farm = readme.map((step) => step.replace(stop, ''))
  const stops = readme.flatMap((step) => stop.exec(step) ?? [])
  expect(stops).toHaveLength(1)
  const between = `
    post "/printers/$PRINTER/control" '{"action": "clear_bed"}'
    KEY="$(npx printyard keys create --account "$ACCOUNT" --name api --scopes read,write,control --json | pick key)"
    echo "--- next tour"`
  const output = await run([...farm, between, ...tour, between, ...walk, ...stops].join('\n'))
  const [first = '', second = '', third = ''] = output.split('--- next tour')
  expect(first).toContain('"status":"completed"')
  expect(second.match(/(Tour|Shelf bracket) completed$/gm)).toHaveLength(2)
  expect(third).toMatch(/order_fulfilled -/)
}, 300_000)

test('the README explains every setting', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  for (const { variable, description } of Object.values(settings)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${variable}\``))
    expect(row, variable).toContain(description)
  }
})

test('the page about quotas has the setting and the default of each', async () => {
  const page = await readFile(join(root, 'docs/operating/quotas.md'), 'utf8')
  for (const { variable, fallback, what } of Object.values(quotas)) {
    expect(page).toContain(`| \`${variable}\` | ${fallback} | ${what} |`)
  }
})
