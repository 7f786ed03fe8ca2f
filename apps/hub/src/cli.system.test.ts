import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { joinHub, runHub } from './cli.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { makeDataDir } from './test/test-hub.ts'
import { startTestService, type TestService } from './test/test-service.ts'

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
})
afterEach(async () => {
  await service.stop()
  dataDir.remove()
})

describe('joining', () => {
  test('swaps the code for a token that only its owner can read, and the hub runs with it', async () => {
    service.joinCodes.set('ABCD2345', { hub_id: 'hub_1', token: service.token, name: 'Garage' })
    const joined = await joinHub({ url: `${service.url}/`, code: ' ABCD2345 ', dataDir: dataDir.path }, {})
    expect(joined).toEqual({ hub_id: 'hub_1', name: 'Garage', data_dir: dataDir.path })
    expect(statSync(join(dataDir.path, 'hub.json')).mode & 0o777).toBe(0o600)
    const stop = new AbortController()
    const log = createRecordedLog()
    const running = runHub(
      { dataDir: dataDir.path, virtual: '2' },
      { env: { PRINTYARD_HUB_DISCOVERY: 'off' }, log, signal: stop.signal },
    )
    await service.until(() => service.ofType('discovered').length === 1, 'the hub')
    stop.abort()
    await running
    expect(service.closes[0]?.code).toBe(1001)
  })

  test('a used code is refused with the reason of the service, and an earlier token stays', async () => {
    service.joinCodes.set('ABCD2345', { hub_id: 'hub_1', token: 'first', name: 'Garage' })
    const options = { url: service.url, code: 'ABCD2345', dataDir: dataDir.path }
    await joinHub(options, {})
    await expect(joinHub(options, {})).rejects.toMatchObject({ code: 'JOIN_CODE_INVALID' })
    expect(JSON.parse(readFileSync(join(dataDir.path, 'hub.json'), 'utf8'))).toMatchObject({ token: 'first' })
  })

  test('a service that is not there and an address that is none are told apart', async () => {
    const { url } = service
    await service.stop()
    await expect(joinHub({ url, code: 'X', dataDir: dataDir.path }, {})).rejects.toMatchObject({
      code: 'SERVICE_UNREACHABLE',
    })
    await expect(joinHub({ url: 'farm', code: 'X' }, {})).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('a damaged hub.json is named', async () => {
    const path = join(dataDir.path, 'hub.json')
    writeFileSync(path, '{"token":')
    chmodSync(path, 0o600)
    await expect(runHub({ dataDir: dataDir.path }, { env: {} })).rejects.toThrow(path)
  })
})
