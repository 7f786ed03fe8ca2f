import { expect, test } from 'vitest'
import { pictureWantedUntil } from './picture-moment.ts'

const endedAt = new Date('2026-11-20T14:00:00Z')
const after = (seconds: number) => new Date(endedAt.getTime() + seconds * 1000)

test('the camera is worth a look for two minutes after the end of a print', () => {
  expect(pictureWantedUntil(endedAt, after(0))).toEqual(after(120))
  expect(pictureWantedUntil(endedAt, after(119))).toEqual(after(120))
})

test('an end that was told later than that has no picture', () => {
  expect(pictureWantedUntil(endedAt, after(120))).toBeNull()
  expect(pictureWantedUntil(endedAt, after(3_600))).toBeNull()
})
