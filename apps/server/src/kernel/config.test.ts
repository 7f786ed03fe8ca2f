import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
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

test('an S3 store needs its bucket and keys, and its secret is not repeated', () => {
  const whole = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'hunter2',
  }
  expect(readConfig(whole)).toMatchObject({ s3Bucket: 'files', s3Region: 'us-east-1' })
  for (const variable of Object.keys(whole)) {
    expect(() => readConfig({ ...whole, [variable]: '' })).toThrow(new RegExp(`needs .*${variable}`))
  }
  expect(() => readConfig({ ...whole, S3_SECRET_ACCESS_KEY: 'hunter2 ' })).toThrow(/^(?!.*hunter2)/s)
  expect(() => readConfig({ ...whole, S3_ENDPOINT: 's3.example.com' })).toThrow(/S3_ENDPOINT/)
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

describe('a secret in a file', () => {
  const hex = 'a1'.repeat(32)
  const store = { S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'files' }
  /** A right value of each secret setting, with what it needs beside it. */
  const rightValues: Record<string, { value: string; beside?: Record<string, string> }> = {
    DATABASE_URL: { value: 'postgres://printyard:pass word@db/printyard' },
    REDIS_URL: { value: 'redis://:secret@redis.example.com:6379/1' },
    S3_ACCESS_KEY_ID: { value: 'an-id', beside: { ...store, S3_SECRET_ACCESS_KEY: 'hidden' } },
    S3_SECRET_ACCESS_KEY: { value: 'hidden', beside: { ...store, S3_ACCESS_KEY_ID: 'an-id' } },
    PRINTYARD_SECRET_KEY: { value: hex },
    PRINTYARD_FORMER_SECRET_KEY: { value: hex, beside: { PRINTYARD_SECRET_KEY: hex } },
    PRINTYARD_METRICS_TOKEN: { value: 'a token of some length' },
    SMTP_URL: {
      value: 'smtps://me:secret@mail.example.com',
      beside: { PRINTYARD_MAIL_FROM: 'me@example.com', PRINTYARD_PUBLIC_URL: 'https://farm.example.com' },
    },
    PRINTYARD_OIDC_CLIENT_SECRET: {
      value: 'hidden',
      beside: { PRINTYARD_OIDC_ISSUER: 'https://id.example.com', PRINTYARD_OIDC_CLIENT_ID: 'printyard' },
    },
    PRINTYARD_BACKUP_S3_ACCESS_KEY_ID: {
      value: 'hidden',
      beside: {
        PRINTYARD_BACKUP_S3_ENDPOINT: 'https://s3.example.com',
        PRINTYARD_BACKUP_S3_SECRET_ACCESS_KEY: 'hidden',
      },
    },
    PRINTYARD_BACKUP_S3_SECRET_ACCESS_KEY: {
      value: 'hidden',
      beside: { PRINTYARD_BACKUP_S3_ENDPOINT: 'https://s3.example.com', PRINTYARD_BACKUP_S3_ACCESS_KEY_ID: 'hidden' },
    },
  }
  const secrets = Object.entries(settings).flatMap(([name, setting]) =>
    'isSecret' in setting ? [{ name, variable: setting.variable }] : [],
  )
  const fileWith = (content: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'printyard-secret-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'secret'), content)
    return join(folder, 'secret')
  }

  test.each(secrets)('$variable is read from the file that $variable_FILE names', ({ name, variable }) => {
    const { value, beside } = rightValues[variable] ?? { value: `no value for ${variable} in this test` }
    const file = `${variable}_FILE`
    const config = readConfig({ ...beside, [file]: fileWith(`${value}\n`) })
    expect(config[name as keyof typeof config]).toBe(value)
    expect(unknownSettings({ [file]: 'x' })).toEqual([])
    expect(() => readConfig({ ...beside, [variable]: value, [file]: fileWith(value) })).toThrow(
      `${file}  and ${variable} are both set; unset one of them`,
    )
    const read = (path: string) => () => readConfig({ ...beside, [file]: path })
    expect(read('/nowhere/secret')).toThrow(`${file}  names a file that cannot be read (ENOENT): /nowhere/secret`)
    expect(read(fileWith('\n'))).toThrow(`${file}  names an empty file`)
  })

  test('is held to the form of the setting, and not repeated where it has another', () => {
    const read = () => readConfig({ PRINTYARD_SECRET_KEY_FILE: fileWith('hunter2') })
    expect(read).toThrow(/PRINTYARD_SECRET_KEY +must match/)
    expect(read).toThrow(/^(?!.*hunter2)/s)
  })

  test('is not there for settings that are no secrets', () => {
    expect(unknownSettings({ PRINTYARD_PORT_FILE: 'x' })).toEqual(['PRINTYARD_PORT_FILE'])
  })
})
