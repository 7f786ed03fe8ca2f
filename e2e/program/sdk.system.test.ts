import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildPackage } from '@printyard/sdk/build'
import { newId } from '@printyard/server/kernel/ids'
import { newSecrets, signatureHeaders } from '@printyard/server/modules/webhooks/rules/webhook-secrets'
import { createTestApp, type TestApp } from '@printyard/server/test/app/test-app'
import { readSlicedFile } from '@printyard/server/test/farm/sliced-file'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { freePort } from '../test/free-port.ts'

const readme = fileURLToPath(new URL('../../packages/sdk/README.md', import.meta.url))

let t: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printyard-sdk-'))
  const modules = join(folder, 'node_modules/@printyard')
  await mkdir(modules, { recursive: true })
  buildPackage(join(modules, 'sdk'))
  const parser = 'node_modules/eventsource-parser'
  await cp(fileURLToPath(new URL(`../../${parser}`, import.meta.url)), join(folder, parser), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  t = await createTestApp()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
}, 60_000)
afterAll(async () => {
  await t?.close()
  await rm(folder, { recursive: true, force: true })
})

/**
 * As in a project that has the published package and the types of Node, under strict rules. Projects have either compiler; the later one
 * takes a fifth of the processor time.
 */
function checkTypes(file: string, compiler: 'typescript' | 'typescript-7'): void {
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
  execFileSync(process.execPath, [join(modules, compiler, 'bin/tsc'), ...options, ...types, file])
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
  const published = JSON.parse(await readFile(join(modules, 'sdk/package.json'), 'utf8')) as object
  expect(published).toHaveProperty('dependencies', { 'eventsource-parser': '4.1.3' })
  const text = await readFile(readme, 'utf8')
  const examples = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example]) => example ?? '')
  expect(examples.length).toBeGreaterThan(7)
  await writeFile(join(folder, 'examples.ts'), examples.join('\n'))
  await writeFile(join(folder, 'bracket.gcode'), await readSlicedFile())
  checkTypes(join(folder, 'examples.ts'), 'typescript')

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

/** The requests of a page of the reference by the ID of their operation, in this language. */
async function examplesOf(tag: string, language: string): Promise<Map<string, string>> {
  const { body } = await t.app.inject(`/docs/api/reference/${tag}`)
  const examples = body.split('<h2 id="').slice(1)
  const form = new RegExp(`<summary>${language}</summary>\\n<pre[^>]*><code>(.*?)</code>`, 's')
  return new Map(examples.map((part) => [part.slice(0, part.indexOf('"')), unescapeHtml(form.exec(part)?.[1] ?? '')]))
}

const unescapeHtml = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

test('the requests of the reference run in curl, TypeScript and Python, and those in TypeScript fit the SDK', async () => {
  const { body: overview } = await t.app.inject('/docs/api/reference')
  const tags = new Set([...overview.matchAll(/href="\/docs\/api\/reference\/([a-z]+)#/g)].map(([, tag]) => tag ?? ''))
  const scripts: string[] = []
  for (const tag of tags) scripts.push(...(await examplesOf(tag, 'TypeScript')).values())
  expect(scripts.length).toBeGreaterThan(200)
  const bodies = scripts.map((script) => `{\n${script.replaceAll(/^import .*\n/gm, '')}}\n`)
  const imports = "import { openAsBlob } from 'node:fs'\nimport { Printyard } from '@printyard/sdk'\n"
  await writeFile(join(folder, 'reference.ts'), imports + bodies.join(''))
  checkTypes(join(folder, 'reference.ts'), 'typescript-7')

  const run = promisify(execFile)
  const programs = {
    curl: ['sh', '-c'],
    TypeScript: [process.execPath, '--input-type=module-typescript', '-e'],
    Python: ['python3', '-c'],
  }
  for (const [language, [program = '', ...options]] of Object.entries(programs)) {
    const account = await t.account()
    const env = { PATH: process.env.PATH, PRINTYARD_URL: t.app.listeningOrigin, PRINTYARD_API_KEY: account.key }
    const examples = await examplesOf('products', language)
    for (const operation of ['createProduct', 'listProducts']) {
      const { stdout } = await run(program, [...options, examples.get(operation) ?? ''], { env, cwd: folder })
      expect(stdout, `${operation} in ${language}`).toContain('Cable clip')
    }
  }
}, 120_000)
