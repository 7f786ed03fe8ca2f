import { expect, test } from 'vitest'
import { addressesOf, mayGoUnencrypted } from './database-target.ts'

test('a socket of this machine is connected to without TLS, whatever the environment says', () => {
  const [address] = addressesOf({ socketPath: '/run/x/.s.PGSQL.5432', database: 'd', user: 'u' })
  expect(address).toMatchObject({
    socketPath: '/run/x/.s.PGSQL.5432',
    config: { database: 'd', user: 'u', ssl: false },
  })
})

test.each([
  [
    'postgres://u:p%40ss@db.local:6543/farm',
    undefined,
    { host: 'db.local', port: 6543, user: 'u', password: 'p@ss', ssl: false },
  ],
  ['postgres://u@[::1]/farm', undefined, { host: '::1', port: 5432, database: 'farm' }],
  ['postgresql://u@localhost/farm?host=%2Frun%2Fx', '/run/x/.s.PGSQL.5432', { database: 'farm', ssl: false }],
  ['postgres://u@h/farm?sslmode=require', undefined, { ssl: { rejectUnauthorized: false } }],
  ['postgres://u@h/farm?sslmode=verify-full', undefined, { ssl: {} }],
  ['postgres://u@h/farm?sslmode=disable', undefined, { ssl: false }],
  [
    'postgres://u@h/farm?search_path=a%20b&options=-c%20work_mem%3D8MB',
    undefined,
    { options: '-c work_mem=8MB -c search_path=a\\ b' },
  ],
])('%s is understood', (url, socketPath, config) => {
  const [address] = addressesOf({ url })
  expect(address?.socketPath).toBe(socketPath)
  expect(address?.config).toMatchObject(config)
})

test('sslmode=prefer tries TLS first, and several servers are tried in turn', () => {
  const addresses = addressesOf({ url: 'postgres://u@one,two/farm?sslmode=prefer' })
  expect(addresses.map(({ config }) => [config.host, config.ssl])).toEqual([
    ['one', { rejectUnauthorized: false }],
    ['one', false],
    ['two', { rejectUnauthorized: false }],
    ['two', false],
  ])
})

test.each([
  ['postgres://u@db.local/farm', true],
  ['postgres://u@db.local/farm?sslmode=disable', true],
  ['postgres://u@db.local/farm?sslmode=prefer', true],
  ['postgres://u@localhost,db.local/farm', true],
  ['postgres://u@10.0.0.5/farm', true],
  ['postgres://u@db.local/farm?sslmode=require', false],
  ['postgres://u@db.local/farm?sslmode=verify-full', false],
  ['postgres://u@localhost/farm', false],
  ['postgres://u@127.0.0.1:5433/farm', false],
  ['postgres://u@[::1]/farm', false],
  ['postgresql://u@db.local/farm?host=%2Frun%2Fx', false],
])('%s may cross a network in the clear: %s', (url, expected) => {
  expect(mayGoUnencrypted(url)).toBe(expected)
})
