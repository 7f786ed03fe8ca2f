import { expect, test } from 'vitest'
import { isGuessable, isNameOf } from './common-passwords.ts'
import { findPasswordProblem } from './password.ts'

test.each([
  '123456789012',
  'QWERTYUIOPAS',
  '1q2w3e4r5t6z',
  'Password2026!',
  '***welcome123***',
  'Summer2026!!',
  'iloveyou1234',
  'aaaaaaaaaaaa',
  '121212121212',
  'abcabcabcabcab',
  'abcdefghijkl',
  '987654321098',
  'P@ssw0rd1234',
  'letmein12345',
  'qwertzuiopüa',
  'Geheimnis2026!',
  '***contraseña123***',
  'winniethepooh',
])('%s is guessed early', async (password) => {
  expect(await isGuessable(password)).toBe(true)
  expect(await findPasswordProblem(password)).toContain('too easy to guess')
})

test.each([
  'correct horse battery',
  'a long enough one',
  'Gx7#pl!mt2Qd',
  'passwords are a nuisance',
  'summer in the garden',
  'noon noon moon',
])('%s may be taken', async (password) => {
  expect(await findPasswordProblem(password, ['North Farm', 'ada', 'ada@example.com'])).toBeUndefined()
})

test.each([
  'printyard2026',
  'PrintyardPrintyard',
  'North Farm 24',
  'northfarm!!!',
  '1234-north-farm',
  'ada.lovelace',
  'Ada_Lovelace1815',
  'ada.lovelace@example.com',
])('%s is only a name', async (password) => {
  const names = ['North Farm', 'Ada', 'ada.lovelace', 'ada.lovelace@example.com']
  expect(await findPasswordProblem(password, names)).toContain('only a name')
})

test('a name that is empty, or of digits, is found in no password that has more', () => {
  expect(isNameOf('Gx7#pl!mt2Qd', ['', ' ', '7', '!'])).toBe(false)
  expect(isNameOf('!!!!!!!!!!!!', ['', '!'])).toBe(false)
})

test('only the first 40 characters are judged: the time of an estimate grows with them', async () => {
  expect(await isGuessable(`${'1'.repeat(39)}x a long enough one`)).toBe(true)
  expect(await isGuessable(`${'1'.repeat(25)} a long enough one`)).toBe(false)
})
