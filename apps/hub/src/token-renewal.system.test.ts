import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSealer } from '@printyard/protocol/sealed-connection'
import { TOKEN_RENEWAL_CAPABILITY } from '@printyard/protocol/version'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { joinHub } from './cli.ts'
import { readHubConfig } from './config.ts'
import { createHub, type Hub } from './hub.ts'
import { findJoinedHub } from './joined-hub.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { type HubProcess, makeDataDir, quickTimings, spawnHub } from './test/test-hub.ts'
import { startTestService, type TestService } from './test/test-service.ts'

/** How often one hub is killed, each time a little later after it was sent another token. */
const ROUNDS = 8

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>
let hub: Hub | undefined
let child: HubProcess | undefined

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
  service.joinCodes.set('ABCD2345', { hub_id: 'hub_1', token: service.token, name: 'Garage' })
  await joinHub({ url: service.url, code: 'ABCD2345', dataDir: dataDir.path }, {})
})
afterEach(async () => {
  await hub?.stop()
  await child?.kill()
  hub = undefined
  child = undefined
  await service.stop()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

const readConfig = async (env: NodeJS.ProcessEnv = {}) =>
  readHubConfig(
    { dataDir: dataDir.path },
    { PRINTYARD_HUB_DISCOVERY: 'off', ...env },
    await findJoinedHub(dataDir.path),
  )

async function start(env: NodeJS.ProcessEnv = {}) {
  const greetings = service.ofType('hello').length
  const log = createRecordedLog()
  hub = createHub(await readConfig(env), { log, timings: { ...quickTimings, refusedRetryMs: 60_000 } })
  await hub.start()
  await service.until(() => service.ofType('hello').length > greetings, 'the hub to connect')
  return log
}

const kept = () => JSON.parse(readFileSync(join(dataDir.path, 'hub.json'), 'utf8'))
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
const saidToBeKept = (token: string) =>
  service.ofType('token_kept').some(({ token_hash }) => token_hash === hashOf(token))

function sendToken(token: string, boundTo = 'hub_1') {
  const publicKey = service.ofType('hello').at(-1)?.public_key ?? ''
  service.send('renew_token', { sealed_token: createSealer(publicKey)(token, boundTo) })
}

test('a hub that was given another token keeps it and the former before it says so, and connects with it next', async () => {
  await start()
  expect(service.ofType('hello')[0]?.capabilities).toContain(TOKEN_RENEWAL_CAPABILITY)
  sendToken('the-second')
  await service.until(() => saidToBeKept('the-second'), 'the hub to keep it')
  expect(kept()).toMatchObject({ token: 'the-second', former_tokens: [service.token], name: 'Garage' })
  expect(statSync(join(dataDir.path, 'hub.json')).mode & 0o777).toBe(0o600)
  service.otherTokens.add('the-second')
  service.cut()
  await service.until(() => service.triedTokens.at(-1) === 'the-second', 'the new token')
})

test('where the service does not know the new token, the former one is tried at once', async () => {
  await start()
  sendToken('of-a-service-that-was-restored')
  await service.until(() => saidToBeKept('of-a-service-that-was-restored'), 'the hub to keep it')
  await hub?.stop()
  await start()
  expect(service.triedTokens).toEqual([service.token, 'of-a-service-that-was-restored', service.token])
  sendToken('the-third')
  await service.until(() => saidToBeKept('the-third'), 'the next one')
  expect(kept()).toMatchObject({ token: 'the-third', former_tokens: [service.token, 'of-a-service-that-was-restored'] })
})

test('two that are given on one connection leave that of the connection on the disk', async () => {
  await start()
  sendToken('the-second')
  sendToken('the-third')
  await service.until(() => saidToBeKept('the-third'), 'both')
  expect(kept()).toMatchObject({ token: 'the-third', former_tokens: ['the-second', service.token] })
})

test('a hub that knows no token which counts asks again after a while', async () => {
  await start()
  sendToken('the-second')
  await service.until(() => saidToBeKept('the-second'), 'the hub to keep it')
  await hub?.stop()
  service.refuseWith = 401
  const log = createRecordedLog()
  hub = createHub(await readConfig(), { log, timings: { ...quickTimings, refusedRetryMs: 60_000 } })
  await hub.start()
  await service.until(() => log.lines.some(({ message }) => message.includes('join again')), 'the hub to give up')
  expect(service.triedTokens.slice(1)).toEqual(['the-second', service.token])
})

test('what was sealed for another hub, or is no token, changes nothing', async () => {
  const log = await start()
  const before = kept()
  sendToken('the-second', 'hub_2')
  sendToken('two words')
  service.send('renew_token', { sealed_token: 'x'.repeat(200) })
  await service.until(
    () => log.lines.filter(({ message }) => message.includes('could not be kept')).length === 3,
    'three',
  )
  expect(kept()).toEqual(before)
  expect(service.ofType('token_kept')).toEqual([])
})

test('a hub that was joined again meanwhile is not given its former place', async () => {
  const log = await start()
  const joined = { ...kept(), token: 'of-another-joining' }
  writeFileSync(join(dataDir.path, 'hub.json'), JSON.stringify(joined))
  sendToken('the-second')
  await service.until(() => log.lines.some(({ message }) => message.includes('could not be kept')), 'the refusal')
  expect(kept()).toEqual(joined)
})

test('a token of the environment is not replaced', async () => {
  const log = await start({ PRINTYARD_HUB_TOKEN: service.token })
  expect(service.ofType('hello')[0]?.capabilities).not.toContain(TOKEN_RENEWAL_CAPABILITY)
  const before = kept()
  sendToken('the-second')
  await service.until(() => log.lines.some(({ message }) => message.includes('could not be kept')), 'the refusal')
  expect(kept()).toEqual(before)
})

test('a hub that is killed at any moment of it connects with a token that the service knows', {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const greetings = service.ofType('hello').length
    child = spawnHub(await readConfig())
    await service.until(() => service.ofType('hello').length > greetings, `connection ${round}`)
    const token = `token-${round}`
    service.otherTokens.add(token)
    sendToken(token)
    if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, round))
    else await service.until(() => saidToBeKept(token), 'the hub to keep it')
    await child.kill()
    // As the service does: with `token_kept` the former ones are void.
    if (saidToBeKept(token))
      for (const other of service.otherTokens) if (other !== token) service.otherTokens.delete(other)
  }
  const greetings = service.ofType('hello').length
  child = spawnHub(await readConfig())
  await service.until(() => service.ofType('hello').length > greetings, 'the last connection')
})
