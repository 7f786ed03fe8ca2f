import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listMethods } from '@printyard/sdk/methods'
import { createTestApp, type TestAccount, type TestApp } from '@printyard/server/test/app/test-app'
import { drawImage } from '@printyard/server/test/farm/test-images'
import { type ApiDescription, listOperations } from '@printyard/web/docs-site/reference/api-description'
import { asCurl, asPython, asTypeScript, exampleRequest } from '@printyard/web/docs-site/reference/request-examples'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

let t: TestApp
let account: TestAccount
let folder: string
/** With its examples, of which those of the reference are made. */
let description: ApiDescription
beforeAll(async () => {
  t = await createTestApp({ config: { rateLimitPerMinute: 1_000 } })
  account = await t.account()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  description = (await (await fetch(`${t.app.listeningOrigin}/public/v1/openapi.json`)).json()) as ApiDescription
  folder = await mkdtemp(join(tmpdir(), 'printyard-examples-'))
  await writeFile(join(folder, 'picture.jpg'), await drawImage('jpeg'))
}, 60_000)
afterAll(async () => {
  await t?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a program as a reader does, with the address and the key in the environment; rejects when it fails. */
async function run(command: string, args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, PRINTYARD_URL: t.app.listeningOrigin, PRINTYARD_API_KEY: account.key }
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: folder,
    env,
    timeout: 60_000,
    maxBuffer: 64_000_000,
  })
  return stdout
}

const byCurl = (text: string) => run('sh', ['-euc', text.replaceAll(/^curl /gm, 'curl -sS --fail-with-body ')])
const byPython = (text: string) => run('python3', ['-c', text])

test('each list and report of the reference is answered to its examples in curl and Python', async () => {
  const requests = listOperations(description)
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/public/v1/'))
    .map((operation) => exampleRequest(operation, description))
    .filter(({ pathValues, query, answersJson }) => answersJson && pathValues.length + Object.keys(query).length === 0)
  expect(requests.length).toBeGreaterThan(30)
  const answers = await byCurl(requests.map(asCurl).join('\necho\n'))
  expect(answers.match(/"success":true/g)).toHaveLength(requests.length)
  // Each in a scope of its own.
  const programs = requests.map(asPython).map((text) => `exec(${JSON.stringify(text)}, {})`)
  expect((await byPython(programs.join('\n'))).trim().split('\n')).toHaveLength(requests.length)
}, 120_000)

test('what is made, and an image that is sent, arrive by the examples in curl and Python', async () => {
  const exampleOf = (operationId: string) => {
    const operation = listOperations(description).find((each) => each.operationId === operationId)
    if (operation === undefined) throw new Error(`no operation ${operationId}`)
    return exampleRequest(operation, description)
  }
  const create = exampleOf('createProduct')
  const named = (name: string) => ({ ...create, body: { type: 'application/json', value: { name } } })
  const made: { data: { id: string } } = JSON.parse(await byCurl(asCurl(named('By curl'))))
  expect(await byPython(asPython(named('By Python')))).toContain('By Python')

  const toProduct = (operationId: string) => {
    const request = exampleOf(operationId)
    return { ...request, path: request.path.replace(request.pathValues[0] ?? '', made.data.id) }
  }
  await byCurl(asCurl(toProduct('createProductImage')))
  await byPython(asPython(toProduct('createProductImage')))
  const images: { data: unknown[] } = JSON.parse(await byCurl(asCurl(toProduct('getProductImages'))))
  expect(images.data).toHaveLength(2)
}, 60_000)

/** What the compiler says of programs, as a reader has them who has installed the SDK. */
async function complaints(programs: Record<string, string>): Promise<string> {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  // Below the packages of the project, where the SDK is found.
  const place = await mkdtemp(join(cache, 'examples-'))
  onTestFinished(() => rm(place, { recursive: true }))
  for (const [name, text] of Object.entries(programs))
    await writeFile(join(place, `${name}.ts`), `${text}\nexport {}\n`)
  const compilerOptions = { incremental: false }
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify(settings))
  try {
    await run(join(root, 'node_modules/typescript-7/bin/tsc'), ['-p', place])
    return ''
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}

test('the types of the SDK accept every example in TypeScript, and refuse one that is wrong', async () => {
  const calls = listMethods()
  const programs = Object.fromEntries(
    listOperations(description).map((operation) => [
      operation.operationId,
      asTypeScript(exampleRequest(operation, description), calls.get(operation.operationId) ?? 'none'),
    ]),
  )
  expect(Object.keys(programs).length).toBeGreaterThan(200)
  expect(await complaints(programs)).toBe('')
  expect(await complaints({ wrong: (programs.getPrinter ?? '').replaceAll("'", '') })).toContain('wrong.ts')
}, 120_000)
