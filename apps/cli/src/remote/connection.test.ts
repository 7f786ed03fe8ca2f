import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { expect, test } from 'vitest'
import { findDestination } from './connection.ts'
import { loginPath, readLogin, removeLogin, storeLogin } from './stored-login.ts'

const stored = async () => ({ server: 'https://farm.example.com', api_key: 'stored' })
const nothingStored = async () => undefined

test('options win over the environment, which wins over what is stored', async () => {
  const file = join(temporaryDirectory(), 'key')
  writeFileSync(file, 'of-file\n')
  const env = { PRINTYARD_URL: 'https://env.example.com/', PRINTYARD_API_KEY: 'of-env' }
  expect(await findDestination({}, {}, stored)).toEqual({ server: 'https://farm.example.com', apiKey: 'stored' })
  expect(await findDestination({}, env, stored)).toEqual({ server: 'https://env.example.com', apiKey: 'of-env' })
  const options = { server: 'https://other.example.com/public/v1', apiKeyFile: file }
  expect(await findDestination(options, env, stored)).toEqual({
    server: 'https://other.example.com',
    apiKey: 'of-file',
  })
})

test('a stored key is sent to no other server than its own', async () => {
  const other = findDestination({ server: 'https://other.example.com' }, {}, stored)
  await expect(other).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('No key for https://other'),
  })
  const same = await findDestination({ server: 'https://farm.example.com/' }, {}, stored)
  expect(same.apiKey).toBe('stored')
})

test.each([
  ['no server', {}, {}],
  ['an address that is none', { server: 'farm' }, { PRINTYARD_API_KEY: 'k' }],
  ['a password in the address', { server: 'https://me:secret@farm.example.com' }, { PRINTYARD_API_KEY: 'k' }],
  ['a file that is not there', { server: 'https://a.example.com', apiKeyFile: '/nowhere/key' }, {}],
  ['a key with a line break', { server: 'https://a.example.com' }, { PRINTYARD_API_KEY: 'a\nb' }],
])('%s is wrong usage', async (_, options, env) => {
  await expect(findDestination(options, env, nothingStored)).rejects.toMatchObject({ exitCode: 2 })
})

test('a login is kept for its user only, whole, and can be removed', async () => {
  const path = loginPath({ XDG_CONFIG_HOME: temporaryDirectory() }, 'linux')
  expect(await readLogin(path)).toBeUndefined()
  await storeLogin({ server: 'https://a.example.com', api_key: 'one' }, path)
  await storeLogin({ server: 'https://a.example.com', api_key: 'two' }, path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(path, '..'))).toEqual(['login.json'])
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ server: 'https://a.example.com', api_key: 'two' })
  expect(await removeLogin(path)).toBe(true)
  expect(await removeLogin(path)).toBe(false)
})

test('a damaged login is told as such', async () => {
  const path = loginPath({ XDG_CONFIG_HOME: temporaryDirectory() }, 'linux')
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, '{"server":')
  await expect(readLogin(path)).rejects.toThrow('is damaged; log in again')
})
