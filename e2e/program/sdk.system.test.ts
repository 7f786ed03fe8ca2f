import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPackage } from '@printyard/sdk/build'
import { newId } from '@printyard/server/kernel/ids'
import { newSecrets, signatureHeaders } from '@printyard/server/modules/webhooks/rules/webhook-secrets'
import { readSlicedFile } from '@printyard/server/test/sliced-file'
import { createTestApp, type TestApp } from '@printyard/server/test/test-app'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { freePort } from '../test/free-port.ts'

const readme = fileURLToPath(new URL('../../packages/sdk/README.md', import.meta.url))

let t: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printyard-sdk-'))
  t = await createTestApp()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
}, 60_000)
afterAll(async () => {
  await t?.close()
  await rm(folder, { recursive: true, force: true })
})

/** As in a project that has the published package and the types of Node, under strict rules. */
function checkTypes(file: string): void {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom,dom.iterable',
    '--module',
    'nodenext',
  ]
  const types = ['--typeRoots', join(modules, '@types'), '--types', 'node']
  execFileSync(process.execPath, [join(modules, 'typescript/bin/tsc'), ...options, ...types, file])
}

function runNode(file: string, env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { told: '', log: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    output.told += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output.log += chunk.toString()
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  })
  return output
}

test('the examples of the README run as they stand, with the package that is published', async () => {
  const modules = join(folder, 'node_modules/@printyard')
  await mkdir(modules, { recursive: true })
  buildPackage(join(modules, 'sdk'))
  const published = JSON.parse(await readFile(join(modules, 'sdk/package.json'), 'utf8')) as object
  expect(published).not.toHaveProperty('dependencies')
  const text = await readFile(readme, 'utf8')
  const examples = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example]) => example ?? '')
  expect(examples.length).toBeGreaterThan(7)
  await writeFile(join(folder, 'examples.ts'), examples.join('\n'))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'bracket.gcode'), await readSlicedFile())
  checkTypes(join(folder, 'examples.ts'))

  const account = await t.account()
  const secrets = newSecrets()
  const port = await freePort()
  const output = runNode(join(folder, 'examples.ts'), {
    PRINTYARD_URL: t.app.listeningOrigin,
    PRINTYARD_API_KEY: account.key,
    GCODE: join(folder, 'bracket.gcode'),
    WEBHOOK_SECRET: secrets.current,
    WEBHOOK_PORT: String(port),
  })
  const body = JSON.stringify({
    type: 'job.queued',
    timestamp: new Date().toISOString(),
    data: { subject_id: 'job_1' },
  })
  const send = async (headers: Record<string, string>) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }).catch(() => undefined)
    return answer?.status
  }
  await eventually(
    'the receiver of the last example',
    async () => (output.log === '' ? send({}) : output.log),
    (status) => status === 400 || typeof status === 'string',
    60_000,
  )
  expect(output.log).toBe('')
  expect(await send(signatureHeaders(secrets, newId('event'), new Date(), body))).toBe(204)
  expect(output.told.trimEnd().split('\n')).toEqual([
    '0 printers, 0 jobs in the queue',
    'queued once',
    'Bracket is queued',
    'the newest is ours',
    'no such job: 404 NOT_FOUND',
    'to be printed in Black',
    'job.cancelled',
    'webhook: job.queued of job_1',
  ])
}, 120_000)
