import { expect, test } from 'vitest'
import { isOnlyHere, joinCommand } from './join-command.ts'

test('the command names the address of the service and the code', () => {
  expect(joinCommand('https://farm.example.com', 'K7QM2XWD')).toBe(
    'node scripts/run.mjs printyard hub join https://farm.example.com K7QM2XWD',
  )
})

test('a local authority is named by its fingerprint, where the address is that of HTTPS', () => {
  expect(joinCommand('https://farm.local:4400', 'K7QM2XWD', 'ab12')).toBe(
    'node scripts/run.mjs printyard hub join https://farm.local:4400 K7QM2XWD --ca-fingerprint ab12',
  )
  expect(joinCommand('http://localhost:4400', 'K7QM2XWD', 'ab12')).not.toContain('ab12')
})

test('at an address without encryption the command says that this is wanted, but for the machine itself', () => {
  expect(joinCommand('http://192.168.1.20:4400', 'K7QM2XWD')).toBe(
    'PRINTYARD_HUB_PLAIN_TEXT=on node scripts/run.mjs printyard hub join http://192.168.1.20:4400 K7QM2XWD',
  )
  expect(joinCommand('http://localhost:4400', 'K7QM2XWD')).toBe(
    'node scripts/run.mjs printyard hub join http://localhost:4400 K7QM2XWD',
  )
})

test('addresses that only this machine reaches are told apart', () => {
  expect(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'].map(isOnlyHere)).toEqual([
    true,
    true,
    true,
  ])
  expect(['http://192.168.1.20:8080', 'https://localhost.example.com'].map(isOnlyHere)).toEqual([false, false])
})
