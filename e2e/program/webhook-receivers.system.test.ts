import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPeerInstalled, peerPython } from '@printyard/hub/test/python-peers'
import { newId } from '@printyard/server/kernel/ids'
import { newSecrets, rotateSecrets, signatureHeaders } from '@printyard/server/modules/webhooks/rules/webhook-secrets'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { freePort } from '../test/free-port.ts'

const page = new URL('../../docs/webhooks.md', import.meta.url)

let folder: string
beforeAll(async () => {
  // Inside the project, so that the receiver finds its library.
  folder = await mkdtemp(join(import.meta.dirname, 'receiver-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The receivers of the documentation, as it shows them. */
const receivers = {
  ts: { name: 'receiver.ts', command: () => process.execPath, isThere: () => true },
  python: {
    name: 'receiver.py',
    command: () => peerPython('standardwebhooks'),
    isThere: () => isPeerInstalled('standardwebhooks'),
  },
} as const

/** Runs a receiver of the documentation; `told` is what it prints. */
async function startReceiver(language: keyof typeof receivers, secret: string) {
  const [, shown = ''] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(await readFile(page, 'utf8')) ?? []
  const port = await freePort()
  expect(shown).toContain('8080')
  const { name, command } = receivers[language]
  const file = join(folder, name)
  await writeFile(file, shown.replace('8080', String(port)))
  const child: ChildProcess = spawn(command(), [file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PYTHONUNBUFFERED: '1', TMPDIR: tmpdir() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let told = ''
  let log = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    told += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const send = async (headers: Record<string, string>, body: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
    return answer.status
  }
  const isUp = () => send({}, '{}').catch(() => undefined)
  await eventually(`the receiver\n${log}`, isUp, (status) => status === 400, 60_000)
  return { send, told: () => told }
}

test.each(['ts', 'python'] as const)(
  'the receiver in %s of the documentation verifies our signatures, and refuses all others',
  async (language) => {
    if (!receivers[language].isThere()) return
    const now = new Date()
    const former = newSecrets()
    const secrets = rotateSecrets(former, now, new Date(now.getTime() + 60_000))
    // It still has the former secret: the overlap of a rotation.
    const receiver = await startReceiver(language, former.current)
    const id = newId('event')
    const body = JSON.stringify({ type: 'job.completed', timestamp: now.toISOString(), data: { subject_id: 'job_ä1' } })
    const headers = signatureHeaders(secrets, id, now, body)
    expect(await receiver.send(headers, body)).toBe(204)
    expect(await receiver.send(headers, body)).toBe(204)
    await eventually(
      'the message',
      async () => receiver.told(),
      (told) => told !== '',
    )
    expect(receiver.told()).toBe('job.completed job_ä1\n')

    const old = signatureHeaders(secrets, id, new Date(now.getTime() - 6 * 60_000), body)
    const refused: [Record<string, string>, string][] = [
      [headers, body.replace('completed', 'failed')],
      [{ ...headers, 'webhook-id': newId('event') }, body],
      [{ ...headers, 'webhook-signature': 'v1,AAAA' }, body],
      [signatureHeaders(newSecrets(), id, now, body), body],
      [old, body],
    ]
    for (const [given, text] of refused) expect(await receiver.send(given, text)).toBe(400)
  },
  120_000,
)
