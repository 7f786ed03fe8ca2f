import { expect, test } from 'vitest'
import { createSecretBox } from '../../../kernel/secret-box.ts'
import { isSetUpCode, setUpCode } from './set-up-code.ts'

const [one, other] = [createSecretBox('00'.repeat(32)), createSecretBox('01'.repeat(32))]

test('a service has one code, which is that of no other', () => {
  expect(setUpCode(one)).toMatch(/^[A-HJKMNP-Z2-9]{8}$/)
  expect(setUpCode(createSecretBox('00'.repeat(32)))).toBe(setUpCode(one))
  expect(setUpCode(other)).not.toBe(setUpCode(one))
})

test('the code may be typed in any case and in groups, but not wrong', () => {
  const code = setUpCode(one)
  expect(isSetUpCode(one, ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `)).toBe(true)
  for (const wrong of ['', code.slice(1), `${code}A`, setUpCode(other)]) expect(isSetUpCode(one, wrong)).toBe(false)
})
