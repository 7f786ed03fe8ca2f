import { expect, test } from 'vitest'
import { readCode } from '../../test/read-code.ts'
import { drawCode } from './draw-code.ts'

test.each([
  'http://192.168.1.20:8080/s/prn_01kaxq3v7m2e8h5t9w4c6n0b1d',
  'https://farm.example.com/s/mat_01kaxq3v7m2e8h5t9w4c6n0b1d',
])('the code of %s reads as it', (text) => {
  expect(readCode(drawCode(text))).toBe(text)
})
