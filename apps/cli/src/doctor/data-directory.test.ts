import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { describe, expect, test } from 'vitest'
import { checkDataDirectory, checkSecretKey, checkSpace } from './data-directory.ts'

const mib = 1024 * 1024

test('little space is a warning, hardly any a problem', () => {
  expect(checkSpace('/data', 2_000 * mib).status).toBe('ok')
  expect(checkSpace('/data', 1_000 * mib).status).toBe('warning')
  expect(checkSpace('/data', 63 * mib).status).toBe('problem')
})

describe('the data directory', () => {
  test('may still be missing', () => {
    const [access] = checkDataDirectory(join(temporaryDirectory(), 'not', 'yet'), undefined)
    expect(access).toMatchObject({ status: 'ok', message: expect.stringContaining('does not exist yet') })
  })

  test('that is a file is a problem', () => {
    const path = join(temporaryDirectory(), 'data')
    writeFileSync(path, '')
    expect(checkDataDirectory(path, undefined)[0]).toMatchObject({ status: 'problem', remedy: expect.any(String) })
  })

  test('tells who uses it', () => {
    const holder = { pid: 77, purpose: 'service', started_at: '2026-01-01T00:00:00.000Z' }
    const [access] = checkDataDirectory(temporaryDirectory(), holder)
    expect(access?.message).toContain('process 77 (service)')
  })
})

describe('the secret key', () => {
  function check(text?: string, mode = 0o600, hasFiles = true) {
    const dataDir = temporaryDirectory()
    if (hasFiles) mkdirSync(join(dataDir, 'files'))
    if (text !== undefined) {
      writeFileSync(join(dataDir, 'secret.key'), text)
      chmodSync(join(dataDir, 'secret.key'), mode)
    }
    return checkSecretKey({ dataDir, secretKey: undefined })
  }

  test('for its owner only is fine', () => expect(check(`${'a'.repeat(64)}\n`).status).toBe('ok'))
  test('that others may read is a problem that names the command', () => {
    expect(check('a'.repeat(64), 0o640)).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('chmod 600'),
    })
  })
  test('that is cut short is a problem', () => expect(check('abc').status).toBe('problem'))
  test('that is gone after the service ran is a warning', () => expect(check().status).toBe('warning'))
  test('that was never made is fine', () => expect(check(undefined, 0, false).status).toBe('ok'))
  test('of the environment needs no file', () => {
    expect(checkSecretKey({ dataDir: '/nonexistent', secretKey: 'a'.repeat(64) }).status).toBe('ok')
  })
})
