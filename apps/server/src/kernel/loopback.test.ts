import { expect, test } from 'vitest'
import { isLoopbackName } from './loopback.ts'

test('only names that always mean this machine are loopback', () => {
  for (const name of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]']) {
    expect(isLoopbackName(name), name).toBe(true)
  }
  for (const name of ['localhost.example', '128.0.0.1', '127.0.0.1.example', '10.0.0.1', '']) {
    expect(isLoopbackName(name), name).toBe(false)
  }
})
