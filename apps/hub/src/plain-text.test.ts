import { expect, test } from 'vitest'
import { isPlainTextBeyondMachine } from './plain-text.ts'

test.each([
  'https://farm.example.com',
  'https://192.168.1.20:4400',
  'http://localhost:4400',
  'http://127.0.0.1:4400',
  'http://127.1.2.3',
  'http://[::1]:4400',
])('%s cannot be read on the way', (url) => {
  expect(isPlainTextBeyondMachine(url)).toBe(false)
})

test.each([
  'http://192.168.1.20:4400',
  'http://printserver',
  'http://farm.local',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://[fe80::1]',
])('%s can', (url) => {
  expect(isPlainTextBeyondMachine(url)).toBe(true)
})
