import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HubConfigError, readHubConfig } from './config.ts'

const joined = { service_url: 'https://farm.test', hub_id: 'hub_1', token: 'stored', name: 'Garage' }

describe('configuration', () => {
  test('an option goes before the environment, and that before what joining stored', () => {
    const env = { PRINTYARD_HUB_URL: 'http://env.test', PRINTYARD_HUB_TOKEN: 'env', PRINTYARD_HUB_SPEED: '5' }
    expect(readHubConfig({ url: 'http://option.test', virtual: '8' }, env, joined)).toMatchObject({
      serviceUrl: 'http://option.test',
      token: 'env',
      virtualCount: 8,
      speed: 5,
    })
    expect(readHubConfig({}, {}, joined)).toEqual({
      serviceUrl: 'https://farm.test',
      token: 'stored',
      dataDir: resolve('data/hub'),
      virtualCount: 0,
      speed: 1,
      cacheBytes: 2048 * 1024 * 1024,
      isDiscoveryOn: true,
      allowsPublicAddresses: false,
    })
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
