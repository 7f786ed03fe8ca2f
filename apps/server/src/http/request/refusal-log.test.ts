import { expect, test } from 'vitest'
import { createRefusalLog } from './refusal-log.ts'

function watched() {
  const lines: Record<string, unknown>[] = []
  let now = 0
  const note = createRefusalLog({ info: (fields) => void lines.push(fields as Record<string, unknown>) }, () => now)
  return {
    lines,
    refuse: (address: string) => note({ status: 401, code: 'TOKEN_INVALID', address, route: '/public/v1/jobs' }),
    pass(ms: number) {
      now += ms
    },
  }
}

test('a refusal is written with address and code, and with nothing that is not known', () => {
  const { lines, refuse } = watched()
  refuse('192.0.2.1')
  expect(lines).toEqual([{ status: 401, code: 'TOKEN_INVALID', address: '192.0.2.1', route: '/public/v1/jobs' }])
})

test('of a network that is refused again and again some lines are written, and none of another is left out', () => {
  const { lines, refuse, pass } = watched()
  for (let n = 0; n < 10_000; n += 1) refuse(`2001:db8::${(n % 4_096).toString(16)}`)
  expect(lines).toHaveLength(20)
  refuse('192.0.2.7')
  expect(lines).toHaveLength(21)
  pass(5_000)
  refuse('2001:db8::1')
  expect(lines.at(-1)).toMatchObject({ left_out: 9_980 })
})

test('many networks together do not fill the log either', () => {
  const { lines, refuse } = watched()
  for (let n = 0; n < 30_000; n += 1) refuse(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
  expect(lines).toHaveLength(500)
})
