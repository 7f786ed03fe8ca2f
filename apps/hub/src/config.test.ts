import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { HubConfigError, readHubConfig } from './config.ts'

const joined = { service_url: 'https://farm.test', hub_id: 'hub_1', token: 'stored', name: 'Garage' }

describe('configuration', () => {
  test('an option goes before the environment, and that before what joining stored', () => {
    const env = { PRINTYARD_HUB_URL: 'https://env.test', PRINTYARD_HUB_TOKEN: 'env', PRINTYARD_HUB_SPEED: '5' }
    expect(readHubConfig({ url: 'https://option.test', virtual: '8' }, env, joined)).toMatchObject({
      serviceUrl: 'https://option.test',
      token: 'env',
      virtualCount: 8,
      speed: 5,
    })
    expect(readHubConfig({}, {}, joined)).toEqual({
      serviceUrl: 'https://farm.test',
      token: 'stored',
      keptToken: { hubId: 'hub_1', former: [] },
      dataDir: resolve('data/hub'),
      virtualCount: 0,
      speed: 1,
      cacheBytes: 2048 * 1024 * 1024,
      isDiscoveryOn: true,
      allowsPublicAddresses: false,
      isPlainText: false,
    })
  })

  test('a service beyond this machine without encryption takes a setting, or to have been joined so', () => {
    const lan = 'http://192.168.1.20:4400'
    const read = (env: NodeJS.ProcessEnv, stored = {}) =>
      readHubConfig({}, env, { ...joined, service_url: lan, ...stored })
    expect(() => read({})).toThrow(/192.168.1.20:4400 is not encrypted.*PRINTYARD_HUB_PLAIN_TEXT=on/)
    expect(read({ PRINTYARD_HUB_PLAIN_TEXT: 'on' }).isPlainText).toBe(true)
    expect(read({}, { allows_plain_text: true }).isPlainText).toBe(true)
    expect(() => read({ PRINTYARD_HUB_PLAIN_TEXT: 'off' }, { allows_plain_text: true })).toThrow(/is not encrypted/)
    expect(() => read({ PRINTYARD_HUB_PLAIN_TEXT: 'yes' })).toThrow(/yes is neither on nor off/)
    // Joined at one address is no leave for another.
    const moved = { PRINTYARD_HUB_URL: 'http://192.168.1.21:4400' }
    expect(() => read(moved, { allows_plain_text: true })).toThrow(/is not encrypted/)
    expect(readHubConfig({ url: 'http://localhost:4400' }, {}, joined).isPlainText).toBe(false)
  })

  test('the token can stand in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'printyard-token-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'token')
    writeFileSync(file, 'from-the-file\n')
    const read = (env: NodeJS.ProcessEnv) => readHubConfig({}, env, joined).token
    expect(read({ PRINTYARD_HUB_TOKEN_FILE: file })).toBe('from-the-file')
    expect(read({ PRINTYARD_HUB_TOKEN_FILE: '', PRINTYARD_HUB_TOKEN: 'env' })).toBe('env')
    expect(() => read({ PRINTYARD_HUB_TOKEN_FILE: file, PRINTYARD_HUB_TOKEN: 'env' })).toThrow(/are both set/)
    expect(() => read({ PRINTYARD_HUB_TOKEN_FILE: join(folder, 'none') })).toThrow(/cannot be read \(ENOENT\)/)
    writeFileSync(file, '\n')
    expect(() => read({ PRINTYARD_HUB_TOKEN_FILE: file })).toThrow(/names an empty file/)
  })

  test('everything that is wrong is named at once', () => {
    const options = { url: 'ftp://farm.test', virtual: '2.5', speed: 'fast' }
    const env = { PRINTYARD_HUB_CACHE_MB: '', PRINTYARD_HUB_DISCOVERY: 'maybe' }
    try {
      readHubConfig(options, env, undefined)
      expect.unreachable()
    } catch (error) {
      expect((error as HubConfigError).problems.map(({ setting }) => setting)).toEqual([
        '--url, PRINTYARD_HUB_URL',
        '--token, PRINTYARD_HUB_TOKEN',
        '--virtual, PRINTYARD_HUB_VIRTUAL',
        '--speed, PRINTYARD_HUB_SPEED',
        'PRINTYARD_HUB_CACHE_MB',
        'PRINTYARD_HUB_DISCOVERY',
      ])
    }
  })

  test('a token that would not survive a header is refused', () => {
    expect(() => readHubConfig({ token: 'a\nb', url: 'http://farm.test' }, {}, undefined)).toThrow(HubConfigError)
  })
})
