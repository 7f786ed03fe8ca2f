import { expect, test } from 'vitest'
import { followTrouble, type Recovery } from './recovery.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 22, 12, 0, seconds))

function follow(looks: [seconds: number, isTroubled: boolean][], leastMs?: number): Recovery | undefined {
  return looks.reduce<Recovery | undefined>(
    (before, [seconds, isTroubled]) => followTrouble(before, isTroubled, at(seconds), leastMs),
    undefined,
  )
}

test('a trouble has ended at the first look that does not show it any more', () => {
  expect(follow([[0, false]])).toEqual({ troubledSince: null, recoveredAt: null })
  expect(
    follow([
      [0, true],
      [5, true],
    ]),
  ).toEqual({ troubledSince: at(0), recoveredAt: null })
  expect(
    follow([
      [0, true],
      [5, true],
      [9, false],
      [12, false],
    ]),
  ).toEqual({ troubledSince: null, recoveredAt: at(9) })
})

test('one that comes and goes is none', () => {
  expect(
    follow(
      [
        [0, true],
        [14, false],
        [15, true],
        [20, false],
      ],
      15_000,
    ),
  ).toMatchObject({ recoveredAt: null })
  expect(
    follow(
      [
        [0, true],
        [14, true],
        [15, false],
      ],
      15_000,
    ),
  ).toMatchObject({ recoveredAt: at(15) })
})
