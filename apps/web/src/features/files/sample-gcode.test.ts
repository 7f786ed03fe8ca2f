import { expect, test } from 'vitest'
import { sampleGcode } from './sample-gcode.ts'

test('the sample moves for about three minutes, stays on a small bed, and ends switched off', () => {
  const lines = sampleGcode().split('\n')
  let [x, y, seconds] = [0, 0, 0]
  for (const line of lines) {
    const found = /^G[01] X([\d.]+) Y([\d.]+).* F(\d+)$/.exec(line)
    if (!found) continue
    const [nextX, nextY] = [Number(found[1]), Number(found[2])]
    expect(Math.min(nextX, nextY) >= 0 && Math.max(nextX, nextY) <= 120).toBe(true)
    seconds += (Math.hypot(nextX - x, nextY - y) / Number(found[3])) * 60
    ;[x, y] = [nextX, nextY]
  }
  expect(seconds).toBeGreaterThan(150)
  expect(seconds).toBeLessThan(210)
  expect(lines).toContain('M104 S0')
  expect(lines).toContain('; estimated printing time (normal mode) = 3m 0s')
})
