import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPeerInstalled, peerPython } from '@printyard/hub/test/python-peers'
import { buildPythonPackage, pythonSources, readPythonInputs } from '@printyard/sdk/build-python'
import { newId } from '@printyard/server/kernel/ids'
import { newSecrets, signatureHeaders } from '@printyard/server/modules/webhooks/rules/webhook-secrets'
import { createTestApp, type TestApp } from '@printyard/server/test/app/test-app'
import { readSlicedFile } from '@printyard/server/test/farm/sliced-file'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { freePort } from '../test/free-port.ts'
import { keptBuild, run } from './made-client.ts'

const python = peerPython('printyard-sdk')

let t: TestApp
let folder: string
/** Where the package is installed, as pip leaves it. */
let installed: string
/** What mypy found out about files whose content is the same, of Python's own library above all; kept with the package's sources. */
let knownTypes: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printyard-sdk-python-'))
  t = await createTestApp()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  if (!isPeerInstalled('printyard-sdk')) return
  const source = await keptBuild('sdk-python', 'printyard-sdk', readPythonInputs(), buildPythonPackage)
  knownTypes = `${source}-types`
  await run(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], source)
  const [wheel = ''] = (await readdir(folder)).filter((name) => name.endsWith('.whl'))
  installed = join(folder, 'installed')
  await run(python, ['-m', 'pip', 'install', '-q', '--no-deps', '--no-index', '--target', installed, wheel], folder)
}, 9 * 60_000)
afterAll(async () => {
  await t?.close()
  await rm(folder, { recursive: true, force: true })
})

function runPython(file: string, env: Record<string, string>) {
  const child: ChildProcess = spawn(python, [file], {
    env: { ...process.env, PYTHONPATH: installed, PYTHONUNBUFFERED: '1', ...env },
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

describe.skipIf(!isPeerInstalled('printyard-sdk'))('the Python SDK, as pip installs it', () => {
  test('repeats what may be repeated, and never a command whose outcome is not known', async () => {
    const tests = join(pythonSources, 'tests')
    const env = { PYTHONPATH: installed, PYTHONDONTWRITEBYTECODE: '1' }
    const { all } = await run(python, ['-m', 'unittest', 'discover', '-s', tests], folder, { env })
    expect(all).toMatch(/Ran 1\d tests[\s\S]*\nOK\n$/)
  })

  test('the examples of its README run as they stand, under strict types', async () => {
    const text = await readFile(join(pythonSources, 'README.md'), 'utf8')
    const examples = [...text.matchAll(/^```python\n(.*?)^```$/gms)].map(([, example]) => example ?? '')
    expect(examples.length).toBeGreaterThan(7)
    const work = join(folder, 'work')
    await mkdir(work)
    await writeFile(join(work, 'examples.py'), examples.join('\n'))
    await writeFile(join(work, 'bracket.gcode'), await readSlicedFile())
    // All of the package: what the generator makes is read as strictly as what is written by hand.
    const checked = [
      join(installed, 'printyard'),
      join(work, 'examples.py'),
      join(pythonSources, 'tests/test_retries.py'),
    ]
    await run(python, ['-m', 'mypy', '--strict', '--cache-dir', knownTypes, ...checked], folder, {
      env: { MYPYPATH: installed },
    })

    const account = await t.account()
    const secrets = newSecrets()
    const port = await freePort()
    const output = runPython(join(work, 'examples.py'), {
      PRINTYARD_URL: t.app.listeningOrigin,
      PRINTYARD_API_KEY: account.key,
      GCODE: join(work, 'bracket.gcode'),
      WEBHOOK_SECRET: secrets.current,
      WEBHOOK_PORT: String(port),
    })
    const body = JSON.stringify({
      type: 'job.queued',
      timestamp: new Date().toISOString(),
      data: {
        id: newId('event'),
        type: 'job.queued',
        subject_id: 'job_1',
        data: {},
        actor: 'system',
        created_at: new Date().toISOString(),
      },
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
    await eventually(
      'what the receiver says',
      async () => output.told,
      (told) => told.includes('webhook: '),
    )
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
  })
})
