import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError, readConfig, settings, unknownSettings } from './config.ts'

test('an empty environment gives the defaults', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ host: '127.0.0.1', port: 4400, rateLimitPerMinute: 120, maxFileMb: 500 })
  expect(config.dataDir).toBe(resolve('data'))
  expect(config.databaseUrl).toBeUndefined()
})

test('options of the command line win over the environment', () => {
  expect(readConfig({ PRINTYARD_PORT: '1' }, { PRINTYARD_PORT: '0' }).port).toBe(0)
})

test('every wrong setting is named at once, with what it should be', () => {
  const read = () => readConfig({ PRINTYARD_PORT: '70000', PRINTYARD_LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(/PRINTYARD_PORT +must be a whole number from 0 to 65535/)
  expect(read).toThrow(/PRINTYARD_LOG_LEVEL +must be one of error, warn, info, debug, silent/)
  expect(read).toThrow(/DATABASE_URL +must match/)
})

test.each(['1e2', '0x10', '-1', '1.5', ' 5', 'five'])('the port %j is refused, not read as something else', (port) => {
  expect(() => readConfig({ PRINTYARD_PORT: port })).toThrow(ConfigError)
})

test('a secret that is wrong is not repeated in the message', () => {
  expect(() => readConfig({ PRINTYARD_SECRET_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/s)
})

test('what is not supported yet is refused instead of ignored', () => {
  expect(() => readConfig({ REDIS_URL: 'redis://localhost' })).toThrow(
    /REDIS_URL +is not supported by this version yet/,
  )
})

test('each quota has a setting of its own, and 0 lets nothing be made', () => {
  const { quotas } = readConfig({ PRINTYARD_QUOTA_HUBS: '3', PRINTYARD_QUOTA_JOBS: '0' })
  expect(quotas).toMatchObject({ hubs: 3, jobs: 0, printers: 10_000 })
  expect(() => readConfig({ PRINTYARD_QUOTA_HUBS: 'many' })).toThrow(
    /PRINTYARD_QUOTA_HUBS +must be a whole number from 0 to 1000000000/,
  )
  expect(unknownSettings({ PRINTYARD_QUOTA_HUBS: '3', PRINTYARD_QUOTA_HUB: '3' })).toEqual(['PRINTYARD_QUOTA_HUB'])
})

test('a setting that cannot work alone says what it needs', () => {
  expect(() => readConfig({ SMTP_URL: 'smtp://mail.example.com' })).toThrow(
    /SMTP_URL +needs PRINTYARD_MAIL_FROM and PRINTYARD_PUBLIC_URL too/,
  )
  expect(() => readConfig({ PRINTYARD_OIDC_CLIENT_SECRET: 'hidden' })).toThrow(/needs PRINTYARD_OIDC_ISSUER too/)
})

test('proxies that are trusted are addresses and networks', () => {
  const read = (text: string) => readConfig({ PRINTYARD_TRUSTED_PROXIES: text }).trustedProxies
  expect(read('127.0.0.1, 10.0.0.0/8,fd00::/8, ::1')).toBe('127.0.0.1, 10.0.0.0/8,fd00::/8, ::1')
  for (const wrong of ['proxy.lan', '10.0.0.0/33', '10.0.0.300', '10.0.0.1,', 'true', '::1/129', '10.0.0.0/', '*']) {
    expect(() => read(wrong), wrong).toThrow(/PRINTYARD_TRUSTED_PROXIES +.* is neither an address nor a network/)
  }
})

test('a sign-in provider without encryption is only taken on this machine', () => {
  const issuer = (address: string) =>
    readConfig({ PRINTYARD_OIDC_ISSUER: address, PRINTYARD_OIDC_CLIENT_ID: 'x' }).oidcIssuer
  expect(issuer('http://127.0.0.1:9000')).toBe('http://127.0.0.1:9000')
  expect(issuer('https://id.example.com/realms/farm')).toBe('https://id.example.com/realms/farm')
  expect(() => issuer('http://id.example.com')).toThrow(ConfigError)
})

test.each(['printyard@example.com', 'Printyard <printyard@example.com>'])('mail may come from %s', (sender) => {
  expect(readConfig({ PRINTYARD_MAIL_FROM: sender }).mailFrom).toBe(sender)
})

test('a misspelt setting is noticed', () => {
  expect(unknownSettings({ PRINTYARD_PROT: '1', PRINTYARD_PORT: '1', PRINTYARD_HUB_URL: 'x', HOME: '/' })).toEqual([
    'PRINTYARD_PROT',
  ])
})

function secretFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  writeFileSync(path, content)
  return path
}

/** A value that fits each secret, with what it needs beside it. */
const secrets: Record<string, { value: string; env?: Record<string, string> }> = {
  DATABASE_URL: { value: 'postgres://user:password@db/printyard' },
  PRINTYARD_SECRET_KEY: { value: 'a'.repeat(64) },
  PRINTYARD_FORMER_SECRET_KEY: { value: 'b'.repeat(64), env: { PRINTYARD_SECRET_KEY: 'a'.repeat(64) } },
  PRINTYARD_METRICS_TOKEN: { value: 'a token of many characters' },
  SMTP_URL: {
    value: 'smtps://user:password@mail.example.com',
    env: { PRINTYARD_MAIL_FROM: 'farm@example.com', PRINTYARD_PUBLIC_URL: 'https://farm.example.com' },
  },
  PRINTYARD_OIDC_CLIENT_SECRET: {
    value: 'secret',
    env: { PRINTYARD_OIDC_ISSUER: 'https://id.example.com', PRINTYARD_OIDC_CLIENT_ID: 'printyard' },
  },
}

test.for(Object.entries(settings).flatMap(([name, setting]) => ('isSecret' in setting ? [{ name, ...setting }] : [])))(
  'the secret $variable can be given as a file',
  ({ name, variable }) => {
    const { value, env = {} } = secrets[variable]!
    const given = { ...env, [`${variable}_FILE`]: secretFile(`${value}\n`) }
    expect(readConfig(given)).toMatchObject({ [name]: value })
    expect(unknownSettings(given)).toEqual([])
  },
)

test('a file of a secret that is missing, empty or not the only one is named, and what it holds is not', () => {
  const read = (env: Record<string, string>) => () => readConfig(env)
  expect(read({ DATABASE_URL_FILE: '/no/such/file' })).toThrow(
    /DATABASE_URL_FILE +\/no\/such\/file cannot be read \(ENOENT\)/,
  )
  expect(read({ DATABASE_URL_FILE: secretFile('\n') })).toThrow(/DATABASE_URL_FILE .* is empty/)
  const both = { PRINTYARD_METRICS_TOKEN: 'a token of many characters', PRINTYARD_METRICS_TOKEN_FILE: secretFile('b') }
  expect(read(both)).toThrow('cannot be set together with PRINTYARD_METRICS_TOKEN')
  expect(read({ PRINTYARD_SECRET_KEY_FILE: secretFile('hunter2') })).toThrow(/^(?!.*hunter2)/s)
})

test('what is no secret is not read from a file', () => {
  expect(unknownSettings({ PRINTYARD_PORT_FILE: secretFile('1') })).toEqual(['PRINTYARD_PORT_FILE'])
  expect(readConfig({ PRINTYARD_PORT_FILE: secretFile('1') }).port).toBe(4400)
})
